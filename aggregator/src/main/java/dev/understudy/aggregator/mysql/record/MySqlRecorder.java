package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.ServerKeys;
import dev.understudy.aggregator.mysql.sql.LongPacket;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.Login;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.PacketFramer;
import dev.understudy.divergence.wire.mysql.PacketSink;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import dev.understudy.divergence.wire.mysql.result.Ok;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Follows one of production's connections from its greeting on and pairs commands with their answers, in order.
 *
 * <p>A connection that its ends encrypt or compress, or on which the server begins to speak unasked (replication),
 * can't be followed and is given up with that reason. What clients prove themselves with is passed over, never kept.
 */
public final class MySqlRecorder implements ConnectionRecorder {
    /** Commands sent and not answered; more is no client's pipeline. */
    private static final int MAX_PENDING = 100_000;

    /** Memory of a command that waits for its answer, besides its bytes. */
    private static final long PER_PENDING = 100;

    private static final int ERR = 0xff;

    /** Begins what ends rows, or a row whose first value has as many bytes as only the longest packets have. */
    private static final int END = 0xfe;

    private final Recording<MySqlReply> recording;
    private final ServerFacts facts;
    private final MySqlSession session;
    private final Commands commands;
    private final PacketFramer requests;
    private final PacketFramer replies;
    private final ArrayDeque<MySqlRequest> pending = new ArrayDeque<>();
    private Phase phase = Phase.GREETING;
    private @Nullable ServerGreeting greeting;
    private @Nullable Answering answering;
    private long pendingBytes;
    private long now;

    private enum Phase {
        GREETING,
        LOGIN,
        LETTING_IN,
        COMMANDS,
        LOST
    }

    /** Makes one to which white space and comments don't count. */
    public MySqlRecorder(Recording<MySqlReply> recording, ServerFacts facts) {
        this(recording, facts, SqlSpelling.MEANING);
    }

    /** @param spelling whether white space and comments count */
    public MySqlRecorder(Recording<MySqlReply> recording, ServerFacts facts, SqlSpelling spelling) {
        this.recording = recording;
        this.facts = facts;
        this.session = new MySqlSession(() -> facts.known(ServerKeys.USUAL_LEVEL, String.class), spelling);
        this.commands = new Commands(recording, facts, session);
        int most = (int) Math.min(recording.largestMessage(), Integer.MAX_VALUE - 16);
        this.requests = new PacketFramer(new Requests(), most, Math.min(most, LongPacket.LONG));
        LargeBodies bodies = recording.bodies();
        int whole = bodies == null ? most : (int) Math.min(most, Math.max(1, bodies.threshold()));
        this.replies = new PacketFramer(new Replies(), most, whole);
    }

    @Override
    public void request(ByteBuffer data, long nanos) {
        now = nanos;
        if (phase != Phase.LOST) {
            requests.feed(data);
        }
    }

    @Override
    public void reply(ByteBuffer data, long nanos) {
        now = nanos;
        if (phase != Phase.LOST) {
            replies.feed(data);
        }
    }

    @Override
    public long heldBytes() {
        if (phase == Phase.LOST) {
            return 0;
        }
        long answer = answering == null ? 0 : answering.heldBytes();
        long waiting = pendingBytes + PER_PENDING * pending.size();
        long state = session.heldBytes() + commands.heldBytes();
        return waiting + answer + state + requests.heldBytes() + replies.heldBytes();
    }

    @Override
    public void closed(long nanos) {
        if (phase == Phase.LOST) {
            return;
        }
        phase = Phase.LOST;
        long unanswered = pending.stream()
                .filter(asked -> asked.code() == CommandCode.QUERY || asked.code() == CommandCode.STMT_EXECUTE)
                .count();
        if (unanswered > 0) {
            recording.dropped(Unrecorded.INCOMPLETE, unanswered);
        }
        pending.clear();
        if (answering != null) {
            answering.abandon();
        }
        commands.closed(nanos);
    }

