package dev.understudy.sidecar.lane;

import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.lane.Lane;
import dev.understudy.sidecar.frame.FrameSession;
import dev.understudy.sidecar.frame.Opening;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.verdict.LossLog;
import dev.understudy.sidecar.verdict.Tally;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Makes the ways of one connection to the debug JVM: the first, and where its session can be set up again, another one
 * after the last has ended. Confined to its lane loop.
 */
final class DeliveryFactory {
    private static final double TIGHT = 0.5;

    private final LaneShared shared;
    private final LaneSettings settings;
    private final Tally tally;
    private final DebugPeer peer;
    private final OrderGate order;
    private final LossLog lossLog;
    private final Lane lane;
    private final @Nullable FrameSession session;

    DeliveryFactory(
            LaneShared shared,
            LaneSettings settings,
            Tally tally,
            DebugPeer peer,
            OrderGate order,
            LossLog lossLog,
            Lane lane) {
        this.shared = shared;
        this.settings = settings;
        this.tally = tally;
        this.peer = peer;
        this.order = order;
        this.lossLog = lossLog;
        this.lane = lane;
        this.session = settings.framed() ? shared.dialect(settings.protocol()).session(lane.budget()) : null;
    }

    Delivery first(Exchanges exchanges, DebugReplyObserver above) {
        return new Delivery(shared, settings, tally, peer, order, exchanges, lossLog, lane, null, above);
    }

    /** Another one, which begins with {@code next}; null if none can, or none had a chance. */
    @Nullable
    Delivery next(Request next, Exchanges exchanges, DebugReplyObserver above) {
        boolean inner = next.part() == Request.Part.INNER || next.part() == Request.Part.LAST;
        if (session == null || inner || !peer.mayBeTried() || lane.budget().pressure() >= TIGHT) {
            return null;
        }
        Opening opening = session.opening();
        if (opening == null) {
            return null;
        }
        tally.rejoined();
        return new Delivery(shared, settings, tally, peer, order, exchanges, lossLog, lane, opening, above);
    }

    /**
     * Another one, over which goes what waited for the one that has ended; null if that means something else there. A
     * debug JVM that was killed has as long to come back as the first connection has.
     */
    @Nullable
    Delivery another(Exchanges exchanges, DebugReplyObserver above) {
        if (!shared.dialect(settings.protocol()).requestsStandAlone()) {
            return null;
        }
        tally.rejoined();
        return new Delivery(shared, settings, tally, peer, order, exchanges, lossLog, lane, null, above);
    }

    /** The next request arrived; {@code bytes} stay as they are. */
    void asked(Request request, ByteBuf bytes, ReplyCopy production, ReplyCopy debug) {
        if (session != null) {
            session.asked(request, bytes, production, debug);
        }
    }

    /** No request follows, or none that all before it are known of. */
    void release() {
        if (session != null) {
            session.release();
        }
    }
}
