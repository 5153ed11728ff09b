package dev.understudy.relay.connect;

import java.time.Duration;

/**
 * When an address of production counts as down, and when as up again. Only production with several addresses is
 * checked: a single one is tried whatever a check says.
 *
 * @param interval between two checks of an address, 100 ms to 1 h
 * @param timeout how long a check's connect may take, 10 ms to 1 min
 * @param rise successes in a row after which an address that was down is up, 1 to 1000
 * @param fall failures in a row, of checks and clients together, after which an address is down, 1 to 1000; a client's
 *     connect that timed out is enough by itself
 */
public record HealthConfig(Duration interval, Duration timeout, int rise, int fall) {
    private static final int MOST = 1000;

    public HealthConfig {
        within("interval", interval, 100, 3_600_000);
        within("timeout", timeout, 10, 60_000);
        within("rise", rise);
        within("fall", fall);
    }

    private static void within(String name, Duration value, long least, long most) {
        if (value.toMillis() < least || value.toMillis() > most) {
            throw new IllegalArgumentException(
                    name + ": " + value.toMillis() + "ms (expected: " + least + "ms to " + most + "ms)");
        }
    }

    private static void within(String name, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 1 to " + MOST + ")");
        }
    }

    /** A check every two seconds, a second long at most; up after two successes, down after three failures. */
    public static HealthConfig defaults() {
        return new HealthConfig(Duration.ofSeconds(2), Duration.ofSeconds(1), 2, 3);
    }
}
