package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.content.WordFilter;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.verdict.Tally;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins each request of a connection with its two replies, and has it judged when both sides are over: one class, since
 * whichever side is over last, or is given up, ends the exchange.
 *
 * <p>A side is over when its reply ended or when it is known that it never will. Confined to its lane loop.
 */
final class Exchanges {
    private final LaneShared shared;
    private final LaneSettings settings;
    private final Dialect dialect;
    private final Tally tally;
    private final OrderGate order;
    private final Judge judge;
    private final MemoryBudget budget;
    private final ReplyMemory replies;
    private final Deque<Exchange> open = new ArrayDeque<>();
    private final ReplyStream<Exchange> production;
    private ReplyStream<Exchange> debug;
    private @Nullable NotCompared gone;
    private boolean productionClosed;
    /** Whether production serves nothing more on this connection, as a request or its last reply said. */
    private boolean productionLeaves;
    /** When debug's last reply said that it closes the connection; 0 if none did. */
    private long debugLeavesSince;

    private int owed;
    private long unansweredCharge;

    /** @param productionUnframed told once when production's replies can't be framed any more */
    Exchanges(
            LaneShared shared,
            LaneSettings settings,
            Tally tally,
            OrderGate order,
            Judge judge,
            MemoryBudget budget,
            ReplyStream.End<Exchange> productionUnframed) {
        this.shared = shared;
        this.settings = settings;
        this.dialect = shared.dialect(settings.protocol());
        this.tally = tally;
        this.order = order;
        this.judge = judge;
        this.budget = budget;
        this.replies = new ReplyMemory(budget);
        this.production = dialect.replies(exchange -> exchange.production, new ProductionEnd(productionUnframed));
        this.debug = debugReplies();
    }

    private ReplyStream<Exchange> debugReplies() {
        return dialect.replies(exchange -> exchange.debug, new DebugEnd());
    }

    /** A request arrived, of which nothing is decided yet; null if the budget has no room for its bookkeeping. */
    @Nullable
    Exchange open(Request request, long arrivedNanos) {
        long charge = Exchange.OVERHEAD + request.heldBytes();
        if (!budget.tryReserve(charge)) {
            return null;
        }
        Exchange exchange = new Exchange(
                shared.exchangeIds().incrementAndGet(),
                request,
                arrivedNanos,
                charge,
                dialect,
                replies,
                settings.maxBody());
        open.add(exchange);
        unansweredCharge += charge;
        production.expect(exchange, request);
        exchange.unserved = productionLeaves;
        productionLeaves |= request.isLast();
        return exchange;
    }

    /** The debug JVM isn't to get what production won't serve. */
    void leaveUnserved(Exchange exchange) {
        exchange.undecided = false;
        exchange.settledDelivery = true;
        answered(exchange);
        exchange.fail(NotCompared.NO_PRODUCTION_REPLY);
        finish(exchange);
    }

    /** The debug JVM is to get it. */
    void take(Exchange exchange) {
        exchange.undecided = false;
        exchange.number = tally.fidelity().arrived();
        exchange.trace = settings.traces().next();
        tell(exchange);
        shared.traffic().arrived(System.nanoTime());
        if (gone != null) {
            debugOver(exchange, gone);
        } else if (exchange.requestOver) {
            owe(exchange);
        }
    }

    /** The sampling leaves it out. */
    void skip(Exchange exchange) {
        tally.notSampled();
        leaveOut(exchange);
    }

    /** The debug JVM's snapshot has it. */
    void passOver(Exchange exchange) {
        tally.inSnapshot();
        leaveOut(exchange);
    }

    private void leaveOut(Exchange exchange) {
        exchange.undecided = false;
        exchange.skipped = true;
        answered(exchange);
        exchange.settledDelivery = true;
        exchange.drop();
        order.settled(exchange.ticket);
        finish(exchange);
    }

    private void owe(Exchange exchange) {
        exchange.owed = true;
        owed++;
    }

    /** The request won't go to the debug JVM, although others will. */
    void shed(Exchange exchange) {
        debugOver(exchange, NotCompared.OVERFLOW);
    }

    /** The request is whole, or no more of it will come. */
    void requestOver(Exchange exchange, long nanos) {
        if (!exchange.requestOver) {
            exchange.requestOver = true;
            if (!exchange.debugOver && !exchange.undecided) {
                owe(exchange);
            }
            exchange.requestEndNanos = nanos;
            tellOrder(exchange);
        }
    }

    /** The request's head goes to the debug JVM now. */
    void handed(Exchange exchange, long nanos) {
        exchange.handed = true;
        exchange.handedNanos = nanos;
        exchange.progressed(nanos, shared.debugClock().read());
        tell(exchange);
        exchange.outOfOrder = order.delivered(exchange.ticket, exchange.arrivedNanos);
        boolean cancelled = exchange.debugOver && exchange.request.stream() != 0;
        if (!cancelled) {
            debug.expect(exchange, exchange.request);
        }
        if (debug.isUnframed()) {
            debugOver(exchange, NotCompared.UNFRAMED);
        }
    }

