package dev.understudy.standin.load;

/**
 * A request that has a moment.
 *
 * @param route its place in the model
 * @param dueNanos when it is due, by {@link System#nanoTime}
 */
record DueRequest(int route, long dueNanos, RequestDraft draft) {
    /** How long it was due, in nanoseconds. */
    long age(long nowNanos) {
        return nowNanos - dueNanos;
    }

    /** What it takes in memory, about. */
    long bytes() {
        return (long) draft.body().length + draft.target().length();
    }
}
