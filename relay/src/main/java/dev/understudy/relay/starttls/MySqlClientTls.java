package dev.understudy.relay.starttls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Offers a MySQL client TLS, in the server's greeting, and gives it if the client asks for it; the stages behind see a
 * client that logs in without. Leaves the pipeline when the client is let in, or goes on in plain text.
 *
 * <pre>
 *   client                    this                       the stages behind
 *      ◀── greeting 0, TLS ────┤◀── greeting 0 ───────────────
 *      ─── request for TLS 1 ─▶│
 *      ═══ TLS handshake ══════│
 *      ─── login 2, TLS ──────▶├─── login 1 ─────────────────▶
 *      ◀── … OK 3 ─────────────┤◀── … OK 2 ───────────────────
 * </pre>
 *
 * <p>Holds one packet of at most 1 KiB, with what was read beside it. Confined to the client's event loop.
 */
public final class MySqlClientTls extends ChannelDuplexHandler {
    private final Consumer<ChannelHandlerContext> tls;
    private final PacketBuffer held = new PacketBuffer();
    private final LoginNumbers toClient = LoginNumbers.ofServer(1);
    private final LoginNumbers fromClient = LoginNumbers.ofClient(-1);
    private Phase phase = Phase.GREETING;

    private enum Phase {
        GREETING,
        ANSWER,
        LOGIN,
        PROOF,
        OVER,
        FAILED
    }

    /** @param tls puts TLS first into the pipeline of the client that has asked for it */
    public MySqlClientTls(Consumer<ChannelHandlerContext> tls) {
        this.tls = tls;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        ByteBuf bytes = (ByteBuf) msg;
        switch (phase) {
            case GREETING -> greeting(ctx, bytes, promise);
            case LOGIN, PROOF -> {
                // The tap may hold the same bytes.
                ByteBuf own = ctx.alloc().buffer(bytes.readableBytes()).writeBytes(bytes);
                bytes.release();
                toClient.move(own);
                ctx.write(own, promise);
                if (toClient.over()) {
                    leave(ctx);
                }
            }
            case ANSWER, OVER -> ctx.write(bytes, promise);
            case FAILED -> {
                bytes.release();
                promise.tryFailure(new SSLHandshakeException("no connection was agreed on"));
            }
        }
    }

    private void greeting(ChannelHandlerContext ctx, ByteBuf bytes, ChannelPromise promise) {
        ByteBuf all = held.add(ctx.alloc(), bytes);
        int bit = StartTlsLogin.greetingBit(all);
        if (bit == StartTlsLogin.INCOMPLETE) {
            promise.trySuccess();
            return;
        }
        held.give();
        if (bit != StartTlsLogin.NO_GREETING) {
            StartTlsLogin.sayTls(all, bit, true);
            phase = Phase.ANSWER;
        }
        ctx.write(all, promise);
        if (bit == StartTlsLogin.NO_GREETING) {
            leave(ctx); // most often the server has no room
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf bytes = (ByteBuf) msg;
        switch (phase) {
            case GREETING -> fail(ctx, bytes, "the client speaks before it is greeted");
            case ANSWER -> answer(ctx, held.add(ctx.alloc(), bytes));
            case LOGIN -> login(ctx, held.add(ctx.alloc(), bytes));
            case PROOF -> {
                fromClient.move(bytes);
                ctx.fireChannelRead(bytes);
            }
            case OVER -> ctx.fireChannelRead(bytes);
            case FAILED -> bytes.release();
        }
    }

    private void answer(ChannelHandlerContext ctx, ByteBuf all) {
        int length = all.readableBytes();
        if (length < StartTlsLogin.HEADER) {
            return;
        }
        boolean asks = StartTlsLogin.packetLength(all) == StartTlsLogin.FIXED;
        if (asks && length > StartTlsLogin.ANSWER_BIT) {
            asks = StartTlsLogin.saysTls(all, StartTlsLogin.ANSWER_BIT);
        }
        if (!asks) {
            held.give();
            leave(ctx);
            ctx.fireChannelRead(all);
        } else if (length >= StartTlsLogin.FIXED) {
            held.give();
            phase = Phase.LOGIN;
            tls.accept(ctx);
            // Some clients don't wait before they begin with TLS.
            ctx.pipeline().fireChannelRead(all.skipBytes(StartTlsLogin.FIXED));
        }
    }

    private void login(ChannelHandlerContext ctx, ByteBuf all) {
        if (all.readableBytes() < StartTlsLogin.FIXED) {
            return;
        }
        if (StartTlsLogin.packetLength(all) <= StartTlsLogin.FIXED) {
            fail(ctx, null, "no login in TLS");
        } else {
            held.give();
            phase = Phase.PROOF;
            StartTlsLogin.sayTls(all, StartTlsLogin.ANSWER_BIT, false);
            fromClient.move(all);
            ctx.fireChannelRead(all);
        }
    }

    private void fail(ChannelHandlerContext ctx, @Nullable ByteBuf bytes, String why) {
        phase = Phase.FAILED;
        held.release();
        if (bytes != null) {
            bytes.release();
        }
        ctx.fireExceptionCaught(new SSLHandshakeException(why));
    }

    private void leave(ChannelHandlerContext ctx) {
        phase = Phase.OVER;
        ctx.pipeline().remove(this);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        held.release();
    }
}
