package dev.understudy.agent.egress;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** A clock that is moved by hand; whoever waits lets something happen, and then the time has come. */
final class HandClock extends WaitClock {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // it may begin anywhere
    private volatile Runnable meanwhile = () -> {};
    private final AtomicLong waited = new AtomicLong();

    @Override
    long nanoTime() {
        return now.get();
    }

    @Override
    void until(BooleanSupplier done, long nanos) {
        meanwhile.run();
        if (!done.getAsBoolean() && nanos - nanoTime() > 0) {
            waited.addAndGet(nanos - nanoTime());
            now.set(nanos);
        }
    }

    void pass(long nanos) {
        now.addAndGet(nanos);
    }

    /** What happens while somebody waits. */
    void meanwhile(Runnable happens) {
        meanwhile = happens;
    }

    long waited() {
        return waited.get();
    }
}
