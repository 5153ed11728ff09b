package dev.understudy.standin.load;

import dev.understudy.standin.model.ArrivalModel;
import dev.understudy.standin.model.ServiceModel;
import java.time.Duration;

/**
 * How much load is made, and for how long. Immutable.
 *
 * @param perSecond requests per second, on average
 * @param seconds how long requests are made; replies are awaited longer
 * @param connections how many are open at once, at most
 * @param seed the same one makes the same requests at the same moments
 * @param timeout how long a request may take from when it was due
 * @param queue how many requests may wait for a connection; more are dropped, and counted
 */
public record LoadOptions(
        LoadTarget target, double perSecond, int seconds, int connections, long seed, Duration timeout, int queue) {
    /** How many requests per second may be wanted. */
    public static final double MOST_PER_SECOND = 1_000_000;

    /** How many requests may wait unless told otherwise. */
    public static final int STANDARD_QUEUE = 100_000;

    private static final int MOST_SECONDS = 86_400;
    private static final int MOST_QUEUE = 10_000_000;
    private static final Duration STANDARD_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MOST_TIMEOUT = Duration.ofHours(1);

    public LoadOptions {
        if (!(perSecond > 0 && perSecond <= MOST_PER_SECOND)) {
            throw new IllegalArgumentException(
                    "rate: " + perSecond + " (expected: above 0, at most 1000000 per second)");
        }
        range("seconds", seconds, MOST_SECONDS);
        range("connections", connections, 1_000_000);
        range("queue", queue, MOST_QUEUE);
        if (timeout.toMillis() < 1 || timeout.compareTo(MOST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout: " + timeout.toMillis() + " ms (expected: 1 ms to 1 h)");
        }
    }

    private static void range(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 1 to " + most + ")");
        }
    }

    /** What production does, for 10 s: the model's rate on its connections. */
    public static LoadOptions of(ServiceModel model, LoadTarget target) {
        ArrivalModel arrivals = model.arrivals();
        return new LoadOptions(
                target, arrivals.perSecond(), 10, arrivals.connections(), 1, STANDARD_TIMEOUT, STANDARD_QUEUE);
    }

    /** The same at another rate, in requests per second. */
    public LoadOptions withRate(double wanted) {
        return new LoadOptions(target, wanted, seconds, connections, seed, timeout, queue);
    }

    /** The same for another time. */
    public LoadOptions withSeconds(int wanted) {
        return new LoadOptions(target, perSecond, wanted, connections, seed, timeout, queue);
    }

    /** The same on another number of connections. */
    public LoadOptions withConnections(int wanted) {
        return new LoadOptions(target, perSecond, seconds, wanted, seed, timeout, queue);
    }

    /** The same with other requests. */
    public LoadOptions withSeed(long wanted) {
        return new LoadOptions(target, perSecond, seconds, connections, wanted, timeout, queue);
    }

    /** The same with more patience, or less. */
    public LoadOptions withTimeout(Duration wanted) {
        return new LoadOptions(target, perSecond, seconds, connections, seed, wanted, queue);
    }

    /** The same with another bound for the requests that wait. */
    public LoadOptions withQueue(int wanted) {
        return new LoadOptions(target, perSecond, seconds, connections, seed, timeout, wanted);
    }
}
