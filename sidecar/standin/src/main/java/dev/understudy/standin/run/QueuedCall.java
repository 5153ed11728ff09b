package dev.understudy.standin.run;

import dev.understudy.standin.model.RouteModel;

/**
 * A request that waits for a worker. Of its body only a hash is kept.
 *
 * @param keep whether its connection stays open
 * @param head whether only the reply's head is wanted
 * @param arrivedNanos of {@link System#nanoTime}
 */
record QueuedCall(RouteModel route, String target, int bodyHash, boolean keep, boolean head, long arrivedNanos) {}
