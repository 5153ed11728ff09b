package dev.understudy.sidecar.lane;

import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.verdict.LossLog;
import dev.understudy.sidecar.verdict.Tally;

/**
 * Leaves out whole requests while the window is about to overflow, so that what follows them can still be delivered.
 *
 * <p>It begins when the lane's memory is nearly full and ends when half of it is free again. What waits in the lane is
 * framed meanwhile, and what isn't on its way to the debug JVM yet is dropped, request by request. Confined to its lane
 * loop.
 */
final class Shedding {
    private final boolean wanted;
    private final Lane lane;
    private final Tally tally;
    private final LossLog log;
    private LossReason reason = LossReason.NONE;
    private LossReason last = LossReason.OVERFLOW_LANE;

    /** @param wanted whether this is the policy at all */
    Shedding(boolean wanted, Lane lane, Tally tally, LossLog log) {
        this.wanted = wanted;
        this.lane = lane;
        this.tally = tally;
        this.log = log;
    }

    /** Whether requests that begin now are left out. */
    boolean on() {
        if (!wanted) {
            return false;
        }
        if (reason == LossReason.NONE) {
            reason = lane.nearOverflow();
            if (reason != LossReason.NONE) {
                last = reason;
                log.sheds(lane.connection().id(), reason);
                tally.lost(reason);
            }
        } else if (lane.relieved()) {
            reason = LossReason.NONE;
        }
        return reason != LossReason.NONE;
    }

    /** Leaves {@code exchange} out, which has just begun, or what it belongs to has, while {@link #on}. */
    void leaveOut(Exchange exchange) {
        exchange.shed = last;
        exchange.settledDelivery = true;
        tally.fidelity().lost(exchange.number, last.name());
    }

    /** Why something was left out last. */
    LossReason last() {
        return last;
    }

    /** Counts bytes of an exchange that was left out. */
    void bytes(Exchange exchange, int length) {
        tally.lostBytes(exchange.shed, length);
    }
}
