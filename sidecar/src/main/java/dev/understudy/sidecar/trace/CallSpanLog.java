package dev.understudy.sidecar.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest spans that agents reported, of all exchanges: at most {@value #MOST}, which need 2 MiB, and 9 MiB if each
 * has a long name of its own. Guarded by {@code this}.
 */
public final class CallSpanLog {
    static final int MOST = 16_384;

    private static final int MOST_NAMES = 4_096;
    private static final int TRACE_DIGITS = 32;

    private final @Nullable CallSpan[] ring = new CallSpan[MOST];
    private final Map<String, String> names = new HashMap<>();
    private int next;

    /** Keeps one in the place of the oldest. */
    public synchronized void add(CallSpan span) {
        ring[next] = new CallSpan(
                span.traceHigh(),
                span.traceLow(),
                span.id(),
                span.parent(),
                once(span.name()),
                span.begunNanos(),
                span.endedNanos(),
                once(span.thrown()));
        next = (next + 1) % MOST;
    }

    /** Names are the same again and again: each is kept once, as long as there are few. */
    private String once(String name) {
        if (names.size() >= MOST_NAMES) {
            names.clear();
        }
        String known = names.putIfAbsent(name, name);
        return known == null ? name : known;
    }

    /**
     * Those of a trace, as they began.
     *
     * @param trace its id, 32 hexadecimal digits
     */
    public List<CallSpan> of(String trace) {
        if (trace.length() != TRACE_DIGITS) {
            return List.of();
        }
        long high = HexFormat.fromHexDigitsToLong(trace, 0, TRACE_DIGITS / 2);
        long low = HexFormat.fromHexDigitsToLong(trace, TRACE_DIGITS / 2, TRACE_DIGITS);
        List<CallSpan> found = new ArrayList<>();
        synchronized (this) {
            for (CallSpan span : ring) {
                if (span != null && span.traceHigh() == high && span.traceLow() == low) {
                    found.add(span);
                }
            }
        }
        found.sort(Comparator.comparingLong(CallSpan::begunNanos)
                .thenComparing(Comparator.comparingLong(CallSpan::endedNanos).reversed()));
        return found;
    }
}
