package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.replay.DebugLogin;
import dev.understudy.aggregator.replay.ReplayTurns;
import dev.understudy.aggregator.replay.UpstreamReplay;
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
    /** Bytes of a message from which on it is looked whether there is room for answering it. */
    private static final int LONG = 4 << 10;

    /** Copies that are made of a text, or of values, while they are read and looked for. */
    private static final long WORK = 3;

    /** Memory of a statement among several in one text, besides its text. */
    private static final long PER_STATEMENT = 120;

    private final UpstreamReplay<PgReply> replay;
    private final ServerFacts facts;
    private final Backends backends;
    private final @Nullable TlsPort tls;
    private @Nullable Connected connected;

    /** @param tls begins when the client asks for it and is told yes; null if it is told no */
    public PgReplayHandler(
            UpstreamReplay<PgReply> replay, ServerFacts facts, Backends backends, @Nullable TlsPort tls) {
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
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireUserEventTriggered(DebugLogin.AWAITED);
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
            connected.session.closed();
        }
        ctx.fireChannelInactive();
    }

    /** What exists once the handler has its channel. */
    private final class Connected implements PgSink {
        private final ChannelHandlerContext ctx;
        private final FrontendFramer framer;
        private final PgOutlet outlet;
        private final ReplayTurns<Object> turns;
        private final PgDebugSession session;
        private long working;
        private boolean over;
        private long fed;
        private long cut;
        private boolean encrypting;

        Connected(ChannelHandlerContext ctx) {
            this.ctx = ctx;
            framer = new FrontendFramer(this, (int) Math.min(Integer.MAX_VALUE / 4, replay.largestMessage()));
            outlet = new PgOutlet(ctx.channel());
            turns = new ReplayTurns<>(ctx.channel(), this::answer);
            Runnable encrypt = tls == null ? null : () -> encrypt(tls);
            session = new PgDebugSession(
                    ctx.executor(), replay, facts, backends, outlet, encrypt, this::fits, this::done);
        }

        void read(ByteBuf bytes) {
            if (over) {
                return;
            }
            fed += bytes.readableBytes();
            for (ByteBuffer piece : bytes.nioBuffers()) {
                framer.feed(piece);
            }
            if (encrypting && fed != cut) {
                refuse("plain text behind the request for encryption"); // whoever put it there may not be the client
            }
            encrypting = false;
            charge();
        }

        /** Whether there is room for all that this connection makes us hold, which is charged then. */
        private boolean fits() {
            return replay.memory().hold(framer.heldBytes() + turns.heldBytes() + session.heldBytes() + working);
        }

        /** Charges what this connection makes us hold, or ends it. */
        private void charge() {
            if (!over && !fits()) {
                refuse(PgMismatchErrors.OUT_OF_MEMORY, "debug connections hold as much as they may");
            }
        }

        private void done() {
            working = 0;
            turns.done();
            charge();
        }

        private void encrypt(TlsPort port) {
            encrypting = true;
            port.begin(ctx.pipeline());
        }

        @Override
        public void startup(StartupPacket packet, int rawLength) {
            cut += rawLength;
            if (packet.kind() == StartupPacket.Kind.STARTUP) {
                ctx.fireUserEventTriggered(DebugLogin.DONE);
            }
            turns.add(packet);
        }

        @Override
        public void message(PgMessage message, int rawLength) {
            turns.add(message, message.body().length);
        }

        @Override
        public void shortened(Frontend statement, char type, int rawLength) {
            if (PgStatementKind.readable(statement)) {
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
                    answer(Frontend.decode(message), message.body().length);
                } else if (turn instanceof Frontend statement) {
                    answer(statement, LongText.bytes(statement));
                }
            } catch (MalformedMessageException malformed) {
                refuse(String.valueOf(malformed.getMessage()));
            }
        }

        /** What is made of a long message while it is answered has to fit, too. */
        private void answer(Frontend message, int length) {
            working = LONG < length ? WORK * length + statements(message) : 0;
            if (working == 0 || fits()) {
                session.answer(message);
            } else {
                working = 0;
                session.refuse(message);
            }
        }

        private static long statements(Frontend message) {
            return message instanceof Frontend.Query query
                    ? PER_STATEMENT * query.sql().chars().filter(c -> c == ';').count()
                    : 0;
        }

        private void refuse(String why) {
            refuse("08P01", why);
        }

        private void refuse(String state, String why) {
            over = true;
            turns.end();
            outlet.write(PgErrors.fatal(state, why));
            outlet.close();
        }
    }
}
