package dev.understudy.sidecar.suspect;

/** An observed exchange of which it is known how it ended. Immutable, as far as nobody writes to its arrays. */
final class Run {
    /** Predicates, {@code method * ROOM + kind}, in the order in which they came true. */
    final int[] held;
    /** Whether a method that isn't among them wasn't called. */
    final boolean whole;
    /** Methods whose calls weren't seen, if it is whole; shared between runs. */
    final int[] closed;

    final Ending ending;
    /** How many had failed before it. */
    final int after;

    Run(int[] held, boolean whole, int[] closed, Ending ending, int after) {
        this.after = after;
        this.held = held;
        this.whole = whole;
        this.closed = closed;
        this.ending = ending;
    }

    boolean has(int predicate) {
        for (int one : held) {
            if (one == predicate) {
                return true;
            }
        }
        return false;
    }
}
