package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.journal.past.NearForm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the journal has for a debug request. */
public sealed interface Match<R extends RecordedReply> {

    /**
     * The recorded exchange that this request gets.
     *
     * @param waitedNanos how long the request waited for production to get there, or for what the sidecar tells; 0 if
     *     the reply was there
     * @param repeated whether the reply had been given before ({@code miss: repeat-last}, or an exchange is run again)
     * @param reason why it is this one; null if it was repeated
     */
    record Hit<R extends RecordedReply>(
            Recorded<R> recorded,
            long waitedNanos,
            boolean repeated,
            @Nullable Reason reason) implements Match<R> {}

    /**
     * Nothing fits.
     *
     * @param why one sentence for people: never recorded, all used, evicted
     * @param near at most three recorded forms, the most similar first
     */
    record Miss<R extends RecordedReply>(Form form, String why, List<NearForm> near, long waitedNanos)
            implements Match<R> {
        public Miss {
            near = List.copyOf(near);
        }

        /** Redacted texts of the recorded forms. */
        public List<String> nearest() {
            return near.stream().map(NearForm::text).toList();
        }
    }
}