    /**
     * The client wants no answer any more on that stream of its own: one that production hasn't given, nobody waits
     * for.
     *
     * @return the exchange that this ends; null if there is none
     */
    @Nullable
    Exchange cancelled(int stream, long nanos) {
        for (Exchange exchange : open) {
            if (exchange.request.stream() == stream && !exchange.productionOver) {
                requestOver(exchange, nanos);
                production.forget(exchange.request);
                exchange.fail(NotCompared.CLIENT_CLOSED);
                productionOver(exchange, nanos);
                debugOver(exchange, NotCompared.CLIENT_CLOSED);
                return exchange;
            }
        }
        return null;
    }

    /** Takes ownership of {@code data}. */
    void productionReply(ByteBuf data, long nanos) {
        production.data(data, nanos);
    }

    void productionReplyEnd(long nanos) {
        production.end(nanos);
    }

    /** Takes ownership of {@code data}. */
    void debugReply(ByteBuf data, long nanos) {
        debug.data(data, nanos);
    }

    void debugReplyEnd(long nanos) {
        debug.end(nanos);
    }

    /** Production's connection is over: what it hasn't answered, it never will. */
    void productionOver(long nanos, NotCompared reason) {
        productionClosed = true;
        for (Exchange exchange : List.copyOf(open)) {
            requestOver(exchange, nanos);
            if (!exchange.productionOver) {
                exchange.fail(exchange.production.begun() ? NotCompared.INCOMPLETE : reason);
                productionOver(exchange, nanos);
            }
        }
    }

    /** The exchange whose request can't be cut to its end: it stays without a comparison. */
    void unframed(Exchange exchange, long nanos) {
        exchange.fail(NotCompared.UNFRAMED);
        requestOver(exchange, nanos);
        if (!exchange.productionOver) {
            productionOver(exchange, nanos);
        }
        debugOver(exchange, NotCompared.UNFRAMED);
    }

    /**
     * No more comes from debug on this connection.
     *
     * @param others exchanges that go on over another one, and with them those that are still being gathered; if there
     *     are none, nothing does
     */
    void debugGone(NotCompared reason, Map<Long, Exchange> others) {
        gone = reason;
        for (Exchange exchange : List.copyOf(open)) {
            boolean isGathered = !exchange.offered && !others.isEmpty();
            if (isGathered || others.containsKey(exchange.id)) {
                continue;
            }
            boolean cut = exchange.debug.begun() && !exchange.debug.complete() && reason == NotCompared.NO_DEBUG_REPLY;
            debugOver(exchange, cut ? NotCompared.INCOMPLETE : reason);
        }
    }

    /** What arrives from now on goes to debug on another connection, whose replies begin anew. */
    void debugBack() {
        gone = null;
        debugLeavesSince = 0;
        debug = debugReplies();
    }

    /**
     * Gives up what has stood still on the debug side for too long, on that JVM's own clock: not what stands at a
     * breakpoint with all the rest. Its reply may still come and is then passed over.
     *
     * @param held whether what is still to be delivered waits for others, rather than for the debug JVM
     */
    void timeOut(boolean held) {
        long now = shared.debugClock().read();
        long patience = settings.replyTimeout().toNanos();
        List<Exchange> late = new ArrayList<>();
        for (Exchange exchange : debug.expected()) {
            boolean waits = held && exchange.cuesWaiting > 0;
            boolean bothWait = exchange.request.waits() && !exchange.productionOver;
            if (!exchange.debugOver && !waits && !bothWait && now - exchange.progressOnClock > patience) {
                late.add(exchange);
            } else if (!bothWait) {
                judge.watch(exchange, now);
            }
        }
        late.forEach(exchange -> debugOver(exchange, NotCompared.TIMED_OUT));
    }

    /** Since when debug is about to close the connection, as it said; 0 if it isn't. */
    long debugLeavesSince() {
        return debugLeavesSince;
    }

    /** Whole requests that debug has to answer. */
    int owed() {
        return owed;
    }

    /** Bytes charged for what debug hasn't answered, and for what production did meanwhile. */
    long bytes() {
        return unansweredCharge + replies.used();
    }

    /** Whether any exchange has no verdict yet. */
    boolean pending() {
        return !open.isEmpty();
    }

    /** The exchanges that debug still owes a reply. */
    List<Exchange> unanswered() {
        return open.stream().filter(exchange -> !exchange.debugOver).toList();
    }

