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
import dev.understudy.aggregator.policy.Treatment;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.record.RecordCounts;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.RecordingObserver;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.tap.Direction;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class PgConnectionRecorderTest {
    private static final int LARGEST = 10_000;
    private static final PgMessage SYNC = new PgMessage('S', new byte[0]);

    private final AtomicLong now = new AtomicLong();
    private final RecordCounts counts = new RecordCounts();
    private final Journal<PgReply> journal = new Journal<>(
            new JournalBounds(1 << 20, Duration.ofHours(1), false), now::get, new InboundExchanges(() -> 0L));
    private final OutgoingCalls outgoing = new OutgoingCalls(new InboundExchanges(() -> 0L), () -> 0L);
    private PgConnectionRecorder recorder;

    @BeforeEach
    void open() {
        open(null, LARGEST);
    }

    private void open(@Nullable LargeBodies bodies, long largest) {
        recorder = new PgConnectionRecorder(
                new Recording<>(
                        "test",
                        1,
                        journal,
                        counts,
                        largest,
                        CallPolicy.of(new Treatment(Duration.ZERO, Miss.FAIL)),
                        outgoing,
                        bodies,
                        Redaction.NONE),
                new ServerFacts());
    }

    @Test
    void query_isRecordedWhenTheServerIsReady() {
        start();
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(row("2"), tag("SELECT 1"));
        assertThat(counts.exchanges()).isZero();
        server(ready('I'));

        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void statementsPortalsAndUnfinishedMessages_areHeld() {
        start();
        long before = recorder.heldBytes();
        client(
                new PgWriter()
                        .string("s")
                        .string("SELECT " + "x".repeat(5_000))
                        .int16(0)
                        .toMessage('P'),
                SYNC);
        server(message('1'), ready('I'));
        long prepared = recorder.heldBytes();
        assertThat(prepared - before).isBetween(10_000L, 30_000L);
        request(new PgWriter().int8('Q').int32(9_000).bytes(new byte[8_900]).toBytes());
        assertThat(recorder.heldBytes() - prepared).isGreaterThan(3_000);
    }

    @Test
    void connectionWithMoreStateThanThereIsRoomFor_isGivenUp_andItsStateFreed() {
        MemoryBudget lanes = new MemoryBudget(50_000, null);
        Recording<PgReply> recording = new Recording<>(
                "test", 1, journal, counts, LARGEST, CallPolicy.of(new Treatment(Duration.ZERO, Miss.FAIL)), outgoing);
        RecordingObserver<PgReply> observer = new RecordingObserver<>(
                of -> {
                    recorder = new PgConnectionRecorder(of, new ServerFacts());
                    return recorder;
                },
                recording,
                counts,
                lanes);
        start();
        for (int n = 0; n < 10; n++) {
            client(
                    new PgWriter()
                            .string("s" + n)
                            .string("SELECT " + "x".repeat(5_000))
                            .int16(0)
                            .toMessage('P'),
                    SYNC);
            server(message('1'));
            observer.data(Direction.REPLY, Unpooled.wrappedBuffer(wire(ready('I'))), 0);
        }

        assertThat(counts.unrecorded(Unrecorded.RECORDERS_FULL)).isEqualTo(1);
        assertThat(lanes.used()).isZero();
    }

    private static byte[] wire(PgMessage message) {
        ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
        message.writeTo(bytes);
        return bytes.array();
    }

    @Test
    void blockOfTheClient_isRecordedAtOnce() {
        start();
        client(new PgWriter().string("BEGIN").toMessage('Q'));
        server(tag("BEGIN"), ready('T'));
        client(parse("SELECT 2"), bind(), execute());
        server(message('1'), message('2'), row("2"), tag("SELECT 1"));

        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void resultThatIsReadByAndBy_isOneExchange_butInABlockOneForEachPart() {
        start();
        for (int expected : new int[] {1, 1 + 3}) {
            client(parse("SELECT 2"), bind(), execute(1), execute(1), execute(), SYNC);
            server(message('1'), message('2'), row("1"), message('s'), row("2"), message('s'), tag("SELECT 0"));
            server(ready(expected == 1 ? 'I' : 'T'));
            assertThat(counts.exchanges()).isEqualTo(expected);
            client(new PgWriter().string("BEGIN").toMessage('Q'));
            server(tag("BEGIN"), ready('T'));
        }
    }

    /** What PREPARE TRANSACTION says of a failed block is no answer to one of a block that is sound. */
    @Test
    void preparedTransaction_isRecordedUnlessItWasOnlyRolledBack() {
        start();
        for (String said : new String[] {"ROLLBACK", "PREPARE TRANSACTION"}) {
            client(new PgWriter().string("BEGIN").toMessage('Q'));
            server(tag("BEGIN"), ready('T'));
            client(new PgWriter().string("PREPARE TRANSACTION 'one'").toMessage('Q'));
            server(tag(said), ready('I'));
            assertThat(counts.exchanges()).as(said).isEqualTo(said.equals("ROLLBACK") ? 0 : 1);
        }
    }

    @Test
    void agreedEncryption_isCountedAsSuch() {
        request(new PgWriter().int32(8).int32(80877103).toBytes());
        recorder.reply(ByteBuffer.wrap(new byte[] {'S'}), 0);
        request(new byte[] {0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5});

        assertThat(counts.unrecorded(Unrecorded.ENCRYPTED)).isEqualTo(1);
    }

    @Test
    void garbage_isNotTheProtocol() {
        request("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
    }

    @Test
    void answerToNothing_endsTheRecording() {
        start();
        server(tag("SELECT 1"));
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(tag("SELECT 1"), ready('I'));

        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
        assertThat(counts.exchanges()).isZero();
    }

    @Test
    void largeResult_isCountedAndTheNextIsRecorded() {
        start();
        for (int rows : new int[] {LARGEST, 1}) {
            client(parse("SELECT 2"), bind(), execute(), SYNC);
            server(message('1'), message('2'));
            for (int i = 0; i < rows; i++) {
                server(row("2"));
            }
            server(tag("SELECT " + rows), ready('I'));
        }

        assertThat(counts.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(1);
        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void largeMessages_areCountedInBothDirections() {
        start();
        client(new PgMessage('F', new byte[LARGEST + 1]));
        server(new PgMessage('V', new byte[4]), ready('I'));
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(row("x".repeat(LARGEST)), tag("SELECT 1"), ready('I'));
        client(parse("SELECT 2"), bind(), execute(), SYNC);
        server(message('1'), message('2'), row("x".repeat(LARGEST)), tag("SELECT 1"), ready('I'));

        assertThat(counts.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(3);
        assertThat(counts.exchanges()).isZero();
    }

    @Test
    void longText_isRecorded_unlessItsAnswerTellsThatTheSessionHasChanged() {
        for (String tag :
                new String[] {"SELECT 1", "INSERT 0 1", "CREATE TABLE", "SET", "BEGIN", "DO", "", "SELECTED"}) {
            open();
            start();
            long before = counts.exchanges();
            long lost = counts.unrecorded(Unrecorded.TOO_LARGE);
            client(longQuery("SELECT"));
            server(row("2"), tag("SELECT 1"), tag(tag), ready('I'));
            client(new PgWriter().string("SELECT 2").toMessage('Q'));
            server(row("2"), tag("SELECT 1"), ready('I'));
            boolean followed = "SELECT 1, INSERT 0 1, CREATE TABLE".contains(tag) && !tag.isEmpty();
            assertThat(counts.exchanges() - before).as(tag).isEqualTo(followed ? 2 : 0);
            assertThat(counts.unrecorded(Unrecorded.TOO_LARGE) - lost).as(tag).isEqualTo(followed ? 0 : 1);
        }
    }

    @Test
    void longText_thatIsNotAboutData_endsTheRecording() {
        for (String verb : new String[] {"SET x TO", "BEGIN; SELECT", "/*" + " ".repeat(5000) + "*/ SELECT", "COPY"}) {
            open();
            start();
            long lost = counts.unrecorded(Unrecorded.TOO_LARGE);
            client(longQuery(verb));
            server(tag("SELECT 1"), ready('I'));
            client(new PgWriter().string("SELECT 2").toMessage('Q'));
            server(row("2"), tag("SELECT 1"), ready('I'));
            assertThat(counts.unrecorded(Unrecorded.TOO_LARGE) - lost).as(verb).isEqualTo(1);
        }
        assertThat(counts.exchanges()).isZero();
    }

    private static PgMessage longQuery(String verb) {
        return new PgWriter().string(verb + " '" + "x".repeat(LARGEST) + "'").toMessage('Q');
    }

    @Test
    void failedTransactionsRefusals_areNotRecorded() {
        start();
        client(new PgWriter().string("BEGIN").toMessage('Q'));
        server(tag("BEGIN"), ready('T'));
        client(parse("SELECT 1/0"), bind(), execute(), SYNC);
        server(message('1'), message('2'), PgErrors.error("22012", "division by zero", null, null), ready('E'));
        client(parse("SELECT 2"), bind(), execute(), SYNC);
        server(PgErrors.error(PgErrors.IN_FAILED_TRANSACTION, "aborted", null, null), ready('E'));
        client(new PgWriter().string("SELECT 2").toMessage('Q'));
        server(PgErrors.error(PgErrors.IN_FAILED_TRANSACTION, "aborted", null, null), ready('E'));

        assertThat(counts.exchanges()).isEqualTo(1);
    }

    @Test
    void errorSkipsToTheNextSync_andTheRestIsInStep() {
        start();
        client(parse("SELECT 1/0"), bind(), execute(), parse("SELECT 3"), bind(), execute());
        server(message('1'), message('2'), PgErrors.error("22012", "division by zero", null, null));
        client(parse("SELECT 4"), bind(), execute(), SYNC, parse("SELECT 5"), bind(), execute(), SYNC);
        server(ready('I'), message('1'), message('2'), row("5"), tag("SELECT 1"), ready('I'));

        assertThat(counts.exchanges()).isEqualTo(2);
        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isZero();
    }

    @Test
    void connectionLostInMidReply_isIncomplete() {
        start();
        client(parse("SELECT 2"), bind(), execute(), SYNC);
        server(message('1'), message('2'), row("2"));
        recorder.closed(0);

        assertThat(counts.unrecorded(Unrecorded.INCOMPLETE)).isEqualTo(1);
    }

    @Test
    void anyBytes_throwNothing() {
        for (int i = 0; i < 3000; i++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            open();
            try {
                start();
                for (int j = random.nextInt(30); j > 0; j--) {
                    if (random.nextBoolean()) {
                        client(random(random, "PBDECSHQFdcfpX"));
                    } else {
                        server(random(random, "123ACDEGHIKNRSTVWZdcnst"));
                    }
                }
                recorder.closed(0);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isPositive();
    }

    @Test
    void anyBytes_throwNothing_andLeaveNothingInFiles_whereRowsAreTooLong(@TempDir Path folder) throws Exception {
        MemoryBudget memory = new MemoryBudget(64 << 20, null);
        try (LargeBodies files = LargeBodies.open(folder, UnpooledByteBufAllocator.DEFAULT, 64 << 20, 1, memory)) {
            for (int i = 0; i < 1500 || (files.begun() == 0 && i < 50_000); i++) {
                long seed = new Random().nextLong();
                Random random = new Random(seed);
                open(files, 200);
                try {
                    start();
                    for (int j = random.nextInt(30); j > 0; j--) {
                        if (random.nextInt(9) == 0) {
                            client(random.nextBoolean() ? longQuery("SELECT") : parse("SELECT" + " ".repeat(300)));
                        } else if (random.nextInt(3) == 0) {
                            client(random(random, "PBDECSHQFd"));
                        } else {
                            PgMessage message = random(random, "12DDDCETZHdddcns");
                            boolean mutated = random.nextInt(4) == 0;
                            server(mutated ? new PgMessage(message.type(), new byte[random.nextInt(800)]) : message);
                        }
                    }
                    recorder.closed(0);
                } catch (RuntimeException e) {
                    throw new AssertionError("seed " + seed, e);
                }
            }
            assertThat(files.begun()).isPositive();
            now.set(Duration.ofHours(2).toNanos());
            journal.expire();
            long begun = System.nanoTime();
            while (files.used() > 0 || memory.used() > 0) {
                assertThat(System.nanoTime() - begun).as("nanoseconds waited").isLessThan(30_000_000_000L);
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** Often a message that makes sense, so that the dialogue gets anywhere. */
    private static PgMessage random(Random random, String types) {
        char type = types.charAt(random.nextInt(types.length()));
        if (random.nextInt(4) == 0) {
            byte[] body = new byte[random.nextInt(12)];
            random.nextBytes(body);
            return new PgMessage(type, body);
        }
        return switch (type) {
            case 'P' -> parse("SELECT " + random.nextInt(3));
            case 'B' -> bind();
            case 'E' -> types.startsWith("P") ? execute() : PgErrors.error("22012", "x", null, null);
            case 'Q' -> new PgWriter().string("BEGIN; SELECT 1").toMessage('Q');
            case 'Z' -> ready("ITE".charAt(random.nextInt(3)));
            case 'C' ->
                types.startsWith("P") ? new PgWriter().int8('S').string("").toMessage('C') : tag("COMMIT");
            case 'D' ->
                types.startsWith("P") ? new PgWriter().int8('P').string("").toMessage('D') : row("x");
            default -> new PgMessage(type, new byte[0]);
        };
    }

    private void start() {
        byte[] startup =
                new PgWriter().int32(3 << 16).string("user").string("u").int8(0).toBytes();
        request(new PgWriter().int32(startup.length + 4).bytes(startup).toBytes());
        server(new PgWriter().int32(0).toMessage('R'), ready('I'));
    }

    private void client(PgMessage... messages) {
        for (PgMessage message : messages) {
            ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
            message.writeTo(bytes);
            request(bytes.array());
        }
    }

    private void request(byte[] bytes) {
        recorder.request(ByteBuffer.wrap(bytes), 0);
    }

    private void server(PgMessage... messages) {
        for (PgMessage message : messages) {
            ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
            message.writeTo(bytes);
            recorder.reply(bytes.flip(), 0);
        }
    }

    private static PgMessage parse(String sql) {
        return new PgWriter().string("").string(sql).int16(0).toMessage('P');
    }

    private static PgMessage bind() {
        return new PgWriter().string("").string("").int16(0).int16(0).int16(0).toMessage('B');
    }

    private static PgMessage execute() {
        return execute(0);
    }

    private static PgMessage execute(int rows) {
        return new PgWriter().string("").int32(rows).toMessage('E');
    }

    private static PgMessage message(char type) {
        return new PgMessage(type, new byte[0]);
    }

    private static PgMessage row(String value) {
        return new PgWriter()
                .int16(1)
                .value(value.getBytes(StandardCharsets.UTF_8))
                .toMessage('D');
    }

    private static PgMessage tag(String tag) {
        return new PgWriter().string(tag).toMessage('C');
    }

    private static PgMessage ready(char status) {
        return new PgMessage('Z', new byte[] {(byte) status});
    }
}
