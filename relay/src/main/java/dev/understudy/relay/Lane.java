package dev.understudy.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jctools.queues.atomic.SpscChunkedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the copy of one connection from its relay loop to a lane loop, in order and without ever waiting.
 *
 * <p>What is on its way is charged against a budget, each entry with the memory it pins and {@value #ENTRY_OVERHEAD}
 * bytes. What doesn't fit is lost: from then on the lane hands over nothing but the connection's end, since a stream with
 * a hole is no copy. The {@link Tap} methods belong to the relay loop, everything else to the lane loop; the fields that
 * both touch are a single-producer single-consumer queue and atomics.
 */
public final class Lane implements Tap {
    /** Charged per entry on its way, for the objects around its bytes. */
    public static final int ENTRY_OVERHEAD = 256;

    /** More entries than this on their way are an overflow, whatever the budget. */
    static final int MAX_ENTRIES = 1 << 16;

    private static final int ENTRIES_PER_TURN = 256;
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final Connection connection;
    private final EventLoop loop;
    private final MemoryBudget budget;
    private final LaneMetrics metrics;
    private final Function<Lane, LaneObserver> above;

    // The variant without sun.misc.Unsafe, which newer JDKs warn of.
    private final Queue<Entry> entries = new SpscChunkedAtomicArrayQueue<>(8, MAX_ENTRIES);
    private final AtomicBoolean awake = new AtomicBoolean();
    private final AtomicReference<@Nullable Loss> loss = new AtomicReference<>();
    private final AtomicLong lostRequestBytes = new AtomicLong();
    private final AtomicLong lostReplyBytes = new AtomicLong();
    private volatile @Nullable Closed closed;

    private @Nullable LaneObserver observer;
    private boolean made;
    private boolean dropping;
    private boolean lossTold;
    private boolean over;

    private Lane(
            Connection connection,
            EventLoop loop,
            MemoryBudget budget,
            LaneMetrics metrics,
            Function<Lane, LaneObserver> above) {
        this.connection = connection;
        this.loop = loop;
        this.budget = budget;
        this.metrics = metrics;
        this.above = above;
    }

    /**
     * Opens a lane on {@code laneLoop}; called on the relay loop, does none of the work there.
     *
     * @param laneBudget limits this lane; its parent is what all lanes share
     * @param above makes the observer, later and on the lane loop
     */
    public static Lane open(
            Connection connection,
            EventLoop laneLoop,
            MemoryBudget laneBudget,
            LaneMetrics metrics,
            Function<Lane, LaneObserver> above) {
        Lane lane = new Lane(connection, laneLoop, laneBudget, metrics, above);
        metrics.laneOpened();
        lane.wake();
        return lane;
    }

    /** The connection this is a copy of. */
    public Connection connection() {
        return connection;
    }

    /** The loop on which the observer is called. */
    public EventLoop loop() {
        return loop;
    }

    /** The budget of this lane, for the window above it. */
    public MemoryBudget budget() {
        return budget;
    }

    /** Bytes that were tapped in {@code direction} and not handed over; exact once the observer was told of the end. */
    public long bytesLost(Direction direction) {
        return lostBytes(direction).get();
    }

    /** Why bytes were lost, or {@link LossReason#NONE}. */
    public LossReason lossReason() {
        Loss lost = loss.get();
        return lost == null ? LossReason.NONE : lost.reason();
    }

    /**
     * Stops handing over, for a reason that the floor above found: what is on its way is dropped and counted as lost, and
     * the observer is told so in a later turn of the loop. For the lane loop.
     */
    public void giveUp(LossReason reason) {
        dropping = true;
        lose(reason, System.nanoTime());
        wake();
    }

    @Override
    public void connected(long nanos) {
        offer(new Entry(Event.CONNECTED, Direction.REQUEST, null, ENTRY_OVERHEAD, nanos));
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        offer(new Entry(Event.BYTES, direction, data, ENTRY_OVERHEAD + (long) data.capacity(), nanos));
    }

    @Override
    public void end(Direction direction, long nanos) {
        offer(new Entry(Event.END, direction, null, ENTRY_OVERHEAD, nanos));
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        closed = new Closed(reason, nanos);
        wake();
    }

    private void offer(Entry entry) {
        if (loss.get() != null) {
            drop(entry);
        } else if (!budget.tryReserve(entry.charge)) {
            lose(budget.shortage(entry.charge), entry.nanos);
            drop(entry);
            wake();
        } else if (!entries.offer(entry)) {
            budget.release(entry.charge);
            lose(LossReason.OVERFLOW_LANE, entry.nanos);
            drop(entry);
            wake();
        } else {
            wake();
        }
    }

    private void lose(LossReason reason, long nanos) {
        if (loss.compareAndSet(null, new Loss(reason, nanos))) {
            metrics.laneLost(reason);
        }
    }

    private void drop(Entry entry) {
        ByteBuf data = entry.data;
        if (data != null) {
            int length = data.readableBytes();
            lostBytes(entry.direction).addAndGet(length);
            metrics.bytesLost(lossReason(), length);
            data.release();
        }
    }

    private AtomicLong lostBytes(Direction direction) {
        return direction == Direction.REQUEST ? lostRequestBytes : lostReplyBytes;
    }

    /** Has the lane loop look, unless it is going to anyway. The atomic exchange also orders the queue's writes before it. */
    private void wake() {
        if (!awake.getAndSet(true)) {
            try {
                loop.execute(this::turn);
            } catch (RejectedExecutionException e) {
                lose(LossReason.SHUTDOWN, System.nanoTime());
            }
        }
    }

    private void turn() {
        awake.set(false);
        Loss lost = loss.get();
        Closed end = closed;
        for (int n = 0; n < ENTRIES_PER_TURN; n++) {
            Entry entry = entries.poll();
            if (entry == null) {
                tellLoss(dropping ? loss.get() : lost);
                tellEnd(end);
                return;
            }
            budget.release(entry.charge);
            LaneObserver told = observer();
            if (told == null || dropping) {
                drop(entry);
            } else {
                pass(entry, told);
            }
        }
        wake();
    }

    private void pass(Entry entry, LaneObserver told) {
        int length = entry.data == null ? 0 : entry.data.readableBytes();
        metrics.handedOver(entry.direction, length);
        try {
            entry.tell(told);
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** The observer, made at the first need; null once that has failed. */
    private @Nullable LaneObserver observer() {
        if (observer == null && !made) {
            made = true;
            try {
                observer = above.apply(this);
            } catch (Throwable e) {
                fail(e);
            }
        }
        return observer;
    }

    /** A defect above ends this lane and nothing else. */
    private void fail(Throwable e) {
        LOG.error("connection {}: the debug copy ends by a defect", connection.id(), e);
        giveUp(LossReason.INTERNAL);
    }

    private void tellLoss(@Nullable Loss lost) {
        LaneObserver told = observer();
        if (lost != null && told != null && !lossTold && !over) {
            lossTold = true;
            dropping = true;
            try {
                told.overflowed(lost.reason(), lostRequestBytes.get() + lostReplyBytes.get(), lost.nanos());
            } catch (Throwable e) {
                fail(e);
            }
        }
    }

    private void tellEnd(@Nullable Closed end) {
        if (end != null && !over) {
            over = true;
            metrics.laneClosed();
            LaneObserver told = observer();
            if (told != null) {
                try {
                    told.closed(end.reason(), end.nanos());
                } catch (Throwable e) {
                    fail(e);
                }
            }
        }
    }

    private enum Event {
        CONNECTED,
        BYTES,
        END
    }

    private record Loss(LossReason reason, long nanos) {}

    private record Closed(CloseReason reason, long nanos) {}

    private record Entry(
            Event event, Direction direction, @Nullable ByteBuf data, long charge, long nanos) {
        void tell(LaneObserver observer) {
            if (data != null) {
                observer.data(direction, data, nanos);
            } else if (event == Event.END) {
                observer.end(direction, nanos);
            } else {
                observer.connected(nanos);
            }
        }
    }
}
