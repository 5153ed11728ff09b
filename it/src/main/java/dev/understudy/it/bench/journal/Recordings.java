package dev.understudy.it.bench.journal;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.h2.HttpVersions;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.aggregator.postgres.Postgres;
import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.RecordCounts;
import dev.understudy.aggregator.record.Recorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.redis.Redis;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.sql.SqlSpelling;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Fills a journal by what its recorder makes of bytes, and measures what that takes. */
public final class Recordings {
    /** What production may say to an upstream. */
    public static final List<Kind> KINDS = List.of(
            new Kind("Redis GET, value of 20 bytes", number -> redis(number, 20)),
            new Kind("Redis GET, value of 1 000 bytes", number -> redis(number, 1_000)),
            new Kind("HTTP GET, JSON of 300 bytes", number -> http(number, 300)),
            new Kind("HTTP GET, JSON of 4 000 bytes", number -> http(number, 4_000)),
            new Kind("PostgreSQL simple query, 1 row of 3 columns", number -> PgWire.simple(number, 1)),
            new Kind("PostgreSQL prepared statement, 1 row of 3 columns", number -> PgWire.prepared(number, 1)),
            new Kind("PostgreSQL prepared statement, 20 rows of 3 columns", number -> PgWire.prepared(number, 20)));

    private static final CallPolicy NO_RULES = CallPolicy.of(new MissPolicy(Duration.ZERO, Miss.FAIL));
    private static final int COLLECTIONS = 3;
    private static final int FIRST = 60_000;

    private Recordings() {}

    /** A kind of exchange. */
    public record Kind(String name, Said said) {}

    /** What the n-th exchange is. */
    @FunctionalInterface
    interface Said {
        Exchange at(int number);
    }

    /** Bytes of a request and its reply. */
    record Exchange(byte[] request, byte[] reply) {}

    /** Bytes of one exchange, on the wire and in the heap. */
    public record Recorded(double wireBytes, double heapBytes) {}

    /** Records so many exchanges, of which no two or all are equal. */
    public static Recorded measure(Kind kind, boolean different, int exchanges) {
        String name = kind.name();
        if (name.startsWith("Redis")) {
            return measure(
                    new Redis(1 << 20, Duration.ofDays(1), RedisRule.DEFAULT).recorder(), kind, different, exchanges);
        }
        return name.startsWith("HTTP")
                ? Recordings.<HttpAnswer>measure(HttpVersions.recorder(FormRule.DEFAULT), kind, different, exchanges)
                : measure(
                        new Postgres(SqlSpelling.MEANING, Duration.ofHours(1)).recorder(), kind, different, exchanges);
    }

    private static <R extends RecordedReply> Recorded measure(
            Recorder<R> protocol, Kind kind, boolean different, int exchanges) {
        Journal<R> journal = new Journal<>(
                new JournalBounds(1L << 40, Duration.ofDays(1), false), () -> 0, new InboundExchanges(() -> 0));
        OutgoingCalls outgoing = new OutgoingCalls(new InboundExchanges(() -> 0), () -> 0, (upstream, form) -> false);
        // what is remembered apart from the exchanges, and bounded, is full from the start
        fill(protocol, journal, outgoing, kind, number -> different ? -1 - number : 0, FIRST);
        long before = used();
        long wire = fill(protocol, journal, outgoing, kind, number -> different ? number : 0, exchanges);
        long after = used();
        if (journal.counts().unused() != exchanges + (long) FIRST) {
            throw new IllegalStateException(kind.name() + ": " + journal.counts());
        }
        return new Recorded((double) wire / exchanges, (double) (after - before) / exchanges);
    }

    /** On a connection of its own, of which nothing is left but what the journal holds; returns the bytes. */
    private static <R extends RecordedReply> long fill(
            Recorder<R> protocol,
            Journal<R> journal,
            OutgoingCalls outgoing,
            Kind kind,
            IntUnaryOperator numbers,
            int exchanges) {
        ConnectionRecorder recorder = protocol.open(
                new Recording<>("bench", 1, journal, new RecordCounts(), Integer.MAX_VALUE, NO_RULES, outgoing));
        if (kind.name().startsWith("PostgreSQL")) {
            say(recorder, PgWire.greeting(), 0);
        }
        long bytes = 0;
        for (int i = 0; i < exchanges; i++) {
            Exchange exchange = kind.said().at(numbers.applyAsInt(i));
            bytes += exchange.request().length + exchange.reply().length;
            say(recorder, exchange, i * 10_000L);
        }
        return bytes;
    }

    private static void say(ConnectionRecorder recorder, Exchange exchange, long nanos) {
        recorder.request(ByteBuffer.wrap(exchange.request()), nanos);
        recorder.reply(ByteBuffer.wrap(exchange.reply()), nanos + 5_000);
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static Exchange redis(int number, int length) {
        String key = "order:%08d".formatted(Math.abs(number)) + (number < 0 ? "x" : "");
        return new Exchange(
                ascii("*2\r\n$3\r\nGET\r\n$%d\r\n%s\r\n".formatted(key.length(), key)),
                ascii("$%d\r\n%s\r\n".formatted(length, "v".repeat(length))));
    }

    private static Exchange http(int number, int length) {
        return new Exchange(ascii("""
                        GET /price/%08d?currency=EUR%s HTTP/1.1\r
                        Host: pricing.internal:8080\r
                        Accept: application/json\r
                        User-Agent: Java-http-client/17.0.15\r
                        \r
                        """.formatted(Math.abs(number), number < 0 ? "x" : "")), ascii("""
                        HTTP/1.1 200 OK\r
                        Date: Sat, 21 Nov 2026 12:00:00 GMT\r
                        Content-Type: application/json\r
                        Content-Length: %d\r
                        \r
                        %s""".formatted(
                        length, "j".repeat(length))));
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
