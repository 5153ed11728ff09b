package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.order.Ticket;
import dev.understudy.sidecar.trace.TraceIds;
import org.jspecify.annotations.Nullable;

/** The bookkeeping of one request and its two replies. Confined to its lane loop; all times {@code System.nanoTime()}. */
final class Exchange {
    /** Charged for each one that isn't judged, beside what its parts hold. */
    static final int OVERHEAD = 1024;

    final long id;
    final long number;
    final Request request;
    final @Nullable TraceIds trace;
    final long arrivedNanos;
    final long charge;

    /** Left out by the sampling: production's reply is passed over, and the debug JVM never hears of it. */
    final boolean skipped;

    /** Why it was left out before the window overflowed; {@link LossReason#NONE} if it wasn't. */
    LossReason shed = LossReason.NONE;

    final Ticket ticket = new Ticket();
    final ReplyCopy production;
    final ReplyCopy debug;

    boolean requestOver;
    boolean owed;
    long requestEndNanos;

    boolean productionOver;
    long productionOverNanos;

    int cuesWaiting;
    boolean handed;
    long handedNanos;
    long progressNanos;

    /** The same moment on the debug JVM's own clock. */
    long progressOnClock;

    boolean settledDelivery;
    boolean delivered;

    boolean debugOver;

    @Nullable
    NotCompared failure;

    boolean judged;

    Exchange(
            long id,
            long number,
            Request request,
            @Nullable TraceIds trace,
            long arrivedNanos,
            long charge,
            boolean skipped,
            Dialect dialect,
            ReplyMemory memory,
            int maxBody) {
        this.id = id;
        this.number = number;
        this.request = request;
        this.trace = trace;
        this.arrivedNanos = arrivedNanos;
        this.charge = charge;
        this.skipped = skipped;
        this.production = dialect.copy(memory, maxBody);
        this.debug = dialect.copy(memory, maxBody);
    }

    /** Something came of it on the debug side at {@code nanos}, which was {@code onClock} on that JVM's own clock. */
    void progressed(long nanos, long onClock) {
        progressNanos = nanos;
        progressOnClock = onClock;
    }

    /** Notes why there will be no comparison; the first reason counts. */
    void fail(NotCompared reason) {
        if (failure == null) {
            failure = reason;
        }
        production.drop();
        debug.drop();
    }
}
