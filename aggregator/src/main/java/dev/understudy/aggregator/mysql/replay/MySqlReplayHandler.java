package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.sql.LongPacket;
import dev.understudy.aggregator.mysql.sql.LongRest;
import dev.understudy.aggregator.replay.DebugLogin;
import dev.understudy.aggregator.replay.Gathering;
import dev.understudy.aggregator.replay.ReplayTurns;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.PacketFramer;
import dev.understudy.divergence.wire.mysql.PacketSink;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import dev.understudy.divergence.wire.mysql.result.Err;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Frames what a debug client sends and lets its session answer one packet after another. */
public final class MySqlReplayHandler extends SimpleChannelInboundHandler<ByteBuf> {
    /** Bytes of a packet from which on it is looked whether there is room for answering it. */
    private static final int LONG = 4 << 10;

    /** Copies that are made of a text, or of values, while they are read and looked for. */
    private static final long WORK = 3;

    /** Memory of a statement among several in one text, besides its text. */
    private static final long PER_STATEMENT = 120;

    private final UpstreamReplay<MySqlReply> replay;
    private final ServerFacts facts;
    private final ReplayPosition position;
    private final SqlSpelling spelling;
    private final Gathering gathering = new Gathering();
    private @Nullable Connected connected;

    /**
     * Makes the handler of one connection.
     *
     * @param position how far all sessions of this upstream have come
     * @param spelling whether white space and comments count
     */
    public MySqlReplayHandler(
            UpstreamReplay<MySqlReply> replay, ServerFacts facts, ReplayPosition position, SqlSpelling spelling) {
        this.replay = replay;
        this.facts = facts;
        this.position = position;
        this.spelling = spelling;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ctx.pipeline().addBefore(ctx.name(), null, gathering);
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
        private final ChannelHandlerContext ctx;
        private final PacketFramer framer;
        private final MySqlOutlet outlet;
        private final ReplayTurns<Turn> turns;
        private final MySqlDebugSession session;
        private DebugLogin login = DebugLogin.AWAITED;
        private boolean greeted;
        private boolean over;
        private long working;

        Connected(ChannelHandlerContext ctx) {
            this.ctx = ctx;
            int most = (int) Math.min(Integer.MAX_VALUE / 4, replay.largestMessage());
            framer = new PacketFramer(this, most, Math.min(most, LongPacket.LONG));
            outlet = new MySqlOutlet(ctx.channel(), gathering);
            turns = new ReplayTurns<>(ctx.channel(), this::answer);
            session = new MySqlDebugSession(
                    ctx.executor(),
                    replay,
                    facts,
                    new ReplayPosition(position),
                    spelling,
                    outlet,
                    this::fits,
                    this::done);
        }

        void read(ByteBuf bytes) {
            for (ByteBuffer piece : bytes.nioBuffers()) {
                if (!over) {
                    framer.feed(piece);
                }
            }
            charge();
        }

        /** Whether there is room for all that this connection makes us hold, which is charged then. */
        private boolean fits() {
            return replay.memory().hold(framer.heldMemory() + turns.heldBytes() + session.heldBytes() + working);
        }

        /** Charges what this connection makes us hold, or ends it. */
        private void charge() {
            if (!over && !fits()) {
                refuse(MySqlMismatchErrors.outOfMemory());
            }
        }

        private void done() {
            working = 0;
            if (!greeted) {
                greeted = true;
                ctx.fireUserEventTriggered(DebugLogin.AWAITED);
            } else if (login == DebugLogin.AWAITED && session.entered()) {
                login = DebugLogin.DONE;
                ctx.fireUserEventTriggered(DebugLogin.DONE);
            }
            turns.done();
            charge();
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
                    answer(turn.payload(), turn.rest());
                }
            } catch (MalformedPacketException malformed) {
                String why = String.valueOf(malformed.getMessage());
                if (turn.payload() == null || !session.malformed(turn.payload(), why)) {
                    refuse(why);
                }
            }
        }

        /** What is made of a long command while it is answered has to fit, too. */
        private void answer(byte[] payload, @Nullable LongRest rest) {
            working = payload.length > LONG ? WORK * payload.length + statements(payload) : 0;
            if (working == 0 || fits()) {
                session.answer(payload, rest);
                return;
            }
            working = 0;
            if (!session.refuse(payload[0] & 0xff)) {
                refuse(MySqlMismatchErrors.outOfMemory());
            }
        }

        private static long statements(byte[] payload) {
            boolean text = payload[0] == CommandCode.QUERY || payload[0] == CommandCode.STMT_PREPARE;
            long statements = 0;
            for (int i = 0; text && i < payload.length; i++) {
                statements += payload[i] == ';' ? PER_STATEMENT : 0;
            }
            return statements;
        }

        private void refuse(String why) {
            refuse(MySqlMismatchErrors.malformed(why));
        }

        private void refuse(Err error) {
            over = true;
            turns.end();
            outlet.write(error);
            ctx.channel().flush();
            ctx.channel().close();
        }
    }
}
