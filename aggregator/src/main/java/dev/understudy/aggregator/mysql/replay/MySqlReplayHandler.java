package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.sql.LongPacket;
import dev.understudy.aggregator.mysql.sql.LongRest;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.aggregator.replay.Turns;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.PacketFramer;
import dev.understudy.divergence.wire.mysql.PacketSink;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Frames what a debug client sends and lets its session answer one packet after another. */
public final class MySqlReplayHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private final Replay<MySqlReply> replay;
    private final ServerFacts facts;
    private @Nullable Connected connected;

    public MySqlReplayHandler(Replay<MySqlReply> replay, ServerFacts facts) {
        this.replay = replay;
        this.facts = facts;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        Connected now = new Connected(ctx);
        connected = now;
        now.turns.add(Turn.GREETING);
        now.turns.readComplete();
        ctx.fireChannelActive();
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
            connected.outlet.room().writabilityChanged();
            connected.turns.writabilityChanged();
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (connected != null) {
            connected.turns.end();
            connected.outlet.room().leave();
            connected.session.closed();
        }
        ctx.fireChannelInactive();
    }

    /**
     * Something to answer.
     *
     * @param sequence the packet's number
     * @param payload null for the greeting, which answers nothing
     * @param rest what is known of the packet if the payload is its beginning only; null if it is all of it
     */
    private record Turn(
            int sequence,
            byte @Nullable [] payload,
            @Nullable LongRest rest) {
        static final Turn GREETING = new Turn(-1, null, null);
    }

    /** What exists once the channel is connected. */
    private final class Connected implements PacketSink {
        private final PacketFramer framer;
        private final Outlet outlet;
        private final Turns<Turn> turns;
        private final DebugSession session;

        Connected(ChannelHandlerContext ctx) {
            int most = (int) Math.min(Integer.MAX_VALUE / 4, replay.largestMessage());
            framer = new PacketFramer(this, most, Math.min(most, LongPacket.LONG));
            outlet = new Outlet(ctx.channel());
            turns = new Turns<>(ctx.channel(), this::answer);
            session = new DebugSession(ctx.executor(), replay, facts, outlet, turns::done);
        }

        @Override
        public void packet(int sequence, byte[] payload) {
            turns.add(new Turn(sequence, payload, null), payload.length);
        }

        @Override
        public @Nullable PacketTaker large(int sequence, int first, int length) {
            return session.large(
                    first,
                    length,
                    (beginning, rest) -> turns.add(new Turn(sequence, beginning, rest), beginning.length));
        }

        @Override
        public void oversized(long atLeast) {
            refuse("a packet of " + atLeast + " bytes is too long to be answered from a recording");
        }

        private void answer(Turn turn) {
            outlet.follow(turn.sequence());
            try {
                if (turn.payload() == null) {
                    session.greet();
                } else {
                    session.answer(turn.payload(), turn.rest());
                }
            } catch (MalformedPacketException malformed) {
                refuse(String.valueOf(malformed.getMessage()));
            }
        }

        private void refuse(String why) {
            turns.end();
            outlet.write(Misfit.malformed(why));
            outlet.close();
        }
    }
}
