package dev.understudy.sidecar.verdict;

import dev.understudy.relay.lane.LossReason;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each connection whose debug copy ended with a loss, but no more than one line a second for a listener: ten
 * thousand connections to a debug JVM that died are one event. Every loss is counted elsewhere. Guarded by {@code this}.
 */
public final class LossLog {
    private static final Logger LOG = LoggerFactory.getLogger(LossLog.class);
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final String listener;
    private final LongSupplier clock;
    private boolean told;
    private long lastNanos;
    private long silent;

    /** @param clock nanoseconds, as {@code System.nanoTime()} */
    public LossLog(String listener, LongSupplier clock) {
        this.listener = listener;
        this.clock = clock;
    }

    /** That connection lost something for {@code reason}. */
    public synchronized void tell(long connection, LossReason reason) {
        long now = clock.getAsLong();
        if (told && now - lastNanos < PAUSE_NANOS) {
            silent++;
            LOG.debug("listener {}, connection {}: its debug copy ends, reason {}", listener, connection, reason);
            return;
        }
        String others = silent == 0 ? "" : " (and " + silent + " more before it)";
        LOG.warn("listener {}, connection {}: its debug copy ends, reason {}{}", listener, connection, reason, others);
        told = true;
        lastNanos = now;
        silent = 0;
    }
}
