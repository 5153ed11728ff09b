package dev.understudy.sidecar.suspect;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** In how many runs each predicate held, and in how many it would have been seen. Not for several threads. */
final class Tallies {
    private static final int SITES = Predicate.Site.COUNT;

    private final IntUnaryOperator siteOf;
    private int[] held = new int[0];
    private int[] seen = new int[0];
    private int[] notSeen = new int[0];
    private int[] calledInParts = new int[0];
    private long[] order = new long[0];
    private int runs;
    private int whole;

    /** @param siteOf where it is counted whether a method or branch was seen, by its number */
    Tallies(IntUnaryOperator siteOf) {
        this.siteOf = siteOf;
    }

    void add(Run run) {
        runs++;
        whole += run.whole ? 1 : 0;
        int[] sites = new int[run.held.length];
        int count = 0;
        for (int i = 0; i < run.held.length; i++) {
            int predicate = run.held[i];
            int method = predicate / Predicate.ROOM;
            room(method);
            held[predicate]++;
            order[predicate] += i;
            int site = Predicate.ALL[predicate % Predicate.ROOM].site;
            if (site != Predicate.Site.NONE) {
                sites[count++] = siteOf.applyAsInt(method) * SITES + site;
            } else if (!run.whole && predicate % Predicate.ROOM == 0) {
                calledInParts[method]++;
            }
        }
        Arrays.sort(sites, 0, count);
        for (int i = 0; i < count; i++) {
            if (i == 0 || sites[i] != sites[i - 1]) {
                seen[sites[i]]++;
            }
        }
        if (run.whole) {
            for (int method : run.closed) {
                room(method);
                notSeen[method]++;
            }
        }
    }

    int runs() {
        return runs;
    }

    /** The smallest number no predicate has. */
    int predicates() {
        return held.length;
    }

    /** In how many runs it was seen to hold. */
    int held(int predicate) {
        return predicate < held.length ? held[predicate] : 0;
    }

    /** In how many runs it was seen whether it holds. */
    int observed(int predicate) {
        int method = predicate / Predicate.ROOM;
        Predicate kind = Predicate.ALL[predicate % Predicate.ROOM];
        boolean known = predicate < held.length;
        if (kind == Predicate.CALLED) {
            return known ? whole - notSeen[method] + calledInParts[method] : whole;
        }
        if (!known) {
            return 0;
        }
        return kind.site == Predicate.Site.NONE
                ? held[method * Predicate.ROOM]
                : seen[siteOf.applyAsInt(method) * SITES + kind.site];
    }

    /** How many others had come true before it, on average. */
    double order(int predicate) {
        return (double) order[predicate] / Math.max(1, held[predicate]);
    }

    private void room(int method) {
        if (notSeen.length <= method) {
            int methods = Math.max(method + 1, notSeen.length * 3 / 2);
            held = Arrays.copyOf(held, methods * Predicate.ROOM);
            order = Arrays.copyOf(order, methods * Predicate.ROOM);
            seen = Arrays.copyOf(seen, methods * SITES);
            notSeen = Arrays.copyOf(notSeen, methods);
            calledInParts = Arrays.copyOf(calledInParts, methods);
        }
    }
}
