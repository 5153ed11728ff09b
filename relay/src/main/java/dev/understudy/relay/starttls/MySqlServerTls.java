package dev.understudy.relay.starttls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;

/**
 * Asks a MySQL server for TLS as soon as the client logs in, which is when it is known what to ask with; the stages
 * behind see a server that has no TLS. Leaves the pipeline when the server lets the client in. A server that doesn't
 * offer TLS is told nothing: whoever set TLS doesn't want plain text.
 *
 * <pre>
 *   server                    this                       the stages behind
 *      ─── greeting 0, TLS ───▶├─── greeting 0 ─────────────▶
 *      ◀── request for TLS 1 ──┤◀── login 1 ──────────────────
 *      ═══ TLS handshake ══════│
 *      ◀── login 2, TLS ───────│
 *      ─── … OK 3 ────────────▶├─── … OK 2 ─────────────────▶
 * </pre>
 *
 * <p>Holds one packet of at most 1 KiB, with what was read beside it. Confined to the connection's event loop.
 */
public final class MySqlServerTls extends ChannelDuplexHandler {
    private static final int ERROR = 0xff;

    private final Consumer<ChannelHandlerContext> tls;
    private final PacketBuffer held = new PacketBuffer();
    private final LoginNumbers toServer = LoginNumbers.ofClient(1);
    private final LoginNumbers fromServer = LoginNumbers.ofServer(-1);
    private Phase phase = Phase.GREETING;
    private int preface;

    private enum Phase {
        GREETING,
        REFUSED,
        LOGIN,
        PROOF,
        FAILED
    }

    /**
     * @param tls puts TLS first into the pipeline of the connection, once it is asked for
     * @param preface how many bytes are sent before the client's, in plain text
     */
    public MySqlServerTls(Consumer<ChannelHandlerContext> tls, int preface) {
        this.tls = tls;
        this.preface = preface;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        ByteBuf bytes = (ByteBuf) msg;
        switch (phase) {
            case GREETING -> greeting(ctx, held.add(ctx.alloc(), bytes));
            case REFUSED -> ctx.fireChannelRead(bytes);
            case LOGIN -> {
                bytes.release();
                fail(ctx, "plain text behind its greeting"); // whoever put it there may not be the server
            }
            case PROOF -> {
                fromServer.move(bytes);
                ctx.fireChannelRead(bytes);
                if (fromServer.over()) {
                    ctx.pipeline().remove(this);
                }
            }
            case FAILED -> bytes.release();
        }
    }

    private void greeting(ChannelHandlerContext ctx, ByteBuf all) {
        int bit = StartTlsLogin.greetingBit(all);
        if (bit == StartTlsLogin.NO_GREETING
                && all.getUnsignedByte(all.readerIndex() + StartTlsLogin.HEADER) == ERROR) {
            held.give();
            phase = Phase.REFUSED;
            ctx.fireChannelRead(all);
        } else if (bit == StartTlsLogin.NO_GREETING || (bit >= 0 && !StartTlsLogin.saysTls(all, bit))) {
            fail(ctx, "it offers no TLS");
        } else if (bit >= 0 && all.readableBytes() > StartTlsLogin.packetLength(all)) {
            fail(ctx, "plain text behind its greeting");
        } else if (bit >= 0) {
            held.give();
            phase = Phase.LOGIN;
            StartTlsLogin.sayTls(all, bit, false);
            ctx.fireChannelRead(all);
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object msg, ChannelPromise promise) {
        ByteBuf bytes = (ByteBuf) msg;
        int length = bytes.readableBytes();
        if (length == 0 || length <= preface) {
            preface -= length;
            ctx.write(bytes, promise);
            return;
        }
        switch (phase) {
            case LOGIN -> login(ctx, held.add(ctx.alloc(), bytes), promise);
            case PROOF -> {
                // The tap may hold the same bytes.
                ByteBuf own = ctx.alloc().buffer(length).writeBytes(bytes);
                bytes.release();
                toServer.move(own);
                ctx.write(own, promise);
            }
            case GREETING, REFUSED, FAILED -> {
                bytes.release();
                promise.tryFailure(new SSLHandshakeException("plain text was to be sent"));
                fail(ctx, "the client speaks before it is greeted");
            }
        }
    }

    private void login(ChannelHandlerContext ctx, ByteBuf all, ChannelPromise promise) {
        if (all.readableBytes() < StartTlsLogin.FIXED) {
            promise.trySuccess();
        } else if (StartTlsLogin.packetLength(all) <= StartTlsLogin.FIXED
                || StartTlsLogin.saysTls(all, StartTlsLogin.ANSWER_BIT)) {
            promise.tryFailure(new SSLHandshakeException("plain text was to be sent"));
            fail(ctx, "the client asks for what it wasn't offered");
        } else {
            held.give();
            phase = Phase.PROOF;
            ctx.writeAndFlush(StartTlsLogin.requestTls(all, ctx.alloc().buffer(StartTlsLogin.FIXED)));
            tls.accept(ctx);
            StartTlsLogin.sayTls(all, StartTlsLogin.ANSWER_BIT, true);
            toServer.move(all);
            ctx.write(all, promise);
            ctx.read();
        }
    }

    private void fail(ChannelHandlerContext ctx, String why) {
        held.release();
        if (phase != Phase.FAILED) {
            phase = Phase.FAILED;
            ctx.fireExceptionCaught(new SSLHandshakeException(why));
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        held.release();
    }
}
