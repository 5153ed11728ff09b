package dev.understudy.standin.run;

import dev.understudy.standin.model.RouteModel;

/**
 * A request that waits for a worker.
 *
 * @param keep whether its connection stays open
 * @param head whether only the reply's head is wanted
 * @param arrivedNanos of {@link System#nanoTime}
 */
record QueuedCall(RouteModel route, String target, byte[] body, boolean keep, boolean head, long arrivedNanos) {}
