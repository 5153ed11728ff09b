package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.exchange.Form;
import org.jspecify.annotations.Nullable;

/**
 * An upstream call that the debug JVM made.
 *
 * @param number counts the calls in the order in which they were answered
 * @param upstream whom it called
 * @param askedNanos when the request came, on the journal's clock
 * @param answeredNanos when it was decided what it gets
 * @param twin production's call whose reply it got for the first time; null if it got something else, or nothing
 * @param guessed whether other replies, which say something else, were as likely to be its own
 * @param doubtful whether other replies were
 */
record DebugCall(
        long number,
        String upstream,
        Form form,
        long askedNanos,
        long answeredNanos,
        ProductionCall.@Nullable Twin twin,
        boolean guessed,
        boolean doubtful) {
    /** Bytes that it costs to keep one, besides its text. */
    private static final long OVERHEAD = 400;

    /** Bytes of memory that it takes. */
    long bytes() {
        return OVERHEAD + form.textBytes();
    }
}
