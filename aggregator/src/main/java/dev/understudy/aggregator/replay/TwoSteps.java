package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.PendingRequest;

/** A request that waits for one thing, and for another one then. Confined to its event loop. */
final class TwoSteps implements PendingRequest {
    private PendingRequest first = () -> {};
    private PendingRequest second = () -> {};
    private boolean cancelled;

    /** What is waited for first; that may be over already. */
    void first(PendingRequest step) {
        first = step;
        if (cancelled) {
            step.cancel();
        }
    }

    /** What is waited for once the first is over. */
    void second(PendingRequest step) {
        second = step;
        if (cancelled) {
            step.cancel();
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        first.cancel();
        second.cancel();
    }
}
