package dev.understudy.sidecar.tee;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import io.netty.buffer.ByteBuf;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection's tap for several debug JVMs: each gets its own view of the same bytes, and one that fails is left out
 * from then on. Confined to the connection's relay loop; allocates a view for each debug JVM beyond the first.
 */
final class FanOut implements Tap {
    private static final Logger LOG = LoggerFactory.getLogger(FanOut.class);

    private final TapConnection connection;
    private final List<Tap> taps;

    /** @param taps at least one; becomes this object's own */
    FanOut(TapConnection connection, List<Tap> taps) {
        this.connection = connection;
        this.taps = taps;
    }

    @Override
    public void connected(long nanos) {
        tell(tap -> tap.connected(nanos));
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        try {
            tell(tap -> tap.data(direction, data.retainedDuplicate(), nanos));
        } finally {
            data.release();
        }
    }

    @Override
    public void end(Direction direction, long nanos) {
        tell(tap -> tap.end(direction, nanos));
    }

    @Override
    public void lost(long requestBytes, long replyBytes, long nanos) {
        tell(tap -> tap.lost(requestBytes, replyBytes, nanos));
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        tell(tap -> tap.closed(reason, nanos));
    }

    /** All of them see the same bytes, so they agree where a request begins; the last one left decides. */
    @Override
    public boolean wantsMore() {
        for (Tap tap : taps) {
            if (tap.wantsMore()) {
                return true;
            }
        }
        return false;
    }

    private void tell(Consumer<Tap> event) {
        for (Iterator<Tap> each = taps.iterator(); each.hasNext(); ) {
            try {
                event.accept(each.next());
            } catch (RuntimeException | Error defect) {
                each.remove();
                LOG.error("connection {} goes on without one of its taps, which failed", connection.id(), defect);
            }
        }
    }
}
