package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.relay.deliver.DebugEvent;
import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LaneObserver;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.order.Ticket;
import dev.understudy.sidecar.tee.SnapshotMoment;
import dev.understudy.sidecar.verdict.FidelityReading;
import dev.understudy.sidecar.verdict.LossLog;
import dev.understudy.sidecar.verdict.Tally;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads one connection's copy through framing, delivery and comparison: one class, since each step can be the one that
 * ends the copy. Confined to its lane loop.
 *
 * <p>When its debug side is gone it goes on framing what production does, so that every exchange gets a verdict and
 * every loss is counted; only a hole in the copy itself ends that.
 */
final class DebugLane implements LaneObserver {
    private static final Logger LOG = LoggerFactory.getLogger(DebugLane.class);
    private static final long LOOK_AGAIN_MILLIS = 250;
    private static final double TIGHT = 0.5;

    /** Whole requests that debug owes a reply: more keep it no busier, and their bookkeeping lies on the heap. */
    private static final int ENOUGH = 16;

    private final LaneSettings settings;
    private final Tally tally;
    private final OrderGate order;
    private final Lane lane;
    private final Judge judge;
    private final Exchanges exchanges;
    private final RawTurns turns;
    private final DeliveryFactory copies;
    private final DebugReplyObserver debugSide = new DebugSide();
    private Delivery delivery;
    private final Intake intake;
    private final Shedding shedding;
    private final Runnable ended;
    private final LeftOver leftOver;

    /** Of a connection without exchanges: later ones wait until it has ended in debug, too. */
    private final Ticket connection = new Ticket();

    private boolean begun;
    private boolean holed;
    private boolean switchedOff;
    private long holeCounted;
    private boolean mayBeginAnew;
    private boolean closed;
    private @Nullable ScheduledFuture<?> timer;
    private boolean finished;
    private volatile boolean waits;
    private volatile long waitsSince;

    /** @param ended is run once when nothing more can happen here */
    DebugLane(
            LaneShared shared,
            LaneSettings settings,
            Tally tally,
            DebugPeer peer,
            OrderGate order,
            LossLog lossLog,
            Lane lane,
            Runnable ended) {
        this.settings = settings;
        this.tally = tally;
        this.order = order;
        this.lane = lane;
        this.ended = ended;
        this.judge = new Judge(shared, settings, tally, lane.connection());
        this.exchanges = new Exchanges(shared, settings, tally, order, judge, lane.budget(), new ProductionReplies());
        this.leftOver = new LeftOver(lane.budget());
        this.turns = new RawTurns(settings, lane.budget(), judge);
        this.copies = new DeliveryFactory(shared, settings, tally, peer, order, lossLog, lane);
        this.delivery = copies.first(exchanges, debugSide);
        this.shedding = new Shedding(settings.sheds() && framed(), lane, tally, lossLog);
        this.intake = new Intake(
                shared, settings, tally, lane, judge, exchanges, delivery, shedding, copies, this::beginAnew);
    }

    /**
     * Never until the moment of the debug JVM's snapshot is known, and always while requests are left out. Enough is a
     * few requests, or a quarter of the lane's memory, or anything at all while memory is short everywhere; but when
     * debug has nothing to do here, more is always wanted: what it, or an exchange, is still in want of may be in it.
     * Where requests are said at once, that is so of each of them, and what is owed doesn't count.
     */
    @Override
    public boolean hasRoom() {
        if (settings.tee().awaitsSnapshot()) {
            return false;
        }
        int owed = intake.isAtOnce() ? 0 : exchanges.owed();
        if (delivery.isOver() || (delivery.bytes() == 0 && owed == 0) || sheds()) {
            return true;
        }
        MemoryBudget budget = lane.budget();
        long held = delivery.bytes() + (intake.isAtOnce() ? 0 : exchanges.bytes());
        return owed < ENOUGH && held < budget.capacity() / 4 && budget.pressure() < TIGHT;
    }

    /** The copy has ended before its connection: it goes on with {@code next}, if it can. */
    private void beginAnew(Request next) {
        Delivery another = mayBeginAnew && !holed ? copies.next(next, exchanges, debugSide) : null;
        if (another != null) {
            deliverTo(another);
        }
    }

    private void deliverTo(Delivery another) {
        delivery = another;
        intake.deliverTo(another);
        exchanges.debugBack();
        if (waits) {
            another.waits(waitsSince);
        }
    }

