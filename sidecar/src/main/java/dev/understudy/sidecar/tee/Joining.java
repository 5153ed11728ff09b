package dev.understudy.sidecar.tee;

import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tap put on a connection that goes on already: it lets the floor above see nothing before a request has begun.
 *
 * <p>The relay puts it on where the client speaks after production has. If what comes then is a request line, the
 * connection is joined there; if not (a body after 100 Continue, a tunnel), it wants no more, and may be put on again
 * at the next such place. Looking happens on the lane loop. What is held until then is charged to the lane's budget and
 * at most a request line long, and the read it ends in.
 */
public final class Joining implements Tap {
    private final Lane lane;
    private final AtomicBoolean refused;

    private Joining(Lane lane, AtomicBoolean refused) {
        this.lane = lane;
        this.refused = refused;
    }

    /**
     * Makes the tap; called on the relay loop.
     *
     * @param lanes opens the lane, given what its floor is made by
     * @param start finds out where a request begins
     * @param above makes the floor above once one has, on the lane loop
     */
    public static Joining open(
            Function<Function<Lane, LaneObserver>, Lane> lanes,
            RequestStart start,
            Function<Lane, LaneObserver> above) {
        AtomicBoolean refused = new AtomicBoolean();
        return new Joining(lanes.apply(lane -> new Look(lane, start, above, refused)), refused);
    }

    /** Where it leads to. */
    public Lane lane() {
        return lane;
    }

    @Override
    public void connected(long nanos) {
        lane.connected(nanos);
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        lane.data(direction, data, nanos);
    }

    @Override
    public void end(Direction direction, long nanos) {
        lane.end(direction, nanos);
    }

    @Override
    public void lost(long requestBytes, long replyBytes, long nanos) {
        lane.lost(requestBytes, replyBytes, nanos);
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        lane.closed(reason, nanos);
    }

    @Override
    public boolean wantsMore() {
        return !refused.get();
    }

    /** Looks at the first bytes, and then is only in between. Confined to its lane loop. */
    private static final class Look implements LaneObserver {
        private final Lane lane;
        private final RequestStart start;
        private final Function<Lane, LaneObserver> above;
        private final AtomicBoolean refused;
        private final Deque<Read> held = new ArrayDeque<>(2);
        private long charged;
        private long connectedNanos;
        private @Nullable LaneObserver joined;

        Look(Lane lane, RequestStart start, Function<Lane, LaneObserver> above, AtomicBoolean refused) {
            this.lane = lane;
            this.start = start;
            this.above = above;
            this.refused = refused;
        }

        @Override
        public void connected(long nanos) {
            connectedNanos = nanos;
        }

        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            if (joined != null) {
                joined.data(direction, data, nanos);
            } else if (refused.get()
                    || direction == Direction.REPLY
                    || !lane.budget().tryReserve(data.capacity())) {
                data.release();
                refuse();
            } else {
                charged += data.capacity();
                held.add(new Read(data, nanos));
                look();
            }
        }

        @Override
        public void end(Direction direction, long nanos) {
            if (joined != null) {
                joined.end(direction, nanos);
            } else {
                refuse();
            }
        }

        @Override
        public void closed(CloseReason reason, long nanos) {
            if (joined != null) {
                joined.closed(reason, nanos);
            } else {
                refuse();
            }
        }

        @Override
        public void overflowed(LossReason reason, long bytesLost, long nanos) {
            if (joined != null) {
                joined.overflowed(reason, bytesLost, nanos);
            } else {
                refuse();
            }
        }

        @Override
        public boolean hasRoom() {
            return joined == null || joined.hasRoom();
        }

        @Override
        public void waits(long oldestNanos) {
            if (joined != null) {
                joined.waits(oldestNanos);
            }
        }

        @Override
        public void waitsNoMore() {
            if (joined != null) {
                joined.waitsNoMore();
            }
        }

        @Override
        public void overflowing(LossReason reason, long nanos) {
            if (joined != null) {
                joined.overflowing(reason, nanos);
            }
        }

        private void look() {
            switch (lookAtHeld()) {
                case YES -> join();
                case NO -> refuse();
                case MORE -> {}
            }
        }

        private RequestStart.Look lookAtHeld() {
            if (held.size() == 1) {
                return start.look(held.element().data.nioBuffer());
            }
            CompositeByteBuf whole = Unpooled.compositeBuffer(held.size());
            held.forEach(read -> whole.addComponent(true, read.data.retainedDuplicate()));
            try {
                return start.look(whole.nioBuffer());
            } finally {
                whole.release();
            }
        }

        private void join() {
            LaneObserver floor = above.apply(lane);
            joined = floor;
            lane.budget().release(charged);
            floor.connected(connectedNanos);
            for (Read read = held.poll(); read != null; read = held.poll()) {
                floor.data(Direction.REQUEST, read.data, read.nanos);
            }
        }

        private void refuse() {
            refused.set(true);
            for (Read read = held.poll(); read != null; read = held.poll()) {
                read.data.release();
            }
            lane.budget().release(charged);
            charged = 0;
        }

        private record Read(ByteBuf data, long nanos) {}
    }
}
