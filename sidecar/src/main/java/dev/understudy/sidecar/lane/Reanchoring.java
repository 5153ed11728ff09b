package dev.understudy.sidecar.lane;

import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.sidecar.tee.Joining;
import io.netty.buffer.ByteBuf;

/**
 * The tap of one connection: its lane, and once that has ended before the connection did, another one from where a
 * request may begin.
 *
 * <p>Costs a read of a volatile for each read of the connection; a new lane costs what it does for a new connection.
 * Confined to the connection's relay loop.
 */
final class Reanchoring implements Tap {
    /** How often in a row a lane is tried where no request begins. */
    private static final int MOST_TRIES = 3;

    /** Opens the lanes. */
    interface Lanes {
        /** Whether a new lane had a chance: there is memory, and the debug JVM may be there. */
        boolean mayBegin();

        /** A lane that begins where a request does. */
        Joining rejoin();

        /** The connection goes on without. */
        void unjoined();
    }

    private final Lanes lanes;
    private Tap current;
    private Lane lane;
    private boolean anew;
    private int tries;
    private boolean over;
    private Direction last = Direction.REQUEST;

    /** Begins with {@code lane}, for a connection that does, too. */
    Reanchoring(Lane lane, Lanes lanes) {
        this(lane, lane, lanes);
    }

    /** Begins where a request does; until then {@link #wantsMore} tells whether one did. */
    Reanchoring(Joining first, Lanes lanes) {
        this(first, first.lane(), lanes);
    }

    private Reanchoring(Tap first, Lane lane, Lanes lanes) {
        this.current = first;
        this.lane = lane;
        this.lanes = lanes;
    }

    @Override
    public void connected(long nanos) {
        current.connected(nanos);
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        if (!over && direction == Direction.REQUEST && last == Direction.REPLY) {
            followUp(nanos);
        }
        last = direction;
        if (over) {
            data.release();
        } else {
            current.data(direction, data, nanos);
        }
    }

    /**
     * The client speaks after production has: a new lane begins here if the last one has ended, or found no request.
     */
    private void followUp(long nanos) {
        boolean refused = anew && !current.wantsMore();
        if (!refused && !lane.isSpent()) {
            return;
        }
        if (refused && tries == MOST_TRIES) {
            current.closed(CloseReason.UNTAPPED, nanos);
            over = true;
            lanes.unjoined();
        } else if (lanes.mayBegin()) {
            tries = refused ? tries + 1 : 1;
            anew = true;
            Joining next = lanes.rejoin();
            current.closed(CloseReason.UNTAPPED, nanos);
            current = next;
            lane = next.lane();
            current.connected(nanos);
        }
    }

    @Override
    public void end(Direction direction, long nanos) {
        if (!over) {
            current.end(direction, nanos);
        }
    }

    @Override
    public void lost(long requestBytes, long replyBytes, long nanos) {
        if (!over) {
            current.lost(requestBytes, replyBytes, nanos);
        }
    }

    @Override
    public boolean wantsMore() {
        return anew || current.wantsMore();
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        if (!over) {
            current.closed(reason, nanos);
        }
    }
}
