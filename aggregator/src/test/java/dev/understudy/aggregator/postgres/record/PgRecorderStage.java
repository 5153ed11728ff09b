package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.exchange.Redaction;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.record.RecordCounts;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/** A recorder of one PostgreSQL connection, and what both sides of that say. */
abstract class PgRecorderStage {
    static final int LARGEST = 10_000;
    static final PgMessage SYNC = new PgMessage('S', new byte[0]);

    final AtomicLong now = new AtomicLong();
    final RecordCounts counts = new RecordCounts();
    final Journal<PgReply> journal = new Journal<>(
            new JournalBounds(1 << 20, Duration.ofHours(1), false), now::get, new InboundExchanges(() -> 0L));
    final OutgoingCalls outgoing =
            new OutgoingCalls(new InboundExchanges(() -> 0L), () -> 0L, (upstream, form) -> false);
    PgConnectionRecorder recorder;

    @BeforeEach
    void open() {
        open(null, LARGEST);
    }

    final void open(@Nullable LargeBodies bodies, long largest) {
        recorder = new PgConnectionRecorder(
                new Recording<>(
                        "test",
                        1,
                        journal,
                        counts,
                        largest,
                        CallPolicy.of(new MissPolicy(Duration.ZERO, Miss.FAIL)),
                        outgoing,
                        bodies,
                        Redaction.NONE),
                new ServerFacts());
    }

    void start() {
        byte[] startup =
                new PgWriter().int32(3 << 16).string("user").string("u").int8(0).toBytes();
        request(new PgWriter().int32(startup.length + 4).bytes(startup).toBytes());
        server(new PgWriter().int32(0).toMessage('R'), ready('I'));
    }

    void client(PgMessage... messages) {
        for (PgMessage message : messages) {
            ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
            message.writeTo(bytes);
            request(bytes.array());
        }
    }

    void request(byte[] bytes) {
        recorder.request(ByteBuffer.wrap(bytes), 0);
    }

    void server(PgMessage... messages) {
        for (PgMessage message : messages) {
            ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
            message.writeTo(bytes);
            recorder.reply(bytes.flip(), 0);
        }
    }

    static PgMessage parse(String sql) {
        return new PgWriter().string("").string(sql).int16(0).toMessage('P');
    }

    static PgMessage bind() {
        return new PgWriter().string("").string("").int16(0).int16(0).int16(0).toMessage('B');
    }

    static PgMessage execute() {
        return execute(0);
    }

    static PgMessage execute(int rows) {
        return new PgWriter().string("").int32(rows).toMessage('E');
    }

    static PgMessage message(char type) {
        return new PgMessage(type, new byte[0]);
    }

    static PgMessage row(String value) {
        return new PgWriter()
                .int16(1)
                .value(value.getBytes(StandardCharsets.UTF_8))
                .toMessage('D');
    }

    static PgMessage tag(String tag) {
        return new PgWriter().string(tag).toMessage('C');
    }

    static PgMessage ready(char status) {
        return new PgMessage('Z', new byte[] {(byte) status});
    }

    static PgMessage longQuery(String verb) {
        return new PgWriter().string(verb + " '" + "x".repeat(LARGEST) + "'").toMessage('Q');
    }
}
