package dev.understudy.sidecar;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.sidecar.control.Watched;
import dev.understudy.sidecar.inbound.AggregatorLink;
import dev.understudy.sidecar.inbound.RerunNotice;
import dev.understudy.sidecar.lane.DebugLanes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Tells the aggregator of what one debug JVM is sent once more, and whether all else that it serves is told. */
final class DebugReruns implements RerunNotice {
    /** So long a debug JVM may be at a request whose reply isn't awaited any longer. */
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

    private static final List<NotCompared> UNKNOWN =
            List.of(NotCompared.UNFRAMED, NotCompared.ENCRYPTED, NotCompared.NOT_JOINED);

    private final AggregatorLink link;
    private final DebugJvm jvm;
    private final List<Watched> listeners;

    DebugReruns(AggregatorLink link, DebugJvm jvm, List<Watched> listeners) {
        this.link = link;
        this.jvm = jvm;
        this.listeners = listeners;
    }

    @Override
    public String obstacle() {
        return link.up() ? "" : "the aggregator doesn't answer, so upstreams couldn't give it what they gave it before";
    }

    @Override
    public CompletableFuture<Boolean> give(String trace, long exchange) {
        return link.give(trace, exchange, isAllTold());
    }

    @Override
    public void over(String trace, long exchange) {
        link.over(trace, exchange);
    }

    /** Of bytes that aren't cut into exchanges nobody knows when the debug JVM is done with them. */
    private boolean isAllTold() {
        return link.isComplete()
                && !jvm.traffic.hasAbandonedSince(System.nanoTime() - LONGEST)
                && listeners.stream()
                        .flatMap(watched -> watched.lanes().stream())
                        .filter(lanes -> lanes.debug().equals(jvm.name))
                        .allMatch(DebugReruns::isFramed);
    }

    private static boolean isFramed(DebugLanes lanes) {
        return lanes.size() == 0
                || (lanes.isFramed()
                        && UNKNOWN.stream().allMatch(reason -> lanes.tally().notCompared(reason) == 0));
    }
}
