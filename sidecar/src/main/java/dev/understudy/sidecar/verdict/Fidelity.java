package dev.understudy.sidecar.verdict;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How faithful the debug side is: which requests reached it whole, and what was lost from which one on.
 *
 * <p>Requests are numbered from 1 by their arrival at the listener. Bytes without frames (protocol {@code tcp}, or a
 * connection that degraded to it) count as bytes only. Safe for use by several threads; guarded by {@code this}.
 */
public final class Fidelity {
    private final Map<String, Long> lostBytes = new TreeMap<>();
    private long arrived;
    private long delivered;
    private long lost;
    private long firstLost;
    private long rawDelivered;

    /** A request arrived; gives its number. */
    public synchronized long arrived() {
        return ++arrived;
    }

    /** A request reached the debug JVM whole. */
    public synchronized void delivered() {
        delivered++;
    }

    /** The request with that number won't reach the debug JVM whole. */
    public synchronized void lost(long number, String reason) {
        lost++;
        if (firstLost == 0 || number < firstLost) {
            firstLost = number;
        }
        lostBytes.merge(reason, 0L, Long::sum);
    }

    /** A request that counted as delivered may not have been read. */
    public synchronized void retracted(long number, String reason) {
        delivered--;
        lost(number, reason);
    }

    /** Bytes, framed or not, that won't reach the debug JVM. */
    public synchronized void lostBytes(long bytes, String reason) {
        lostBytes.merge(reason, bytes, Long::sum);
    }

    /** Bytes without frames reached the debug JVM. */
    public synchronized void rawDelivered(long bytes) {
        rawDelivered += bytes;
    }

    /** Requests that won't reach the debug JVM whole. */
    public synchronized long lost() {
        return lost;
    }

    /**
     * In one line: {@code faithful: 2000 of 2000 exchanges}, or {@code faithful up to exchange 812, lost 37 exchanges,
     * 1 204 331 bytes: OVERFLOW_LANE}.
     */
    public synchronized String statement() {
        if (lostBytes.isEmpty()) {
            String raw = rawDelivered > 0 ? ", " + grouped(rawDelivered) + " unframed bytes" : "";
            return "faithful: " + delivered + " of " + arrived + " exchanges" + raw;
        }
        long bytes = lostBytes.values().stream().mapToLong(Long::longValue).sum();
        String reasons = String.join(", ", lostBytes.keySet());
        if (lost == 0) {
            return "faithful: " + delivered + " of " + arrived + " exchanges, lost " + grouped(bytes)
                    + " unframed bytes: " + reasons;
        }
        return "faithful up to exchange " + (firstLost - 1) + ", lost " + lost
                + (lost == 1 ? " exchange, " : " exchanges, ") + grouped(bytes) + " bytes: " + reasons;
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
    }
}
