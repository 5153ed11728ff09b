package dev.understudy.sidecar.suspect;

import java.util.Arrays;
import java.util.TreeMap;

/** In how many runs each predicate held, and in how many it would have been seen. Not for several threads. */
final class Tallies {
    /** So many times are remembered, the latest ones. */
    static final int MOST_MARKS = 16;

    private static final int SITES = Predicate.Site.COUNT;

    private static final int[] NOTHING = {};

    private final Methods methods;
    private int[] held = new int[0];
    private int[] seen = new int[0];
    private int[] notSeen = new int[0];
    private int[] calledInParts = new int[0];
    private long[] order = new long[0];
    private final TreeMap<Integer, int[]> marks = new TreeMap<>();
    private int runs;
    private int whole;

    /** @param methods what the numbers stand for */
    Tallies(Methods methods) {
        this.methods = methods;
    }

    void add(Run run) {
        count(run, 1);
    }

    /** Takes back what was added. */
    void remove(Run run) {
        count(run, -1);
    }

    private void count(Run run, int by) {
        runs += by;
        whole += run.whole ? by : 0;
        int[] sites = new int[run.held.length];
        int count = 0;
        for (int i = 0; i < run.held.length; i++) {
            int predicate = run.held[i];
            int method = predicate / Predicate.ROOM;
            room(method);
            held[predicate] += by;
            order[predicate] += (long) by * i;
            int site = site(predicate);
            if (site >= 0) {
                sites[count++] = site;
            } else if (!run.whole && methods.kind(predicate) == Predicate.CALLED) {
                calledInParts[method] += by;
            }
        }
        Arrays.sort(sites, 0, count);
        for (int i = 0; i < count; i++) {
            if (i == 0 || sites[i] != sites[i - 1]) {
                seen[sites[i]] += by;
            }
        }
        if (run.whole) {
            for (int method : run.closed) {
                room(method);
                notSeen[method] += by;
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

    /** Remembers what held up to now, as what was known after so many failing runs. */
    void mark(int failed) {
        marks.putIfAbsent(failed, held.clone());
        if (marks.size() > MOST_MARKS) {
            marks.pollFirstEntry();
        }
    }

    /** In how many runs it held since then, in all of them if that time isn't remembered. */
    int heldSince(int failed, int predicate) {
        int[] before = marks.getOrDefault(failed, NOTHING);
        return Math.max(0, held(predicate) - (predicate < before.length ? before[predicate] : 0));
    }

    /** In how many runs it was seen whether it holds. */
    int observed(int predicate) {
        int method = predicate / Predicate.ROOM;
        boolean known = predicate < held.length;
        if (methods.kind(predicate) == Predicate.CALLED) {
            return known ? whole - notSeen[method] + calledInParts[method] : whole;
        }
        if (!known) {
            return 0;
        }
        int site = site(predicate);
        return site < 0 ? held[method * Predicate.ROOM] : seen[site];
    }

    /** Where it is counted that it was seen whether it holds; below 0 if that is seen with the call. */
    private int site(int predicate) {
        Predicate kind = methods.kind(predicate);
        int site = kind == null ? Predicate.Site.INSIDE : kind.site;
        return site == Predicate.Site.NONE ? site : methods.site(predicate / Predicate.ROOM) * SITES + site;
    }

    /** In how many of them calls of the method weren't seen, since another agent looks at it, say. */
    int notSeen(int method) {
        return method < notSeen.length ? notSeen[method] : 0;
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
