package dev.understudy.aggregator.tls;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets so many handshakes wait for a thread and no more: each holds its engine, though its client may have gone long
 * ago. Thread-safe.
 */
final class HandshakeQueue implements Executor {
    private static final int MOST = 256;

    private final Executor threads;
    private final AtomicInteger waiting = new AtomicInteger();

    HandshakeQueue(Executor threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable handshake) {
        if (waiting.incrementAndGet() > MOST) {
            waiting.decrementAndGet();
            throw new RejectedExecutionException(MOST + " handshakes wait");
        }
        try {
            threads.execute(() -> {
                waiting.decrementAndGet();
                handshake.run();
            });
        } catch (RejectedExecutionException stopped) {
            waiting.decrementAndGet();
            throw stopped;
        }
    }
}
