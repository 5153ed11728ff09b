package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.aggregator.postgres.exchange.PgReply;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What a recorder of PostgreSQL holds of a connection, and what any bytes can do to it. */
final class PgRecorderBoundsTest extends PgRecorderStage {
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
    void repliesThatWaitForTheirCommit_areHeld() {
        start();
        long before = recorder.heldBytes();
        for (int i = 0; i < 20; i++) {
            client(parse("SELECT " + (100 + i)), bind(), execute());
            server(message('1'), message('2'), row("x".repeat(3_000)), tag("SELECT 1"));
        }
        assertThat(recorder.heldBytes() - before).isGreaterThan(60_000);
        client(SYNC);
        server(ready('I'));
        assertThat(recorder.heldBytes() - before).isLessThan(20_000);
        assertThat(counts.exchanges()).isEqualTo(20);
    }

    @Test
    void statementsThatWereReplaced_areHeldUntilTheServerIsReady() {
        start();
        long before = recorder.heldBytes();
        for (int i = 0; i < 5; i++) {
            client(parse("SELECT " + i + "x".repeat(8_000)));
            server(message('1'));
        }
        assertThat(recorder.heldBytes() - before).isGreaterThan(80_000);
        client(SYNC);
        server(ready('I'));
        assertThat(recorder.heldBytes() - before).isLessThan(30_000);
    }

    @Test
    void names_areHeldWithTheirLength() {
        start();
        long before = recorder.heldBytes();
        String name = "n".repeat(4_000);
        client(new PgWriter().string(name).string("SELECT 1").int16(0).toMessage('P'));
        server(message('1'));
        client(new PgWriter()
                .string(name)
                .string(name)
                .int16(0)
                .int16(0)
                .int16(0)
                .toMessage('B'));
        server(message('2'));
        assertThat(recorder.heldBytes() - before).isGreaterThan(16_000);
        client(new PgWriter().int8('P').string(name).toMessage('C'));
        client(new PgWriter().int8('S').string(name).toMessage('C'), SYNC);
        server(message('3'), message('3'), ready('I'));
        assertThat(recorder.heldBytes() - before).isLessThan(9_000);
    }

    @Test
    void parametersWithoutEnd_endTheRecording() {
        start();
        for (int i = 0; i < 5_000; i++) {
            server(new PgWriter().string("application_name").string("a" + i).toMessage('S'));
        }
        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isZero();
        for (int i = 0; i < 600; i++) {
            server(new PgWriter().string("p" + i).string("v").toMessage('S'));
        }
        assertThat(counts.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
    }

    @Test
    void connectionWithMoreStateThanThereIsRoomFor_isGivenUp_andItsStateFreed() {
        MemoryBudget lanes = new MemoryBudget(50_000, null);
        Recording<PgReply> recording = new Recording<>(
                "test", 1, journal, counts, LARGEST, CallPolicy.of(new MissPolicy(Duration.ZERO, Miss.FAIL)), outgoing);
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

    private static byte[] wire(PgMessage message) {
        ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
        message.writeTo(bytes);
        return bytes.array();
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
}
