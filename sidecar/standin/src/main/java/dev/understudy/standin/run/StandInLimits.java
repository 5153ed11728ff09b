package dev.understudy.standin.run;

import java.time.Duration;

/**
 * What a stand-in holds at most.
 *
 * @param connections open at the same time; more are closed at once
 * @param waiting requests that wait for a worker; more get a 503
 * @param idle how long a connection may be silent before it is closed
 */
record StandInLimits(int connections, int waiting, Duration idle) {
    static final StandInLimits STANDARD = new StandInLimits(10_000, 10_000, Duration.ofMinutes(5));
}
