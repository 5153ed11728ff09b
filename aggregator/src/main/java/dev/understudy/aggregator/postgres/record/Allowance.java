package dev.understudy.aggregator.postgres.record;

/** The bytes that one connection's unfinished exchanges may hold together. Confined to the connection's lane loop. */
final class Allowance {
    private final long capacity;
    private long used;

    Allowance(long capacity) {
        this.capacity = capacity;
    }

    long capacity() {
        return capacity;
    }

    /** Bytes that are taken. */
    long used() {
        return used;
    }

    /** Takes all of it or nothing. */
    boolean take(long bytes) {
        if (bytes > capacity - used) {
            return false;
        }
        used += bytes;
        return true;
    }

    void giveBack(long bytes) {
        used -= bytes;
    }
}
