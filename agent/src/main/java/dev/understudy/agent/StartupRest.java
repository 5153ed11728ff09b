package dev.understudy.agent;

import dev.understudy.agent.weave.WeavingTransformer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** When the application's start has come to a rest: what the agent itself needs costs as much as a small one. */
final class StartupRest {
    /** When no class of the application has been loaded for so long, its start has come to a rest. */
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** So long the application has at most before the agent sets up what it needs itself. */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final WeavingTransformer weaving;
    private boolean attached;
    private long loadedBefore;

    /** @param weaving knows when the latest of its classes was loaded: a lambda expression would cost at the start */
    StartupRest(WeavingTransformer weaving) {
        this.weaving = weaving;
    }

    /** The application runs already. */
    void attached() {
        attached = true;
    }

    /** The application begins. */
    void begin() {
        loadedBefore = weaving.lastLoadNanos();
    }

    /** Waits for it. */
    void await() {
        long begun = System.nanoTime();
        for (long now = begun; now - begun < START_NANOS && !isReached(now); now = System.nanoTime()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private boolean isReached(long now) {
        long loaded = weaving.lastLoadNanos(); // before the application's first class there is no rest yet
        return (attached || loaded != loadedBefore) && now - loaded >= REST_NANOS;
    }
}