    /** What waits goes over another connection of the debug JVM, where it means the same. */
    private boolean goOn(Remainder rest) {
        boolean may = !rest.isEmpty() && !holed && !switchedOff && oneByOne();
        Delivery another = may ? copies.another(exchanges, debugSide) : null;
        if (another == null) {
            return false;
        }
        deliverTo(another);
        rest.offerTo(another);
        lane.loop().execute(this::advance);
        return true;
    }

    private boolean sheds() {
        return oneByOne() && shedding.on();
    }

    @Override
    public void waits(long oldestNanos) {
        waits = true;
        waitsSince = oldestNanos;
        delivery.waits(oldestNanos);
    }

    @Override
    public void waitsNoMore() {
        waits = false;
        delivery.waitsNoMore();
    }

    /**
     * How long ago the oldest event happened that waits in the lane; 0 if none does. Safe for use by several threads.
     */
    long waited(long now) {
        return waits ? Math.max(0, now - waitsSince) : 0;
    }

    @Override
    public void connected(long nanos) {
        begun = true;
        SnapshotMoment moment = settings.tee().snapshot();
        boolean isOlder =
                moment != null && moment.hasUnanswered(lane.connection().acceptedNanos());
        if (isOlder && !framed()) {
            // its beginning is in the snapshot, and its end would mean nothing without
            tally.unjoined();
            switchedOff();
        } else {
            delivery.pump();
        }
    }

    @Override
    public void data(Direction direction, ByteBuf data, long nanos) {
        if (switchedOff) {
            data.release();
            return;
        }
        begun = true;
        if (direction == Direction.REPLY) {
            delivery.productionReplied(data);
            if (framed()) {
                exchanges.productionReply(data, nanos);
            } else {
                turns.production(data);
            }
        } else {
            if (!framed()) {
                turns.client(data, nanos);
            }
            intake.data(data, nanos);
        }
        advance();
    }

    @Override
    public void end(Direction direction, long nanos) {
        if (switchedOff) {
            return;
        }
        turns.end(direction);
        if (direction == Direction.REPLY) {
            if (framed()) {
                exchanges.productionReplyEnd(nanos);
            }
        } else {
            intake.end(nanos);
            delivery.offer(new DebugEvent.EndOfInput(nanos), !oneByOne());
        }
        advance();
    }

    @Override
    public void closed(CloseReason reason, long nanos) {
        closed = true;
        if (reason == CloseReason.UNTAPPED && !delivery.isOver()) {
            switchedOff();
        }
        if (!holed && !switchedOff) {
            intake.end(nanos);
        }
        intake.release();
        exchanges.productionOver(
                nanos,
                reason == CloseReason.RESET_BY_CLIENT ? NotCompared.CLIENT_CLOSED : NotCompared.NO_PRODUCTION_REPLY);
        delivery.settle();
        if (begun && !framed()) {
            order.ended(connection, nanos);
            turns.closed(reason);
        }
        if (!begun) {
            delivery.end(LossReason.NONE, nanos);
        } else {
            DebugEvent end =
                    reason == CloseReason.RESET_BY_CLIENT ? new DebugEvent.Reset(nanos) : new DebugEvent.Close(nanos);
            delivery.offer(end, !oneByOne());
        }
        countHole();
        advance();
        endIfOver();
        LossReason shortage = finished ? LossReason.NONE : leftOver.take();
        if (shortage != LossReason.NONE) {
            delivery.overflowed(shortage, nanos);
        }
    }

    @Override
    public void overflowing(LossReason reason, long nanos) {
        if (framed()) {
            // what waits goes on to be framed, so that every exchange that is lost with it is counted
            delivery.overflowed(reason, nanos);
        } else {
            lane.giveUp(reason);
        }
    }

    @Override
    public void overflowed(LossReason reason, long bytesLost, long nanos) {
        holed = true;
        intake.release();
        delivery.overflowed(reason, nanos);
        countHole();
        exchanges.productionOver(nanos, NotCompared.NO_PRODUCTION_REPLY);
        turns.cut(Reasons.of(reason));
    }

    /** How faithful this copy is. Safe for use by several threads. */
    FidelityReading fidelity() {
        return tally.fidelity().read();
    }

