package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.content.WordFilter;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.inbound.InboundState;
import dev.understudy.sidecar.label.Place;
import dev.understudy.sidecar.order.Ticket;
import dev.understudy.sidecar.trace.TraceIds;
import org.jspecify.annotations.Nullable;

/**
 * The bookkeeping of one request and its two replies. Confined to its lane loop; all times {@code System.nanoTime()}.
 */
final class Exchange {
    /** Charged for each one that isn't judged, beside what its parts hold. */
    static final int OVERHEAD = 1024;

    final long id;
    /** Its place among the exchanges that the debug JVM is to get; 0 if it isn't one of them. */
    long number;

    final Request request;

    @Nullable
    TraceIds trace;

    /** Where the debug JVM was told it. */
    Place place = Place.UNKNOWN;

    final long arrivedNanos;
    /** How many of its connection arrived with it, in the same read, before it. */
    int behind;

    final long charge;

    /** Production said before that it serves nothing more: the debug JVM never hears of it either. */
    boolean unserved;

    /** Left out by the sampling: production's reply is passed over, and the debug JVM never hears of it. */
    boolean skipped;

    /** Whether it is known that the snapshot which the debug JVM began with hasn't got it. */
    boolean selected;

    /** Whether the debug JVM gets it is known later, with the rest of what it belongs to. */
    boolean undecided = true;

    /** Why it was left out before the window overflowed; {@link LossReason#NONE} if it wasn't. */
    LossReason shed = LossReason.NONE;

    final Ticket ticket = new Ticket();
    final RequestCopy asked;
    final ReplyCopy production;
    final ReplyCopy debug;

    boolean requestOver;
    /** The client ended within the request, when production had replied. */
    boolean cutOff;

    boolean owed;
    long requestEndNanos;

    boolean productionOver;
    long productionOverNanos;

    boolean offered;
    int cuesWaiting;
    boolean handed;
    long handedNanos;

    /** The debug JVM got it while it still owed a reply that production had given before. */
    boolean outOfOrder;

    long progressNanos;

    /** The same moment on the debug JVM's own clock. */
    long progressOnClock;

    boolean settledDelivery;
    boolean delivered;

    boolean debugOver;
    long debugOverNanos;

    /** Those who label exchanges know of it: that it ended, or that it didn't in time. */
    boolean labelled;

    @Nullable
    NotCompared failure;

    boolean judged;

    Exchange(
            long id,
            Request request,
            long arrivedNanos,
            long charge,
            Dialect dialect,
            ReplyMemory memory,
            int maxBody) {
        this.id = id;
        this.request = request;
        this.arrivedNanos = arrivedNanos;
        this.charge = charge;
        this.asked = new RequestCopy(memory, dialect.canReplay(request));
        this.production = dialect.copy(memory, maxBody);
        this.debug = dialect.copy(memory, maxBody);
    }

    /** Something came of it on the debug side at {@code nanos}, which was {@code onClock} on that JVM's own clock. */
    void progressed(long nanos, long onClock) {
        progressNanos = nanos;
        progressOnClock = onClock;
    }

    /** By which it is found in a recording of its connection, whose times are the same. */
    String arrival() {
        return "@" + arrivedNanos + (behind == 0 ? "" : "+" + behind);
    }

    /**
     * All that may be told of it.
     *
     * @param shown the values that stand in production's reply; null if nobody wants to know now
     */
    InboundState state(@Nullable WordFilter shown) {
        return new InboundState(
                id,
                request.clientTrace(),
                trace == null ? null : trace.trace(),
                shown,
                arrivedNanos,
                productionOver ? productionOverNanos : InboundState.NOT_YET,
                handed ? handedNanos : InboundState.NOT_YET,
                debugOver ? debugOverNanos : InboundState.NOT_YET);
    }

    /** Notes why there will be no comparison; the first reason counts. */
    void fail(NotCompared reason) {
        if (failure == null) {
            failure = reason;
        }
        drop();
    }

    /** Gives back what is kept of its request and its replies. */
    void drop() {
        asked.drop();
        production.drop();
        debug.drop();
    }
}
