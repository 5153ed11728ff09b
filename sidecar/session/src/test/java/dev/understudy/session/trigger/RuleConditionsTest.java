package dev.understudy.session.trigger;

import dev.understudy.relay.stream.BlockWriter;
import dev.understudy.relay.stream.RecordingWriter;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.session.trigger.RuleBook.Firing;
import dev.understudy.session.trigger.RuleCondition.BodyText;
import dev.understudy.session.trigger.RuleCondition.ErrorShare;
import dev.understudy.session.trigger.RuleCondition.LatencyLimit;
import dev.understudy.session.trigger.RuleCondition.LogRate;
import dev.understudy.session.trigger.RuleCondition.Schedule;
import dev.understudy.session.trigger.RuleCondition.StatusCount;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class RuleConditionsTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    private final HandClock clock = new HandClock();
    private RecordingWriter recording;
    private Path file;
    private long now = System.nanoTime();

    @BeforeEach
    void record() throws Exception {
        file = folder.resolve("port-1.understudy");
        recording = RecordingWriter.create(file, 1 << 20);
    }

    @AfterEach
    void close() {
        recording.close();
    }

    @Test
    void errors_fireFromTheirShareOn_andOnlyOfEnoughReplies() throws Exception {
        RuleBook book = book(new ErrorShare(0.5, 4));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            exchange(500, "", 1);
            exchange(500, "", 1);
            exchange(200, "", 1);
            assertThat(fired(conditions, book)).isEmpty();

            exchange(200, "", 1);
            assertThat(fired(conditions, book)).isEqualTo("2 of 4 replies have a status from 500 on");
        }
    }

    @Test
    void whatIsOlderThanItsTime_saysNothing() throws Exception {
        RuleBook book = book(new StatusCount(503, 2));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            exchange(503, "", 1);
            now += 61 * SECOND;
            exchange(503, "", 1);
            assertThat(fired(conditions, book)).isEmpty();

            exchange(503, "", 1);
            assertThat(fired(conditions, book)).isEqualTo("2 replies have the status 503");
        }
    }

    @Test
    void whatACopyWasMadeOf_firesNoFurther() throws Exception {
        RuleBook book = book(new StatusCount(503, 1));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            exchange(503, "", 1);
            assertThat(fired(conditions, book)).isNotEmpty();
            book.done();
            now += SECOND;
            conditions.forget(now);
            clock.pass(Duration.ofHours(1));

            assertThat(fired(conditions, book)).isEmpty();
        }
    }

    @Test
    void latency_isThatOfThePercentile() throws Exception {
        RuleBook book = book(new LatencyLimit(90, Duration.ofMillis(100), 10));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            for (int n = 0; n < 9; n++) {
                exchange(200, "", 10);
            }
            exchange(200, "", 900);
            assertThat(fired(conditions, book)).isEmpty();

            exchange(200, "", 150);
            assertThat(fired(conditions, book)).isEqualTo("p90.0 of latency is 150 ms");
        }
    }

    @Test
    void texts_areFoundInTheBodyOnly_alsoWhereItComesInPieces() throws Exception {
        RuleBook book = book(new BodyText("exhausted", 1));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            exchange(200, "exhaust", 1);
            assertThat(fired(conditions, book)).isEmpty();

            exchange(200, "the pool is exhausted", 1);
            assertThat(fired(conditions, book)).isEqualTo("1 replies have the text");
        }
    }

    @Test
    void damagedRecordings_areReadUpToTheDamage() throws Exception {
        RuleBook book = book(new StatusCount(503, 1));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            exchange(503, "", 1);
            Files.write(file, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
            assertThat(fired(conditions, book)).isNotEmpty();
            conditions.look(List.of(folder.resolve("none"), Files.write(folder.resolve("zero"), new byte[99])), now);
        }
    }

    @Test
    void logs_areFollowedFromTheirEnd_throughRotationAndCut() throws Exception {
        Path log = Files.writeString(folder.resolve("shop.log"), "OutOfMemoryError\n");
        RuleBook book = book(new LogRate(log, "OutOfMemoryError", 3));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            Files.writeString(log, "OutOfMemoryError\nother\n", StandardOpenOption.APPEND);
            assertThat(fired(conditions, book)).isEmpty();

            Files.writeString(log, "OutOfMemoryError\n", StandardOpenOption.APPEND);
            Files.move(log, folder.resolve("shop.log.1"));
            Files.writeString(log, "java.lang.OutOfMem");
            assertThat(fired(conditions, book)).isEmpty();
            Files.writeString(log, "oryError\n", StandardOpenOption.APPEND);
            assertThat(fired(conditions, book)).isEqualTo("3 lines of shop.log with the text");

            book.done();
            conditions.forget(now);
            clock.pass(Duration.ofHours(1));
            Files.writeString(log, "", StandardOpenOption.TRUNCATE_EXISTING);
            assertThat(fired(conditions, book)).isEmpty();
            Files.writeString(log, "OutOfMemoryError\n".repeat(3));
            assertThat(fired(conditions, book)).isNotEmpty();
        }
    }

    @Test
    void logsThatGrowTooFast_areReadAtTheirEnd() throws Exception {
        Path log = Files.createFile(folder.resolve("fast.log"));
        RuleBook book = book(new LogRate(log, "last", 1));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            Files.write(log, new byte[2 * LogTail.AT_ONCE]);
            Files.writeString(log, "\nlast\n", StandardOpenOption.APPEND);

            assertThat(fired(conditions, book)).isNotEmpty();
        }
    }

    @Test
    void schedules_fireAtTheirTime_andOncePerTime() throws Exception {
        RuleBook book = book(new Schedule(LocalTime.of(3, 0), null));
        try (RuleConditions conditions = new RuleConditions(book, clock, now)) {
            assertThat(fired(conditions, book)).isEmpty();
            clock.pass(Duration.ofHours(3));
            assertThat(fired(conditions, book)).isEqualTo("it is time");
            book.done();
            clock.pass(Duration.ofHours(1));
            assertThat(fired(conditions, book)).isEmpty();
            clock.pass(Duration.ofHours(23));
            assertThat(fired(conditions, book)).isEqualTo("it is time");
        }
    }

    @Test
    void coolDownAndCap_holdRulesBack() {
        TriggerRule rule =
                new TriggerRule("a", new StatusCount(500, 1), Duration.ofMinutes(1), Duration.ofMinutes(30), 2);
        RuleBook book = new RuleBook(List.of(rule), clock);

        assertThat(book.fire(rule, "one")).isEmpty();
        assertThat(book.fire(rule, "while it waits")).isEqualTo("a copy is observed already");
        assertThat(book.take()).isPresent();
        assertThat(book.fire(rule, "while it runs")).isEqualTo("a copy is observed already");
        book.done();
        assertThat(book.fire(rule, "soon")).startsWith("cool-down until 2026-01-01T00:30");
        clock.pass(Duration.ofMinutes(30));
        assertThat(book.fire(rule, "two")).isEmpty();
        assertThat(book.take()).isPresent();
        book.done();
        clock.pass(Duration.ofHours(1));
        assertThat(book.fire(rule, "three")).isEqualTo("fired 2 times today already");
        clock.pass(Duration.ofHours(23));
        assertThat(book.fire(rule, "tomorrow")).isEmpty();
    }

    private String fired(RuleConditions conditions, RuleBook book) {
        conditions.look(List.of(file), now);
        return book.take().map(Firing::why).orElse("");
    }

    private RuleBook book(RuleCondition condition) {
        return new RuleBook(
                List.of(new TriggerRule("a", condition, Duration.ofMinutes(1), Duration.ofMinutes(30), 3)), clock);
    }

    /** One on a connection of its own. */
    private void exchange(int status, String body, long millis) throws Exception {
        BlockWriter block = new BlockWriter(ByteBufAllocator.DEFAULT, now, 64 << 10);
        add(block, StreamEvent.REQUEST, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
        now += millis * 1_000_000;
        String head = "HTTP/1.1 " + status + " x\r\nContent-Length: " + body.length() + "\r\nX: exhausted\r\n\r\n";
        add(block, StreamEvent.REPLY, head + body.substring(0, body.length() / 2));
        add(block, StreamEvent.REPLY, body.substring(body.length() / 2));
        CountDownLatch written = new CountDownLatch(1);
        recording.append(block.finish(), Runnable::run, written::countDown);
        written.await();
    }

    private void add(BlockWriter block, StreamEvent event, String text) {
        ByteBuf bytes = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        block.add(event, now, bytes, bytes.readableBytes());
        bytes.release();
    }

    private static final class HandClock extends Clock {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
