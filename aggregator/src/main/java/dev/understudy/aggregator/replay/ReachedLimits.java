package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.limit.DebugLimit;
import io.netty.channel.Channel;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts how often debug connections of one upstream met each limit, and logs the first time. Safe for all threads. */
final class ReachedLimits {
    private static final Logger log = LoggerFactory.getLogger(ReachedLimits.class);

    private final String upstream;
    private final ReplayCounts counts;

    /** Guarded by itself. */
    private final Set<DebugLimit> logged = EnumSet.noneOf(DebugLimit.class);

    ReachedLimits(String upstream, ReplayCounts counts) {
        this.upstream = upstream;
        this.counts = counts;
    }

    void add(DebugLimit limit, Channel connection) {
        counts.reached(limit);
        boolean first;
        synchronized (logged) {
            first = logged.add(limit);
        }
        if (first) {
            log.warn(
                    "upstream {}: debug connection {} is refused something or closed by a limit: {} (logged once)",
                    upstream,
                    connection,
                    limit);
        }
    }
}
