package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.RecordedReply;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a request now.
 *
 * @param entry what it gets; null if it gets nothing, or nothing yet
 * @param reason why; null with {@code entry}
 * @param againAt when to choose again if it waits for something better; {@link Long#MAX_VALUE} for when something
 *     happens
 */
record Choice<R extends RecordedReply>(
        @Nullable JournalEntry<R> entry, @Nullable Reason reason, long againAt) {

    static <R extends RecordedReply> Choice<R> of(JournalEntry<R> entry, Reason reason) {
        return new Choice<>(entry, reason, Long.MAX_VALUE);
    }

    static <R extends RecordedReply> Choice<R> notBefore(long nanos) {
        return new Choice<>(null, null, nanos);
    }

    /** Whether something was chosen that may be another request's. */
    boolean isDoubtful() {
        return reason != null && reason.doubtful();
    }

    /** Whether something was chosen of which production is still receiving more. */
    boolean isOpen() {
        return entry != null && entry.reply != null && entry.reply.isOpen();
    }

    /** Whether it is a surer choice than another one. */
    boolean surerThan(@Nullable Choice<R> other) {
        return reason != null
                && (other == null || other.reason == null || reason.basis().compareTo(other.reason.basis()) < 0);
    }
}
