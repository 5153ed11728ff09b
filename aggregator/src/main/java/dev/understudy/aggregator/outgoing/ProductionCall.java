package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.match.TimeSpan;

/**
 * An upstream call that production made. Two with equal times are two all the same: their numbers differ.
 *
 * @param upstream whom it called
 * @param id the recorded exchange's number in that upstream's journal
 * @param startNanos when the request's first byte came, on the journal's clock
 * @param endNanos when the reply's last byte came
 */
record ProductionCall(String upstream, long id, Form form, long startNanos, long endNanos) {
    /** Bytes that it costs to keep one, besides its text. */
    static final int OVERHEAD = 320;

    long bytes() {
        return (long) OVERHEAD + form.textBytes();
    }

    /** While the upstream served it. */
    TimeSpan span() {
        return new TimeSpan(startNanos, endNanos);
    }

    /** What a debug call that took its reply knows of it. */
    Twin twin() {
        return new Twin(upstream, id);
    }

    /** Which recorded exchange it is, among those of all upstreams. */
    record Twin(String upstream, long id) {}
}
