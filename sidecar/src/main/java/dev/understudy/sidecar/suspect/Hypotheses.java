package dev.understudy.sidecar.suspect;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which methods stood high in earlier rankings: each time that half as many exchanges more have failed, the first
 * methods are noted. A good hypothesis is so kept while newer predicates come and go; whether its own counts refute it
 * is for the ranking to see. Not for several threads.
 */
final class Hypotheses {
    /** So many methods of each ranking are noted. */
    static final int MOST_NOTED = 10;
    /** So many methods are kept in all. */
    static final int MOST = 64;

    private static final double GROWTH = 1.5;

    private final Map<String, Double> sums = new LinkedHashMap<>();
    private int notes;
    private double due;

    /** Whether a ranking after so many failing exchanges is to be noted. */
    boolean isDue(int failed) {
        return failed >= due;
    }

    /** Notes the first of these methods, the best first. */
    void note(int failed, List<String> methods) {
        due = Math.max(failed + 1, failed * GROWTH);
        notes++;
        for (int i = 0; i < Math.min(MOST_NOTED, methods.size()); i++) {
            sums.merge(methods.get(i), 1.0 / (i + 1), Double::sum);
        }
        while (sums.size() > MOST) {
            String least = new HashMap<>(sums)
                    .entrySet().stream()
                            .min(Map.Entry.<String, Double>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                            .orElseThrow()
                            .getKey();
            sums.remove(least);
        }
    }

    /** The mean of one by its place in all noted rankings, 0 to 1. */
    double of(String method) {
        return notes == 0 ? 0 : sums.getOrDefault(method, 0.0) / notes;
    }

    /** Those that were noted. */
    Set<String> methods() {
        return sums.keySet();
    }
}