    private void client(int sequence, byte[] payload) {
        switch (phase) {
            case GREETING -> giveUp(Unrecorded.NOT_THE_PROTOCOL, "a client that speaks first");
            case LOGIN -> login(payload);
            case COMMANDS -> {
                boolean ofTheCommand = answering != null && answering.listens();
                if (payload.length > 0 && sequence == 0 && !ofTheCommand) {
                    command(new MySqlRequest(payload, null, now));
                }
            }
            default -> {
                // what proves the client's identity, or what nobody follows any more
            }
        }
    }

    private void login(byte[] payload) {
        ServerGreeting server = greeting;
        if (server == null) {
            return;
        }
        Login login = Login.read(payload, server.capabilities());
        Capabilities agreed = login.capabilities().and(server.capabilities());
        if (login.tls()) {
            giveUp(Unrecorded.ENCRYPTED, "the client goes on in TLS");
        } else if (agreed.hasAny(Capabilities.COMPRESS | Capabilities.ZSTD_COMPRESSION)) {
            giveUp(Unrecorded.COMPRESSED, "the client goes on in compressed packets");
        } else if (agreed.has(Capabilities.OPTIONAL_METADATA)) {
            giveUp(Unrecorded.NOT_THE_PROTOCOL, "the client may go on without column definitions");
        } else {
            session.login(agreed, login.collation(), login.database());
            phase = Phase.LETTING_IN;
        }
    }

    private void command(MySqlRequest asked) {
        pendingBytes += asked.payload().length;
        if (CommandCode.unpairs(asked.code())) {
            giveUp(Unrecorded.SERVER_PUSH, "replication");
        } else if (answering instanceof LostAnswer && asked.hasSeveralPackets()) {
            giveUp(Unrecorded.NOT_THE_PROTOCOL, "an answer that can't be read, whose end isn't known");
        } else if (pending.size() >= MAX_PENDING || pendingBytes > recording.largestMessage()) {
            giveUp(Unrecorded.TOO_LARGE, pending.size() + " commands without a reply");
        } else {
            pending.add(asked);
            passUnanswered();
            begin();
        }
    }

    private void server(int sequence, byte[] payload) {
        switch (phase) {
            case GREETING -> greeted(payload);
            case LOGIN -> giveUp(Unrecorded.NOT_THE_PROTOCOL, "a server that doesn't wait for its client");
            case LETTING_IN -> letIn(payload);
            case COMMANDS -> answer(sequence, payload);
            case LOST -> {
                // nobody follows any more
            }
        }
    }

    private void greeted(byte[] payload) {
        if (payload.length > 0 && (payload[0] & 0xff) == ERR) {
            phase = Phase.LOST; // the server lets nobody in now
            return;
        }
        ServerGreeting read = ServerGreeting.read(payload);
        greeting = read;
        facts.learnOfServer(ServerKeys.GREETING, read.withConnection(0));
        phase = Phase.LOGIN;
    }

    private void letIn(byte[] payload) {
        int first = payload.length == 0 ? ERR : payload[0] & 0xff;
        if (first == 0) {
            Ok ok = Ok.read(payload, session.agreed());
            facts.learnOfServer(ServerKeys.LOGIN, ok);
            commands.loggedIn(payload, now);
            session.status(ok.status());
            phase = Phase.COMMANDS;
        } else if (first == ERR) {
            commands.loggedIn(payload, now);
            phase = Phase.LOST;
        }
    }

    /** The answer to what was asked first can't be read; the connection goes on with the next one. */
    private void lose(int sequence, MySqlRequest asked, String why) {
        boolean ofTheSession = asked.code() == CommandCode.CHANGE_USER
                || (answering != null && !answering.isLosable())
                || pending.stream().anyMatch(MySqlRequest::hasSeveralPackets);
        if (ofTheSession) {
            giveUp(Unrecorded.NOT_THE_PROTOCOL, why);
            return;
        }
        if (answering != null) {
            answering.abandon();
        }
        answering = new LostAnswer(sequence);
        commands.lost();
    }

