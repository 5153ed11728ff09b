package dev.understudy.agent.caller;

import dev.understudy.agent.bootstrap.CallNote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one message says. Immutable; times are those of {@link System#nanoTime()}. */
final class CallBatch {
    /** In the order of their times. */
    final List<CallNote> calls;
    /** All that was written before is in this message or an earlier one. */
    final long toldUntil;
    /** Of what was written before, some may be missing for good; null if the aggregator knows already. */
    final @Nullable Long lostUntil;

    CallBatch(List<CallNote> calls, long toldUntil, @Nullable Long lostUntil) {
        this.calls = calls;
        this.toldUntil = toldUntil;
        this.lostUntil = lostUntil;
    }
}
