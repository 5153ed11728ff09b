package dev.understudy.sidecar.trace;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Where exchanges have their traces from. For all threads. */
@FunctionalInterface
public interface TraceSource {
    /** Exchanges have none. */
    TraceSource NONE = () -> null;

    /** Each has one of its own. */
    TraceSource RANDOM = () -> TraceIds.draw(ThreadLocalRandom.current());

    /** That of the next exchange, which the debug JVM is told; null if it is told none. */
    @Nullable
    TraceIds next();
}
