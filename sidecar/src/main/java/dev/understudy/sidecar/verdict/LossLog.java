package dev.understudy.sidecar.verdict;

import dev.understudy.relay.lane.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each connection whose debug copy ended with a loss or left something out, but no more than one line a second for
 * a listener: ten thousand connections to a debug JVM that died are one event. Every loss is counted elsewhere. Guarded
 * by {@code this}.
 */
public final class LossLog {
    private static final Logger LOG = LoggerFactory.getLogger(LossLog.class);
    private static final long PAUSE_NANOS = 1_000_000_000L;
    private static final int MOST_UNREAD = 16;

    private final String listener;
    private final LongSupplier clock;
    private boolean told;
    private long lastNanos;
    private long silent;
    private List<Lost> unread = new ArrayList<>();

    /** @param clock nanoseconds, as {@code System.nanoTime()} */
    public LossLog(String listener, LongSupplier clock) {
        this.listener = listener;
        this.clock = clock;
    }

    /** The copy of that connection ends, for {@code reason}. */
    public void ended(long connection, LossReason reason) {
        tell("its debug copy ends", connection, reason);
    }

    /** The copy of that connection leaves out requests, for {@code reason}. */
    public void sheds(long connection, LossReason reason) {
        tell("its debug copy leaves out requests", connection, reason);
    }

    private synchronized void tell(String what, long connection, LossReason reason) {
        if (unread.size() < MOST_UNREAD) {
            unread.add(new Lost(connection, reason));
        }
        long now = clock.getAsLong();
        if (told && now - lastNanos < PAUSE_NANOS) {
            silent++;
            LOG.debug("listener {}, connection {}: {}, reason {}", listener, connection, what, reason);
            return;
        }
        String others = silent == 0 ? "" : " (and " + silent + " more before it)";
        LOG.warn("listener {}, connection {}: {}, reason {}{}", listener, connection, what, reason, others);
        told = true;
        lastNanos = now;
        silent = 0;
    }

    /** Those that lost something since this was last asked: the first {@value #MOST_UNREAD} of them. */
    public synchronized List<Lost> drain() {
        List<Lost> read = unread;
        unread = new ArrayList<>();
        return read;
    }

    /** A connection, and why its debug copy ended or has left something out. */
    public record Lost(long connection, LossReason reason) {}
}
