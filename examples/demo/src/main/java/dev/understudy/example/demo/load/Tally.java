package dev.understudy.example.demo.load;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** What one client, or all of them together, asked for and got. Confined to a thread until the client is done. */
public final class Tally {
    private static final int KEPT_FAILURES = 20;
    private static final long LONGEST_MICROS = 600_000_000;

    /** What the clients' successful requests must have done to the upstreams. */
    public enum Effect {
        ORDERS,
        ORDER_LINES,
        ORDER_CENTS,
        PIECES,
        STOCK_UPDATES,
        ATTACHMENTS,
        ATTACHMENT_BYTES,
        CACHE_READS,
        VIEWS,
        RECENT_READS,
        PRICES,
        BROKEN_QUOTES
    }

    private final Histogram micros = new Histogram(LONGEST_MICROS, 3);
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final Map<Effect, Long> effects = new EnumMap<>(Effect.class);
    private final List<String> failures = new ArrayList<>();
    private long failed;
    private long sent;
    private long received;

    void answered(int status, long nanos) {
        statuses.merge(status, 1L, Long::sum);
        micros.recordValue(Math.min(nanos / 1_000, LONGEST_MICROS));
    }

    void effect(Effect effect, long amount) {
        effects.merge(effect, amount, Long::sum);
    }

    /** A wrong answer, or none. */
    void failure(String what) {
        failed++;
        if (failures.size() < KEPT_FAILURES) {
            failures.add(what);
        }
    }

    void transferred(long bytesSent, long bytesReceived) {
        sent += bytesSent;
        received += bytesReceived;
    }

    /** Counts what another one did, too. */
    public void add(Tally other) {
        micros.add(other.micros);
        other.statuses.forEach((status, count) -> statuses.merge(status, count, Long::sum));
        other.effects.forEach(this::effect);
        other.failures.stream().limit(KEPT_FAILURES - failures.size()).forEach(failures::add);
        failed += other.failed;
        transferred(other.sent, other.received);
    }

    /** Requests that were answered, rightly or wrongly. */
    public long answered() {
        return micros.getTotalCount();
    }

    public Map<Integer, Long> statuses() {
        return new TreeMap<>(statuses);
    }

    public long effect(Effect effect) {
        return effects.getOrDefault(effect, 0L);
    }

    public long failed() {
        return failed;
    }

    /** The first failures in words. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    public long sent() {
        return sent;
    }

    public long received() {
        return received;
    }

    /** A percentile of the clients' waiting times in milliseconds. */
    public double millis(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1_000.0;
    }
}