    private void answer(int sequence, byte[] payload) {
        if (answering instanceof LostAnswer lost) {
            if (lost.has(sequence)) {
                return;
            }
            answered();
        }
        MySqlRequest asked = pending.peek();
        if (asked == null) {
            giveUp(Unrecorded.INCOMPLETE, "a reply to no command, as when the server ends the connection");
            return;
        }
        Answering current = answering;
        if (current == null) {
            current = answering(asked);
        }
        if (current == null && asked.rest() != null) {
            giveUp(Unrecorded.TOO_LARGE, "a text of this kind that is too long to be read");
            return;
        }
        if (current == null) {
            lose(sequence, asked, "it isn't known");
            return;
        }
        answering = current;
        boolean last;
        try {
            last = current.read(payload, now);
        } catch (MalformedPacketException malformed) {
            lose(sequence, asked, String.valueOf(malformed.getMessage()));
            return;
        }
        if (last) {
            answered();
        }
    }

    private void answered() {
        answering = null;
        drop();
        passUnanswered();
        begin();
    }

    /** What reads the answer; null if nobody knows how that looks, or what was asked. */
    private @Nullable Answering answering(MySqlRequest asked) {
        try {
            return commands.answering(asked);
        } catch (MalformedPacketException malformed) {
            return null;
        }
    }

    /** What a statement asks for is known before its answer comes, so that the debug JVM may wait for that. */
    private void begin() {
        MySqlRequest next = pending.peek();
        boolean statement =
                next != null && (next.code() == CommandCode.QUERY || next.code() == CommandCode.STMT_EXECUTE);
        if (statement && answering == null) {
            answering = answering(next);
        }
    }

    private void passUnanswered() {
        for (MySqlRequest next = pending.peek();
                next != null && answering == null && CommandCode.unanswered(next.code());
                next = pending.peek()) {
            commands.unanswered(next);
            drop();
        }
    }

    private void drop() {
        MySqlRequest done = pending.remove();
        pendingBytes -= done.payload().length;
    }

    private void giveUp(Unrecorded reason, String detail) {
        if (phase != Phase.LOST) {
            closed(now);
            recording.unframed(reason, detail);
        }
    }

    private interface Received {
        void packet(int sequence, byte[] payload);
    }

    /** One direction. */
    private class Side implements PacketSink {
        private final Received received;

        Side(Received received) {
            this.received = received;
        }

        @Override
        public void packet(int sequence, byte[] payload) {
            try {
                received.packet(sequence, payload);
            } catch (MalformedPacketException malformed) {
                giveUp(Unrecorded.NOT_THE_PROTOCOL, String.valueOf(malformed.getMessage()));
            }
        }

        @Override
        public void oversized(long atLeast) {
            giveUp(Unrecorded.TOO_LARGE, "a packet of at least " + atLeast + " bytes");
        }
    }

    /** What the client says, which may be long. */
    private final class Requests extends Side {
        Requests() {
            super(MySqlRecorder.this::client);
        }

        @Override
        public @Nullable PacketTaker large(int sequence, int first, int length) {
            if (phase != Phase.COMMANDS) {
                return null;
            }
            if (answering != null && answering.listens()) {
                return new RowOverflow(null).row(0);
            }
            return sequence != 0
                    ? null
                    : LongPacket.of(
                            first,
                            length,
                            recording.largestMessage(),
                            session.agreed(),
                            (beginning, rest) -> command(new MySqlRequest(beginning, rest, now)));
        }
    }

    /** What the server says, which may be long. */
    private final class Replies extends Side {
        Replies() {
            super(MySqlRecorder.this::server);
        }

        @Override
        public @Nullable PacketTaker large(int sequence, int first, int length) {
            boolean row = first != ERR && (first != END || length == PacketFramer.FULL);
            return row && phase == Phase.COMMANDS && answering != null ? answering.large() : null;
        }
    }
}
