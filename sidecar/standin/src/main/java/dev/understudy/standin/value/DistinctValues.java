package dev.understudy.standin.value;

import java.util.HashSet;
import java.util.Set;

/** Counts different values by their hashes, up to a bound. Keeps none of them. */
final class DistinctValues {
    /** What is counted no further. */
    static final int MOST = 10_000;

    private final Set<Integer> hashes = new HashSet<>();

    void add(int hash) {
        if (hashes.size() < MOST) {
            hashes.add(hash);
        }
    }

    void addAll(DistinctValues other) {
        other.hashes.forEach(this::add);
    }

    /** How many there are; at least 1. */
    int count() {
        return Math.max(1, hashes.size());
    }
}
