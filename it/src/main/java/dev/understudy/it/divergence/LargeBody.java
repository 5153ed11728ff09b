package dev.understudy.it.divergence;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReplyCapture;
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
    public record Outcome(VerdictKind verdict, long heldBytes, double bytesPerSecond) {}

    /** What bodies consist of. */
    public enum Content {
        JSON(
                "application/json",
                "{\"at\":\"%s\",\"items\":[",
                "{\"sku\":\"A-4711\",\"name\":\"A lamp of some kind\",\"price\":49.25,\"open\":true},",
                "%d]}"),
        XML(
                "application/xml",
                "<items at=\"%s\">",
                "<item sku=\"A-4711\"><name>A lamp of some kind</name><price>49.25</price></item>\n",
                "%d</items>"),
        CSV("text/csv", "at,%s\n", "A-4711,A lamp of some kind,49.25,2024-02-29T10:00:00Z,true\n", "%d\n");

        private final String type;
        private final String begin;
        private final String item;
        private final String end;

        Content(String type, String begin, String item, String end) {
            this.type = type;
            this.begin = begin;
            this.item = item;
            this.end = end;
        }
    }

    /**
     * Streams two bodies.
     *
     * @param bytes of each, at least
     * @param noise whether they begin with the time of their own exchange
     * @param differing whether the last value differs
     */
    public static Outcome compare(Content content, long bytes, boolean noise, boolean differing) {
        Instant begun = Instant.now();
        HttpReplyCapture ours = new HttpReplyCapture(KEPT);
        HttpReplyCapture theirs = new HttpReplyCapture(KEPT);
        HttpReplyFramer production = new HttpReplyFramer(ours);
        HttpReplyFramer debug = new HttpReplyFramer(theirs);
        byte[] piece = content.item.repeat(PIECE / 70).getBytes(StandardCharsets.US_ASCII);
        long pieces = bytes / piece.length + 1;
        byte[] first = begin(content, begun, pieces * piece.length);
        production.feed(ByteBuffer.wrap(first));
        debug.feed(ByteBuffer.wrap(noise ? begin(content, begun.plusMillis(1), pieces * piece.length) : first));
        long held = 0;
        long nanos = cpuTime();
        for (long i = 0; i < pieces; i++) {
            production.feed(ByteBuffer.wrap(piece));
            debug.feed(ByteBuffer.wrap(piece));
            held = Math.max(held, ours.heldBytes() + theirs.heldBytes());
        }
        production.feed(ByteBuffer.wrap(end(content, 1)));
        debug.feed(ByteBuffer.wrap(end(content, differing ? 2 : 1)));
        double seconds = (cpuTime() - nanos) / 1e9;
        VerdictKind verdict = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(10))
                .compare(ours.finish(begun, Instant.now()), theirs.finish(begun, Instant.now()))
                .kind();
        return new Outcome(verdict, held, 2 * pieces * piece.length / seconds);
    }

    private static long cpuTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static byte[] begin(Content content, Instant at, long rest) {
        String time = at.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC).format(MILLIS);
        String body = content.begin.formatted(time);
        long length = body.length() + rest + end(content, 1).length;
        String head = "HTTP/1.1 200 OK\r\nContent-Type: " + content.type + "\r\nContent-Length: " + length + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] end(Content content, int last) {
        return content.end.formatted(last).getBytes(StandardCharsets.US_ASCII);
    }
}