    /** Ends this lane because the sidecar stops. */
    void shutDown() {
        delivery.end(LossReason.SHUTDOWN, System.nanoTime());
        if (waits) {
            lane.giveUp(LossReason.SHUTDOWN);
        }
        exchanges.productionOver(System.nanoTime(), NotCompared.NO_PRODUCTION_REPLY);
        turns.cut(NotCompared.SHUTDOWN);
    }

    /** Ends this lane because the tee was switched off; its connection goes on. */
    void switchedOff() {
        if (!switchedOff) {
            switchedOff = true;
            intake.release();
            delivery.end(LossReason.SWITCHED_OFF, System.nanoTime());
            exchanges.productionOver(System.nanoTime(), NotCompared.SWITCHED_OFF);
            turns.cut(NotCompared.SWITCHED_OFF);
        }
    }

    /** Goes on after a pause. */
    void resume() {
        delivery.resume();
        advance();
    }

    private void advance() {
        delivery.pump();
        lane.resume();
        if (timer == null && (exchanges.pending() || delivery.pending())) {
            long patience = Math.min(
                    settings.replyTimeout().toMillis(), settings.connectWait().toMillis());
            long pause = Math.max(10, Math.min(LOOK_AGAIN_MILLIS, patience / 4));
            timer = lane.loop().schedule(this::look, pause, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        timer = null;
        try {
            long now = System.nanoTime();
            if (!delivery.isOver()) {
                delivery.timeOut(now, closed || lane.isOver());
                exchanges.timeOut(delivery.held());
                order.tick();
            }
            advance();
        } catch (RuntimeException defect) {
            LOG.error(
                    "connection {}: the debug copy ends by a defect",
                    lane.connection().id(),
                    defect);
            lane.giveUp(LossReason.INTERNAL);
        }
    }

    /** Counts what was lost since it was last counted; the end of the connection makes it exact. */
    private void countHole() {
        long lost = lane.bytesLost(Direction.REQUEST);
        if (lost > holeCounted) {
            if (holeCounted == 0 && framed()) {
                tally.fidelity().holed();
            }
            tally.lostBytes(lane.lossReason(), lost - holeCounted);
            holeCounted = lost;
        }
    }

    private boolean framed() {
        return settings.framed();
    }

    /** Whether the connection is cut into requests that follow one another. */
    private boolean oneByOne() {
        return !intake.isRaw() && !intake.isAtOnce();
    }

    private void endIfOver() {
        if (closed && delivery.isOver() && !finished) {
            finished = true;
            leftOver.release();
            if (timer != null) {
                timer.cancel(false);
            }
            ended.run();
        }
    }

    /** What production's replies mean for the requests that follow. */
    private final class ProductionReplies implements ReplyStream.End<Exchange> {
        @Override
        public void ended(Exchange exchange) {
            intake.answered(exchange);
        }

        @Override
        public void unframed(String reason) {
            if (!closed) {
                intake.leave(reason);
            }
        }
    }

    private final class DebugSide implements DebugReplyObserver {
        @Override
        public void told(DebugEvent cue, int port, int before) {
            turns.told(cue, port, before);
        }

        @Override
        public void debugReply(ByteBuf data, long nanos) {
            if (framed()) {
                exchanges.debugReply(data, nanos);
            } else {
                turns.debug(data, nanos);
            }
            delivery.pump();
            lane.resume();
        }

        @Override
        public void debugReplyEnd(long nanos) {
            if (framed()) {
                exchanges.debugReplyEnd(nanos);
                if (!intake.isRaw()) {
                    // a server that has ended its replies reads no requests either
                    delivery.end(delivery.toldAll() ? LossReason.NONE : LossReason.DEBUG_CLOSED, nanos);
                }
            } else {
                turns.debugEnd();
            }
        }

        @Override
        public boolean debugGone(LossReason reason, long nanos, Remainder rest) {
            exchanges.debugGone(Reasons.of(reason), rest.exchanges());
            if (goOn(rest)) {
                return true;
            }
            exchanges.debugGone(Reasons.of(reason), Map.of());
            turns.debugOver(Reasons.of(reason));
            order.settled(connection);
            mayBeginAnew = oneByOne() && Reasons.mayBeginAnew(reason, settings.sheds());
            if (mayBeginAnew) {
                lane.spend();
            }
            if (reason == LossReason.SESSION_REFUSED) {
                tally.unjoined();
            }
            lane.resume();
            endIfOver();
            return false;
        }
    }
}
