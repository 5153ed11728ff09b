package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.journal.Reason;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that answers of one upstream are guessed: once a minute, with how many it were. Safe for all threads.
 */
final class Guesses {
    private static final Logger log = LoggerFactory.getLogger(Guesses.class);
    private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

    private final String upstream;
    private final LongSupplier clock;
    private final AtomicLong unsaid = new AtomicLong();
    private final AtomicLong sayAt;

    Guesses(String upstream, LongSupplier clock) {
        this.upstream = upstream;
        this.clock = clock;
        this.sayAt = new AtomicLong(clock.getAsLong());
    }

    void say(Match.Hit<?> hit) {
        Reason reason = hit.reason();
        if (reason == null || !reason.guessed()) {
            return;
        }
        unsaid.incrementAndGet();
        long now = clock.getAsLong();
        long due = sayAt.get();
        if (now - due >= 0 && sayAt.compareAndSet(due, now + QUIET)) {
            log.warn(
                    "upstream {}: {} answers were guessed, since recorded ones differ and nothing tells whose they are;"
                            + " the latest of {} candidates for {}",
                    upstream,
                    unsaid.getAndSet(0),
                    reason.candidates(),
                    hit.recorded().form());
        }
    }
}
