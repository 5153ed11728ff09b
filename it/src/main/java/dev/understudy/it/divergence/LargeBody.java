package dev.understudy.it.divergence;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.HttpComparison;
import dev.understudy.divergence.compare.HttpReplyCapture;
import dev.understudy.divergence.compare.Kind;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.HttpReplyFramer;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Two replies with a body far beyond what is kept of it, compared as they arrive. */
public final class LargeBody {
    private static final int PIECE = 64 << 10;
    private static final int KEPT = 1 << 20;
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT);

    private LargeBody() {}

    /**
     * What came of it.
     *
     * @param heldBytes the most that both captures held
     * @param bytesPerSecond of both sides together, per second of CPU time
     */
    public record Outcome(Kind verdict, long heldBytes, double bytesPerSecond) {}

    /**
     * Streams two JSON bodies.
     *
     * @param bytes of each, at least
     * @param noise whether they begin with the time of their own exchange
     * @param differing whether the last value differs
     */
    public static Outcome compare(long bytes, boolean noise, boolean differing) {
        Instant begun = Instant.now();
        HttpReplyCapture ours = new HttpReplyCapture(KEPT);
        HttpReplyCapture theirs = new HttpReplyCapture(KEPT);
        HttpReplyFramer production = new HttpReplyFramer(ours);
        HttpReplyFramer debug = new HttpReplyFramer(theirs);
        byte[] piece = "{\"sku\":\"A-4711\",\"name\":\"A lamp of some kind\",\"price\":49.25,\"open\":true},"
                .repeat(PIECE / 70)
                .getBytes(StandardCharsets.US_ASCII);
        long pieces = bytes / piece.length + 1;
        byte[] first = begin(begun, pieces * piece.length);
        production.feed(ByteBuffer.wrap(first));
        debug.feed(ByteBuffer.wrap(noise ? begin(begun.plusMillis(1), pieces * piece.length) : first));
        long held = 0;
        long nanos = cpuTime();
        for (long i = 0; i < pieces; i++) {
            production.feed(ByteBuffer.wrap(piece));
            debug.feed(ByteBuffer.wrap(piece));
            held = Math.max(held, ours.heldBytes() + theirs.heldBytes());
        }
        production.feed(ByteBuffer.wrap(new byte[] {'1', ']', '}'}));
        debug.feed(ByteBuffer.wrap(new byte[] {(byte) (differing ? '2' : '1'), ']', '}'}));
        double seconds = (cpuTime() - nanos) / 1e9;
        Kind verdict = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(10))
                .compare(ours.finish(begun, Instant.now()), theirs.finish(begun, Instant.now()))
                .kind();
        return new Outcome(verdict, held, 2 * pieces * piece.length / seconds);
    }

    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static byte[] begin(Instant at, long rest) {
        String body = "{\"at\":\""
                + at.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC).format(MILLIS) + "\",\"items\":[";
        String head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + (body.length() + rest + 3);
        return (head + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII);
    }
}
