package dev.understudy.aggregator.exchange;

/** A request that may still be waiting for its reply to be recorded. */
public interface PendingRequest {

    /**
     * Ends the wait, because nobody wants the reply any more; to be called on the caller's event loop. A reply that is
     * on its way already goes back to the head of its queue. Does nothing once the match was handed over.
     */
    void cancel();
}
