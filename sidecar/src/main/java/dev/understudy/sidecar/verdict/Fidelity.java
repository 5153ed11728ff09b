package dev.understudy.sidecar.verdict;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How faithful the debug side is: which requests reached it whole, and what was lost from which one on.
 *
 * <p>Requests are numbered from 1 by their arrival at the listener; a connection's own statement uses the same numbers.
 * Bytes without frames (protocol {@code tcp}, or a connection that degraded to it) count as bytes only. Safe for use by
 * several threads; guarded by {@code this}, and a connection's before its listener's.
 */
public final class Fidelity {
    private final @Nullable Fidelity whole;
    private final @Nullable CopyState state;
    private final Map<String, Long> lostBytes = new TreeMap<>();
    private long arrived;
    private long delivered;
    private long lost;
    private long firstLost;
    private long rawDelivered;
    private long holes;
    private volatile Supplier<TapGaps> gaps = () -> TapGaps.NONE;

    /** That of a listener, whose debug JVM began with nobody knows what. */
    public Fidelity() {
        this(null, null);
    }

    /** That of a listener. */
    public Fidelity(@Nullable CopyState state) {
        this(null, state);
    }

    private Fidelity(@Nullable Fidelity whole, @Nullable CopyState state) {
        this.whole = whole;
        this.state = state;
    }

    /** That of one connection; what it is told counts for the listener, too. */
    public Fidelity ofConnection() {
        return new Fidelity(this, state);
    }

    /** From here on the statement has these gaps, too; a connection's hasn't. Any thread. */
    public void follow(Supplier<TapGaps> current) {
        gaps = current;
    }

    /** With how much of production's state the debug JVM began; null if nobody knows. */
    public @Nullable CopyState state() {
        return state;
    }

    /** A request arrived; gives its number. */
    public synchronized long arrived() {
        arrived++;
        return whole == null ? arrived : whole.arrived();
    }

    /** A request reached the debug JVM whole. */
    public synchronized void delivered() {
        delivered++;
        if (whole != null) {
            whole.delivered();
        }
    }

    /** The request with that number won't reach the debug JVM whole. */
    public synchronized void lost(long number, String reason) {
        lost++;
        if (firstLost == 0 || number < firstLost) {
            firstLost = number;
        }
        lostBytes.merge(reason, 0L, Long::sum);
        if (whole != null) {
            whole.lost(number, reason);
        }
    }

    /** A request that counted as delivered may not have been read. */
    public synchronized void retracted(long number, String reason) {
        retract();
        lost(number, reason);
    }

    private synchronized void retract() {
        delivered--;
        if (whole != null) {
            whole.retract();
        }
    }

    /** Bytes, framed or not, that won't reach the debug JVM. */
    public synchronized void lostBytes(long bytes, String reason) {
        lostBytes.merge(reason, bytes, Long::sum);
        if (whole != null) {
            whole.lostBytes(bytes, reason);
        }
    }

    /** Bytes of a connection were lost before anybody framed them: requests among them are counted nowhere. */
    public synchronized void holed() {
        holes++;
        if (whole != null) {
            whole.holed();
        }
    }

    /** Bytes without frames reached the debug JVM. */
    public synchronized void rawDelivered(long bytes) {
        rawDelivered += bytes;
        if (whole != null) {
            whole.rawDelivered(bytes);
        }
    }

    /** Requests that won't reach the debug JVM whole. */
    public synchronized long lost() {
        return lost;
    }

    /** All of it at one moment. */
    public synchronized FidelityReading read() {
        return new FidelityReading(
                statement(),
                state,
                arrived,
                delivered,
                lost,
                firstLost == 0 ? null : firstLost - 1,
                holes,
                rawDelivered,
                new TreeMap<>(lostBytes),
                gaps.get());
    }

    /**
     * In one line: {@code faithful: 2000 of 2000 exchanges}, or {@code faithful up to exchange 812, lost 37 exchanges,
     * 1 204 331 bytes: OVERFLOW_LANE}; {@code lost at least} where there are holes. Where something is lacking that
     * no lane has counted, it begins with {@code not faithful: the lane process was started again 1 time; }. Before it
     * is {@code LIVE copy, }, or another state, if that is known.
     */
    public synchronized String statement() {
        return (state == null ? "" : state + " copy, ") + counted();
    }

    private String counted() {
        TapGaps missing = gaps.get();
        if (missing.any()) {
            return "not faithful: " + missing.statement() + exchanges();
        }
        return lost == 0 ? "faithful: " + exchanges() : "faithful up to exchange " + (firstLost - 1) + ", " + losses();
    }

    private String exchanges() {
        String exchanges = delivered + " of " + arrived + " exchanges";
        if (lost > 0) {
            return exchanges + ", " + losses();
        }
        if (!lostBytes.isEmpty()) {
            return exchanges + ", lost " + grouped(bytes()) + " unframed bytes: " + reasons();
        }
        return exchanges + (rawDelivered > 0 ? ", " + grouped(rawDelivered) + " unframed bytes" : "");
    }

    private String losses() {
        return (holes > 0 ? "lost at least " : "lost ") + lost + (lost == 1 ? " exchange, " : " exchanges, ")
                + grouped(bytes()) + " bytes: " + reasons();
    }

    private long bytes() {
        return lostBytes.values().stream().mapToLong(Long::longValue).sum();
    }

    private String reasons() {
        return String.join(", ", lostBytes.keySet());
    }

    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
    }
}
