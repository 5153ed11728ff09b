package dev.understudy.sidecar.lane;

import dev.understudy.relay.deliver.Window;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.sidecar.verdict.LossLog;
import dev.understudy.sidecar.verdict.Tally;

/** Counts what one lane lost: one event, every request, every byte, each once. Confined to its lane loop. */
final class LaneLosses {
    private final Tally tally;
    private final LossLog log;
    private final TapConnection connection;
    private final Window window;
    private LossReason reason = LossReason.DEBUG_CLOSED;
    private boolean told;
    private long bytesCounted;

    LaneLosses(Tally tally, LossLog log, TapConnection connection, Window window) {
        this.tally = tally;
        this.log = log;
        this.connection = connection;
        this.window = window;
    }

    /** What is counted from here on is lost for {@code ended}; after a good end, because debug had closed by then. */
    void because(LossReason ended) {
        reason = ended == LossReason.NONE ? LossReason.DEBUG_CLOSED : ended;
    }

    /** The lane lost something. */
    void event() {
        if (!told) {
            told = true;
            log.ended(connection.id(), reason);
            tally.lost(reason);
        }
    }

    /** The request won't reach the debug JVM whole. */
    void lose(Exchange exchange) {
        if (!exchange.settledDelivery) {
            exchange.settledDelivery = true;
            tally.fidelity().lost(exchange.number, reason.name());
        }
    }

    /** It was written, but whether anybody read it, only a reply would have told. */
    void retract(Exchange exchange) {
        if (exchange.delivered) {
            exchange.delivered = false;
            tally.fidelity().retracted(exchange.number, reason.name());
        }
    }

    /** Counts the bytes that the window lost since it was last asked. */
    void bytes() {
        long lost = window.lostBytes() - bytesCounted;
        if (lost > 0) {
            bytesCounted += lost;
            tally.lostBytes(reason, lost);
        }
    }
}
