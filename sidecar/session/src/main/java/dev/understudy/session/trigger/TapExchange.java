package dev.understudy.session.trigger;

/**
 * What rules look at in one exchange of production.
 *
 * @param endedNanos when its reply ended, {@link System#nanoTime()} of this machine
 * @param status of its reply
 * @param latencyNanos from the request's first byte to the reply's last
 * @param texts a bit for each rule whose text is in the reply
 */
record TapExchange(long endedNanos, int status, long latencyNanos, long texts) {}
