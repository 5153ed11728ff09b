package dev.understudy.relay.lane;

import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.Inbox;
import dev.understudy.relay.stream.Spill;
import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the copy of one connection from its relay loop to a lane loop, in order and without ever waiting.
 *
 * <p>What is on its way is charged against a budget, each entry with the memory it pins and {@value #ENTRY_OVERHEAD}
 * bytes. What the observer has no room for yet waits in a {@link Backlog}. What doesn't fit is lost: from then on the
 * lane hands over nothing but the connection's end, since a stream with a hole is no copy. The {@link Tap} methods
 * belong to the relay loop, everything else to the lane loop; the fields that both touch are a single-producer
 * single-consumer queue and atomics.
 */
public final class Lane implements Tap {
    /** Charged per entry on its way, for the objects around its bytes. */
    public static final int ENTRY_OVERHEAD = 256;

    private static final int ENTRIES_PER_TURN = 256;
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final TapConnection connection;
    private final Inbox inbox;
    private final Runnable turn = this::turn;
    private final MemoryBudget budget;
    private final LaneMetrics metrics;
    private final GuardedObserver above;
    private final Backlog backlog;
    private final LaneLoss loss;

    private final LaneQueue entries;
    private final AtomicBoolean awake = new AtomicBoolean();
    private volatile @Nullable Closed closed;
    private volatile LossReason diskShortage = LossReason.NONE;
    private volatile boolean spent;

    private boolean dropping;
    private boolean holed;

    /** What the lane loop took out of the queue or the backlog, and hasn't given to anybody yet. */
    private @Nullable TapEntry inHand;

    private Lane(
            TapConnection connection,
            Inbox inbox,
            ByteBufAllocator allocator,
            MemoryBudget budget,
            LaneMetrics metrics,
            @Nullable Spill spill,
            Function<Lane, LaneObserver> above) {
        this.connection = connection;
        this.inbox = inbox;
        this.budget = budget;
        this.entries = new LaneQueue(budget);
        this.metrics = metrics;
        this.above = new GuardedObserver(() -> above.apply(this), this::fail);
        this.backlog = new Backlog(connection.id(), inbox.loop(), allocator, budget, metrics, spill, this::wake);
        this.loss = new LaneLoss(metrics);
    }

    /**
     * Opens a lane on the loop of {@code inbox}, for an observer that always has room; called on the relay loop, does
     * none of the work there.
     *
     * @param laneBudget limits this lane; its parent is what all lanes share
     * @param above makes the observer, later and on the lane loop
     */
    public static Lane open(
            TapConnection connection,
            Inbox inbox,
            MemoryBudget laneBudget,
            LaneMetrics metrics,
            Function<Lane, LaneObserver> above) {
        return opened(new Lane(connection, inbox, ByteBufAllocator.DEFAULT, laneBudget, metrics, null, above));
    }

    /**
     * Opens a lane on one of the lane loops, as above, whose observer may say that it has no room.
     *
     * @param spill where on disk things wait then once they take too much memory; null for nowhere
     */
    public static Lane open(
            TapConnection connection,
            EventLoops loops,
            MemoryBudget laneBudget,
            LaneMetrics metrics,
            @Nullable Spill spill,
            Function<Lane, LaneObserver> above) {
        return opened(new Lane(connection, loops.nextInbox(), loops.allocator(), laneBudget, metrics, spill, above));
    }

    private static Lane opened(Lane lane) {
        lane.metrics.laneOpened();
        lane.wake();
        return lane;
    }

    /** The connection this is a copy of. */
    public TapConnection connection() {
        return connection;
    }

    /** The loop on which the observer is called. */
    public EventLoop loop() {
        return inbox.loop();
    }

    /** The budget of this lane, for the window above it. */
    public MemoryBudget budget() {
        return budget;
    }

    /** Bytes that were tapped in {@code direction} and not handed over; exact once the observer was told of the end. */
    public long bytesLost(Direction direction) {
        return loss.bytes(direction);
    }

    /** Why bytes were lost, or {@link LossReason#NONE}. */
    public LossReason lossReason() {
        return loss.reason();
    }

    /** Whether the connection is over, although the observer may not have been told all of it. */
    public boolean isOver() {
        return closed != null;
    }

    /**
     * Which overflow is near, since three quarters of the memory are taken and none of it can go to disk;
     * {@link LossReason#NONE} if none is. For the lane loop.
     */
    public LossReason nearOverflow() {
        return backlog.nearOverflow();
    }

    /**
     * Whether an overflow that was near is far again: half of the memory is free, or nothing waits here. For the lane
     * loop.
     */
    public boolean relieved() {
        return backlog.isRelieved();
    }

    /**
     * The floor above has done with this copy before the connection's end: another one may begin. For the lane loop.
     */
    public void spend() {
        spent = true;
    }

    /** Whether another copy of this connection may begin; for the relay loop, a read of a volatile. */
    public boolean isSpent() {
        return spent;
    }

    /** The observer may have room again; for the lane loop. Costs nothing when nothing waits. */
    public void resume() {
        if (!backlog.isEmpty()) {
            wake();
        }
    }

    /**
     * Stops handing over, for a reason that the floor above found: what is on its way is dropped and counted as lost,
     * and the observer is told so in a later turn of the loop. For the lane loop.
     */
    public void giveUp(LossReason reason) {
        dropping = true;
        loss.because(reason, System.nanoTime());
        wake();
    }

    @Override
    public void connected(long nanos) {
        offer(StreamEvent.CONNECTED, null, nanos);
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        offer(direction == Direction.REQUEST ? StreamEvent.REQUEST : StreamEvent.REPLY, data, nanos);
    }

    @Override
    public void end(Direction direction, long nanos) {
        offer(direction == Direction.REQUEST ? StreamEvent.REQUEST_END : StreamEvent.REPLY_END, null, nanos);
    }

    @Override
    public void lost(long requestBytes, long replyBytes, long nanos) {
        loss.because(LossReason.OVERFLOW_RING, nanos);
        loss.bytes(Direction.REQUEST, requestBytes);
        loss.bytes(Direction.REPLY, replyBytes);
        wake();
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        closed = new Closed(reason, nanos);
        wake();
    }

    /** Never throws: what finds no memory is lost and counted, as what finds no room. */
    private void offer(StreamEvent event, @Nullable ByteBuf data, long nanos) {
        LossReason refused = loss.reason();
        if (refused == LossReason.NONE) {
            refused = shortage(entries.offer(event, data, nanos));
        }
        if (refused != LossReason.NONE) {
            loss.because(refused, nanos);
            loss.drop(TapEntry.direction(event), data);
        }
        wake();
    }

    /** What is short of memory is short of disk, if that is what keeps the memory full. */
    private LossReason shortage(LossReason ofMemory) {
        boolean overflown = ofMemory == LossReason.OVERFLOW_LANE || ofMemory == LossReason.OVERFLOW_GLOBAL;
        LossReason ofDisk = diskShortage;
        return overflown && ofDisk != LossReason.NONE ? ofDisk : ofMemory;
    }

    private void lose(LossReason reason, TapEntry entry) {
        loss.because(reason, entry.nanos());
        loss.drop(entry);
        wake();
    }

    /**
     * Has the lane loop look, unless it is going to anyway. The atomic exchange also orders the queue's writes before
     * it.
     */
    private void wake() {
        if (!awake.getAndSet(true)) {
            try {
                inbox.execute(turn);
            } catch (RejectedExecutionException e) {
                loss.because(LossReason.SHUTDOWN, System.nanoTime());
            } catch (Throwable e) {
                awake.set(false);
                loss.because(LossReason.INTERNAL, System.nanoTime());
            }
        }
    }

    private void turn() {
        awake.set(false);
        try {
            handOver();
        } catch (Throwable e) {
            endByDefect(e);
        }
    }

    /** Something was thrown between the observer's calls. What was in hand then is lost, too. */
    private void endByDefect(Throwable e) {
        TapEntry unfinished = inHand;
        inHand = null;
        loss.because(LossReason.INTERNAL, System.nanoTime());
        if (unfinished != null) {
            loss.drop(unfinished);
        }
        fail(e);
    }

    private void handOver() {
        LaneLoss.Cause lost = loss.cause();
        Closed end = closed;
        boolean heard = above.isThere();
        boolean emptied = takeOver(heard);
        boolean fed = !heard || feed();
        if (dropping) {
            backlog.drop(loss);
            lost = loss.cause();
        }
        if (emptied && backlog.isEmpty()) {
            if (lost != null && above.overflowed(lost, loss.bytes())) {
                dropping = true;
            }
            if (end != null && above.closed(end.reason(), end.nanos())) {
                metrics.laneClosed();
            }
        } else if (emptied && lost != null) {
            above.overflowing(lost);
        }
        tellWait(emptied ? null : entries.peek());
        if (!emptied || !fed) {
            wake();
        }
    }

    /** Takes what the relay handed over; false if there is more than is good for one turn. */
    private boolean takeOver(boolean heard) {
        for (int n = 0; n < ENTRIES_PER_TURN; n++) {
            TapEntry entry = entries.poll();
            if (entry == null) {
                return true;
            }
            inHand = entry;
            if (!heard || dropping) {
                inHand = null;
                loss.drop(entry);
            } else if (backlog.isEmpty() && above.hasRoom()) {
                pass(entry);
            } else {
                keep(entry);
            }
        }
        return false;
    }

    private void keep(TapEntry entry) {
        ByteBuf data = entry.data();
        boolean kept = !holed && backlog.add(entry.event(), entry.nanos(), data);
        inHand = null;
        if (!kept) {
            holed = true;
            lose(shortage(backlog.refusal()), entry);
        } else if (data != null) {
            data.release();
        }
    }

    private void pass(TapEntry entry) {
        metrics.handedOver(entry.direction(), entry.length());
        inHand = null;
        above.tell(entry);
    }

    /** Tells what waits as far as it is wanted; false if there is more than is good for one turn. */
    private boolean feed() {
        boolean wanted = true;
        for (int n = 0; wanted && n < ENTRIES_PER_TURN; n++) {
            wanted = !dropping && !backlog.isEmpty() && above.hasRoom() && backlog.ready();
            if (wanted) {
                pass(backlog.poll());
            }
        }
        backlog.rest();
        backlog.spill();
        diskShortage = backlog.shortage();
        if (backlog.broken()) {
            giveUp(LossReason.SPILL_FAILED);
        }
        return !wanted;
    }

    /** A defect above ends this lane and nothing else. */
    @SuppressWarnings("EmptyCatch")
    private void fail(Throwable e) {
        boolean known = dropping;
        giveUp(LossReason.INTERNAL);
        try {
            if (!known) {
                LOG.error("connection {}: the debug copy ends by a defect", connection.id(), e);
            }
        } catch (Throwable unlogged) {
            // without memory even a line of the log can fail
        }
    }

    /** Tells since when something waits here: in the backlog or, for the next turn, in the queue. */
    private void tellWait(@Nullable TapEntry next) {
        if (!dropping && !backlog.isEmpty()) {
            above.waits(backlog.oldestNanos());
        } else if (!dropping && next != null) {
            above.waits(next.nanos());
        } else {
            above.waitsNoMore();
        }
    }

    private record Closed(CloseReason reason, long nanos) {}
}
