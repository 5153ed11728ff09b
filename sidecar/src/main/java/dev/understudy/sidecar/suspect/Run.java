package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;

/** An observed exchange of which it is known how it ended. Immutable, as far as nobody writes to its arrays. */
final class Run {
    /** Predicates, {@code method * ROOM + kind}, in the order in which they came true. */
    final int[] held;
    /** A method and the one that called it first, in turns. */
    final int[] calls;
    /** Whether a method that isn't among them wasn't called. */
    final boolean whole;
    /** Methods whose calls weren't seen, if it is whole; shared between runs. */
    final int[] closed;

    final ExchangeOutcome ending;
    /** How many had failed before it. */
    final int after;
    /** Why it failed, if it did. */
    final LabelRule.Why why;
    /** The same without those before it on its connection; itself if there are none. */
    final Run alone;

    Run(int[] held, int[] calls, boolean whole, int[] closed, ExchangeOutcome ending, int after, LabelRule.Why why) {
        this.after = after;
        this.why = why;
        this.held = held;
        this.calls = calls;
        this.whole = whole;
        this.closed = closed;
        this.ending = ending;
        this.alone = this;
    }

    /** A run with those before it on its connection. */
    Run(int[] held, int[] calls, boolean whole, Run alone) {
        this.after = alone.after;
        this.why = alone.why;
        this.held = held;
        this.calls = calls;
        this.whole = whole;
        this.closed = alone.closed;
        this.ending = alone.ending;
        this.alone = alone;
    }

    boolean has(int predicate) {
        return place(predicate) >= 0;
    }

    /** How many others came true before it; below 0 if it didn't hold. */
    int place(int predicate) {
        for (int i = 0; i < held.length; i++) {
            if (held[i] == predicate) {
                return i;
            }
        }
        return -1;
    }

    /** The method that called this one first; -1 if that isn't known. */
    int caller(int method) {
        for (int i = 0; i + 1 < calls.length; i += 2) {
            if (calls[i] == method) {
                return calls[i + 1];
            }
        }
        return -1;
    }

    /** How many numbers it holds. */
    int size() {
        return held.length + calls.length + (alone == this ? 0 : alone.size());
    }
}
