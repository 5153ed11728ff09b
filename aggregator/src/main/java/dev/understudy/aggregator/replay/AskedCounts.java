package dev.understudy.aggregator.replay;

import java.util.concurrent.atomic.LongAdder;

/** What became of the debug JVM's requests that a running server was to answer. Safe for all threads. */
public final class AskedCounts {
    private final LongAdder answered = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();

    AskedCounts() {}

    /** Requests that it answered, because nothing recorded fitted. */
    public long answered() {
        return answered.sum();
    }

    /** Of those missed, how many it wasn't sent: it must not get them, or they aren't there whole. */
    public long refused() {
        return refused.sum();
    }

    /** Of those missed, how many it didn't answer, or for which there was no place. */
    public long failed() {
        return failed.sum();
    }

    void answer() {
        answered.increment();
    }

    void refuse() {
        refused.increment();
    }

    void fail() {
        failed.increment();
    }
}
