package dev.understudy.sidecar.resync;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;

/** One thing that is done to bring a debug JVM into production's state. */
interface Step {
    /**
     * What a step may want to know.
     *
     * @param debug name of the debug JVM
     * @param address where it listens
     * @param epoch the number of the one that begins
     * @param cutNanos when its input was cut, as {@code System.nanoTime} tells it
     * @param timeout how long the step may take
     */
    record Occasion(String debug, SocketAddress address, int epoch, Cause cause, long cutNanos, Duration timeout) {}

    /**
     * Does it, and returns when it is done.
     *
     * @throws IOException if it failed, or took too long; the message says which step and why
     */
    void run(Occasion occasion) throws IOException, InterruptedException;
}
