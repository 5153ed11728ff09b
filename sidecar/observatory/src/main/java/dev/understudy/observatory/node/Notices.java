package dev.understudy.observatory.node;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Messages for who started the sampler, few of them however long it runs: each text once, or one of a kind a minute.
 *
 * <p>One thread.
 */
final class Notices {
    private static final long MINUTE = 60_000_000_000L;
    private static final int MOST_TEXTS = 200;

    private final PrintWriter out;
    private final LongSupplier nanos;
    private final Set<String> texts = new HashSet<>();
    private final Map<Kind, Long> lastOfKind = new HashMap<>();
    private final Map<Kind, Integer> unprinted = new HashMap<>();

    /** What comes again and again. */
    enum Kind {
        WRITE,
        PROCESS,
        CLOCK,
        COST
    }

    Notices(PrintWriter out, LongSupplier nanos) {
        this.out = out;
        this.nanos = nanos;
    }

    /** Prints a text unless it was printed before. */
    void once(String text) {
        if (texts.size() < MOST_TEXTS && texts.add(text)) {
            print(text);
        }
    }

    /** Prints a text unless one of its kind was printed within a minute. */
    void atTimes(Kind kind, String text) {
        long now = nanos.getAsLong();
        Long before = lastOfKind.get(kind);
        if (before != null && now - before < MINUTE) {
            unprinted.merge(kind, 1, Integer::sum);
            return;
        }
        lastOfKind.put(kind, now);
        Integer more = unprinted.remove(kind);
        print(text + (more == null ? "" : " (and " + more + " such messages before)"));
    }

    private void print(String text) {
        out.println("understudy node: " + text);
        out.flush();
    }
}
