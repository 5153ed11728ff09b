package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.ServerFacts;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.aggregator.replay.Turns;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.FrontendFramer;
import dev.understudy.divergence.wire.postgres.MalformedMessageException;
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
    private @Nullable Connected connected;

    public PgReplayHandler(Replay<PgReply> replay, ServerFacts facts, Backends backends) {
        this.replay = replay;
        this.facts = facts;
        this.backends = backends;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connected = new Connected(ctx);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
        if (connected != null) {
            for (ByteBuffer piece : bytes.nioBuffers()) {
                connected.framer.feed(piece);
            }
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
        private final FrontendFramer framer;
        private final Outlet outlet;
        private final Turns<Object> turns;
        private final DebugSession session;

        Connected(ChannelHandlerContext ctx) {
            framer = new FrontendFramer(this, (int) Math.min(Integer.MAX_VALUE / 4, replay.largestMessage()));
            outlet = new Outlet(ctx.channel());
            turns = new Turns<>(ctx.channel(), this::answer);
            session = new DebugSession(ctx.executor(), replay, facts, backends, outlet, turns::done);
        }

        @Override
        public void startup(StartupPacket packet, int rawLength) {
            turns.add(packet);
        }

        @Override
        public void message(PgMessage message, int rawLength) {
            turns.add(message);
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
                } else if (turn instanceof PgMessage message) {
                    session.answer(Frontend.decode(message));
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