    private void debugOver(Exchange exchange, NotCompared reason) {
        if (exchange.undecided) {
            take(exchange);
        }
        if (!exchange.debugOver) {
            answered(exchange);
            debug.forget(exchange.request);
            exchange.fail(reason);
            shared.traffic().abandoned(System.nanoTime());
            finish(exchange);
        }
    }

    private void answered(Exchange exchange) {
        exchange.debugOver = true;
        exchange.debugOverNanos = System.nanoTime();
        tell(exchange);
        unansweredCharge -= exchange.charge;
        if (exchange.owed) {
            exchange.owed = false;
            owed--;
        }
    }

    private void productionOver(Exchange exchange, long nanos) {
        exchange.productionOver = true;
        exchange.productionOverNanos = nanos;
        shared.inbound().told(exchange.state(shown(exchange)));
        finish(exchange);
    }

    private void tell(Exchange exchange) {
        shared.inbound().told(exchange.state(null));
    }

    private @Nullable WordFilter shown(Exchange exchange) {
        if (!shared.inbound().wantsValues() || !exchange.production.complete()) {
            return null;
        }
        ValueWords words = new ValueWords();
        exchange.production.addTo(words);
        return WordFilter.of(words);
    }

    private void finish(Exchange exchange) {
        if (exchange.debugOver && (exchange.productionOver || exchange.failure != null)) {
            order.settled(exchange.ticket);
        }
        if (exchange.debugOver && exchange.productionOver && !exchange.judged) {
            exchange.judged = true;
            open.remove(exchange);
            if (!exchange.skipped) {
                judge.judge(exchange);
            }
            budget.release(exchange.charge);
            order.settled(exchange.ticket);
        }
    }

    /** An exchange ends in production with the later of its last request byte and its last reply byte. */
    private void tellOrder(Exchange exchange) {
        if (exchange.requestOver && exchange.production.complete() && !exchange.judged) {
            long end = exchange.production.endedNanos();
            order.ended(exchange.ticket, exchange.requestEndNanos - end > 0 ? exchange.requestEndNanos : end);
        }
    }

    private final class ProductionEnd implements ReplyStream.End<Exchange> {
        private final ReplyStream.End<Exchange> above;

        ProductionEnd(ReplyStream.End<Exchange> above) {
            this.above = above;
        }

        @Override
        public void ended(Exchange exchange) {
            tally.productionAnswered(exchange.production.endedNanos() - exchange.arrivedNanos);
            if (exchange.request.waits()) {
                exchange.progressOnClock = shared.debugClock().read();
            }
            productionLeaves |= exchange.production.isLast() && !exchange.request.waits();
            productionOver(exchange, exchange.production.endedNanos());
            tellOrder(exchange);
            above.ended(exchange);
        }

        @Override
        public void cut(Exchange exchange, long nanos) {
            exchange.fail(exchange.production.begun() ? NotCompared.INCOMPLETE : NotCompared.NO_PRODUCTION_REPLY);
            exchange.progressOnClock = shared.debugClock().read();
            productionOver(exchange, nanos);
        }

        @Override
        public void unread(Exchange exchange, long nanos) {
            exchange.fail(NotCompared.UNFRAMED);
            productionOver(exchange, nanos);
        }

        @Override
        public void unframed(String reason) {
            for (Exchange exchange : List.copyOf(open)) {
                if (!exchange.productionOver && !productionClosed) {
                    exchange.fail(NotCompared.UNFRAMED);
                    productionOver(exchange, System.nanoTime());
                }
            }
            above.unframed(reason);
        }
    }

    private final class DebugEnd implements ReplyStream.End<Exchange> {
        @Override
        public void heard(Exchange exchange, long nanos) {
            exchange.progressed(nanos, shared.debugClock().read());
        }

        @Override
        public void ended(Exchange exchange) {
            if (exchange.debug.isLast() && !exchange.request.waits()) {
                debugLeavesSince = System.nanoTime() | 1;
            }
            if (exchange.debugOver) {
                tally.debugAnsweredLate();
                return;
            }
            answered(exchange);
            tally.debugAnswered(exchange.debug.endedNanos() - exchange.handedNanos);
            shared.traffic().served(System.nanoTime());
            finish(exchange);
        }

        @Override
        public void cut(Exchange exchange, long nanos) {
            debugOver(exchange, exchange.debug.begun() ? NotCompared.INCOMPLETE : NotCompared.NO_DEBUG_REPLY);
        }

        @Override
        public void unread(Exchange exchange, long nanos) {
            debugOver(exchange, NotCompared.UNFRAMED);
        }

        @Override
        public void unframed(String reason) {
            for (Exchange exchange : List.copyOf(open)) {
                if (exchange.handed) {
                    debugOver(exchange, NotCompared.UNFRAMED);
                }
            }
        }
    }
}
