package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.sql.Command;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.aggregator.replay.Turns;
import dev.understudy.aggregator.tls.TlsPort;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.FrontendFramer;
import dev.understudy.divergence.wire.postgres.LongText;
import dev.understudy.divergence.wire.postgres.MalformedMessageException;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgSink;
import dev.understudy.divergence.wire.postgres.StartupPacket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Frames what a debug client sends and lets its session answer one message after another. */
public final class PgReplayHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private final Replay<PgReply> replay;
    private final ServerFacts facts;
    private final Backends backends;
    private final TlsPort tls;
    private @Nullable Connected connected;

    /** @param tls begins when the client asks for it and is told yes */
    public PgReplayHandler(Replay<PgReply> replay, ServerFacts facts, Backends backends, TlsPort tls) {
        this.replay = replay;
        this.facts = facts;
        this.backends = backends;
        this.tls = tls;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connected = new Connected(ctx);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
        if (connected != null) {
            connected.read(bytes);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (connected != null) {
            connected.turns.readComplete();
        }
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (connected != null) {
            connected.outlet.room().writabilityChanged();
            connected.turns.writabilityChanged();
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (connected != null) {
            connected.turns.end();
            connected.session.closed();
        }
        ctx.fireChannelInactive();
    }

    /** What exists once the handler has its channel. */
    private final class Connected implements PgSink {
        private final ChannelHandlerContext ctx;
        private final FrontendFramer framer;
        private final Outlet outlet;
        private final Turns<Object> turns;
        private final DebugSession session;
        private long fed;
        private long cut;
        private boolean encrypting;

        Connected(ChannelHandlerContext ctx) {
            this.ctx = ctx;
            framer = new FrontendFramer(this, (int) Math.min(Integer.MAX_VALUE / 4, replay.largestMessage()));
            outlet = new Outlet(ctx.channel());
            turns = new Turns<>(ctx.channel(), this::answer);
            session = new DebugSession(ctx.executor(), replay, facts, backends, outlet, this::encrypt, turns::done);
        }

        void read(ByteBuf bytes) {
            fed += bytes.readableBytes();
            for (ByteBuffer piece : bytes.nioBuffers()) {
                framer.feed(piece);
            }
            if (encrypting && fed != cut) {
                refuse("plain text behind the request for encryption"); // whoever put it there may not be the client
            }
            encrypting = false;
        }

        private void encrypt() {
            encrypting = true;
            tls.begin(ctx.pipeline());
        }

        @Override
        public void startup(StartupPacket packet, int rawLength) {
            cut += rawLength;
            turns.add(packet);
        }

        @Override
        public void message(PgMessage message, int rawLength) {
            turns.add(message, message.body().length);
        }

        @Override
        public void shortened(Frontend statement, char type, int rawLength) {
            if (Command.readable(statement)) {
                turns.add(statement, LongText.bytes(statement));
            } else {
                oversized(type, rawLength);
            }
        }

        @Override
        public @Nullable MessageTaker large(char type, int length) {
            return type == 'd' ? MessageTaker.inPieces(type, piece -> message(piece, 0)) : null;
        }

        @Override
        public void oversized(char type, long rawLength) {
            refuse("a message of " + rawLength + " bytes is too long to be answered from a recording");
        }

        @Override
        public void unframed(String reason, int rawLength) {
            refuse("not PostgreSQL's protocol: " + reason);
        }

        private void answer(Object turn) {
            try {
                if (turn instanceof StartupPacket packet) {
                    session.start(packet);
                } else if (turn instanceof PgMessage message && "dcf".indexOf(message.type()) >= 0) {
                    session.copied(message);
                } else if (turn instanceof PgMessage message) {
                    session.answer(Frontend.decode(message));
                } else if (turn instanceof Frontend statement) {
                    session.answer(statement);
                }
            } catch (MalformedMessageException malformed) {
                refuse(String.valueOf(malformed.getMessage()));
            }
        }

        private void refuse(String why) {
            turns.end();
            outlet.write(PgErrors.fatal("08P01", why));
            outlet.close();
        }
    }
}
