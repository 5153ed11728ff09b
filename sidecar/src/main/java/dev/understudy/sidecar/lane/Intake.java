package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import dev.understudy.sidecar.tee.SnapshotMoment;
import dev.understudy.sidecar.tee.TeeSwitch;
import dev.understudy.sidecar.verdict.Tally;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the client sends, on its way into exchanges and the window; or as mere bytes, where it can't or shall not be
 * cut.
 *
 * <p>Confined to its lane loop.
 */
final class Intake implements RequestStream.Cut<Exchange> {
    /** The type of a TLS record that holds a handshake message (RFC 8446, section 5.1); no request begins so. */
    private static final byte HANDSHAKE = 0x16;

    /** Bytes of requests of which a later one decides. */
    private static final int MOST_HELD = 64 * 1024;

    private final Tally tally;
    private final Lane lane;
    private final Judge judge;
    private final Exchanges exchanges;
    private final DeliveryFactory copies;
    private final Consumer<Request> boundary;
    private Delivery delivery;
    private final Shedding shedding;
    private final Selection selection;
    private final TeeSwitch tee;
    private final UndecidedRequests holding;
    private final UndecidedRequests atSnapshot;
    private final WholeRequestBuffer gathering;
    private final RequestStream requests;
    private boolean begun;
    private boolean raw;
    private long lastArrivedNanos = Long.MIN_VALUE;
    private int behind;
    private boolean atOnce;

    /** Why the debug JVM wasn't told of the last request; {@link LossReason#NONE} if it was. */
    private LossReason leftOut = LossReason.NONE;

    /** @param boundary is told of each request before anything else is done about it, once its delivery has ended */
    Intake(
            LaneShared shared,
            LaneSettings settings,
            Tally tally,
            Lane lane,
            Judge judge,
            Exchanges exchanges,
            Delivery delivery,
            Shedding shedding,
            DeliveryFactory copies,
            Consumer<Request> boundary) {
        this.raw = !settings.framed();
        this.requests = shared.dialect(settings.protocol()).requests(this);
        this.tally = tally;
        this.lane = lane;
        this.judge = judge;
        this.exchanges = exchanges;
        this.delivery = delivery;
        this.shedding = shedding;
        this.copies = copies;
        this.boundary = boundary;
        this.selection = new Selection(settings.tee(), shedding);
        this.tee = settings.tee();
        this.holding = new UndecidedRequests(lane.budget(), MOST_HELD);
        this.atSnapshot = new UndecidedRequests(lane.budget(), Integer.MAX_VALUE);
        this.gathering = new WholeRequestBuffer(lane.budget());
    }

    /** Takes ownership of {@code data}. */
    void data(ByteBuf data, long nanos) {
        if (!raw && !begun && data.isReadable()) {
            begun = true;
            if (data.getByte(data.readerIndex()) == HANDSHAKE) {
                encrypted(nanos);
            }
        }
        if (raw) {
            delivery.offer(data, nanos, null);
        } else {
            requests.data(data, nanos);
        }
    }

    /** The client sends no more. */
    void end(long nanos) {
        if (!raw) {
            requests.end(nanos);
            settle();
            letGo();
        }
    }

    /** What follows are no requests any more, as production's reply said. */
    void leave(String reason) {
        if (!raw) {
            requests.leave(reason);
        }
    }

    /** What follows goes that way. */
    void deliverTo(Delivery another) {
        delivery = another;
    }

    /** Nothing follows. */
    void release() {
        copies.release();
        gathered();
        requests.release();
        atSnapshot.drain(held -> held.bytes().release());
        holding.drain(held -> held.bytes().release());
    }

    /** Production has answered all of a request. */
    void answered(Exchange exchange) {
        if (!exchange.selected && exchange.undecided) {
            settle();
        }
    }

    /** Whether requests are said at the same time, each on its {@link Request#stream}. */
    boolean isAtOnce() {
        return atOnce;
    }

    /** Whether bytes are carried without being cut. */
    boolean isRaw() {
        return raw;
    }

    @Override
    public @Nullable Exchange request(Request request, ByteBuf bytes, long arrivedNanos, long nanos) {
        atOnce |= request.stream() != 0;
        if (delivery.isOver()) {
            boundary.accept(request);
        }
        behind = arrivedNanos == lastArrivedNanos ? behind + 1 : 0;
        lastArrivedNanos = arrivedNanos;
        Exchange exchange = exchanges.open(request, arrivedNanos);
        if (exchange == null) {
            boolean full = lane.budget().used() > lane.budget().capacity() / 2;
            LossReason reason = full ? LossReason.OVERFLOW_LANE : LossReason.OVERFLOW_GLOBAL;
            delivery.overflowed(reason, nanos);
            delivery.offer(bytes, nanos, null);
            lane.giveUp(reason);
            return null;
        }
        exchange.behind = behind;
        if (exchange.unserved) {
            exchanges.leaveUnserved(exchange);
            pass(exchange, bytes, nanos);
            return exchange;
        }
        exchange.asked.add(bytes);
        copies.asked(request, bytes, exchange.production, exchange.debug);
        if (!mayBeInSnapshot(request, arrivedNanos)) {
            settle();
            select(exchange, nanos);
        } else if (atOnce) {
            leaveOrSelect(exchange, nanos);
        }
        pass(exchange, bytes, nanos);
        return exchange;
    }

    /** What belongs to the connection, and not to what is in memory, its copy needs in any case. */
    private boolean mayBeInSnapshot(Request request, long arrivedNanos) {
        SnapshotMoment moment = tee.snapshot();
        return request.part() != Request.Part.STATE
                && (tee.awaitsSnapshot() || (moment != null && moment.mayHave(arrivedNanos)));
    }

    /** Each that was kept until production answered it, or something else follows, goes its way. */
    private void settle() {
        atSnapshot.drain(held -> {
            Exchange exchange = held.exchange();
            if (!exchange.selected) {
                leaveOrSelect(exchange, held.nanos());
            }
            pass(exchange, held.bytes(), held.nanos());
            if (exchange.requestOver && !exchange.undecided && !exchange.skipped) {
                delivery.whole(exchange);
            }
        });
    }

    private void leaveOrSelect(Exchange exchange, long nanos) {
        SnapshotMoment moment = tee.snapshot();
        boolean had = moment != null
                && (exchange.production.complete()
                        ? moment.hasAnswered(exchange.arrivedNanos, exchange.production.endedNanos())
                        : moment.hasUnanswered(exchange.arrivedNanos));
        if (had) {
            exchange.selected = true;
            exchanges.passOver(exchange);
            leftOut = LossReason.NOT_SAMPLED;
        } else {
            select(exchange, nanos);
        }
    }

    private void select(Exchange exchange, long nanos) {
        exchange.selected = true;
        Selection.Fate fate = selection.next(exchange.request, delivery.isOver());
        if (fate == Selection.Fate.TORN) {
            delivery.overflowed(shedding.last(), nanos);
        } else if (fate != Selection.Fate.HOLD) {
            letGo(fate);
        }
        decide(exchange, fate);
        boolean isTaken = !exchange.undecided && !exchange.skipped && exchange.shed == LossReason.NONE;
        if (exchange.request.gathered() > 0 && isTaken && !exchange.requestOver) {
            gathering.begin(exchange);
        }
    }

    private void decide(Exchange exchange, Selection.Fate fate) {
        switch (fate) {
            case HOLD -> {}
            case SKIP -> exchanges.skip(exchange);
            case DELIVER, TORN -> exchanges.take(exchange);
            case SHED -> {
                exchanges.take(exchange);
                exchanges.shed(exchange);
                shedding.leaveOut(exchange);
            }
        }
        leftOut = exchange.skipped ? LossReason.NOT_SAMPLED : exchange.shed;
    }

    /** What is held goes the way of the rest. */
    private void letGo(Selection.Fate fate) {
        holding.drain(held -> {
            Exchange exchange = held.exchange();
            if (exchange.undecided) {
                decide(exchange, fate);
            }
            pass(exchange, held.bytes(), held.nanos());
            if (exchange.requestOver && !exchange.skipped) {
                delivery.whole(exchange);
            }
        });
    }

    private void letGo() {
        if (!holding.isEmpty()) {
            letGo(selection.release(delivery.isOver()));
        }
    }

    @Override
    public void body(Exchange exchange, ByteBuf bytes, long nanos) {
        exchange.asked.add(bytes);
        pass(exchange, bytes, nanos);
    }

    /** On its way; takes ownership of the bytes. */
    private void pass(Exchange exchange, ByteBuf bytes, long nanos) {
        if (!exchange.selected && !exchange.unserved) {
            if (!atSnapshot.add(new UndecidedRequests.Held(exchange, bytes, nanos))) {
                settle();
            }
        } else if (exchange.undecided) {
            if (!holding.add(new UndecidedRequests.Held(exchange, bytes, nanos))) {
                letGo();
            }
        } else if (exchange.skipped || exchange.unserved) {
            bytes.release();
        } else if (exchange.shed != LossReason.NONE) {
            shedding.bytes(exchange, bytes.readableBytes());
            bytes.release();
        } else if (gathering.of(exchange)) {
            if (!gathering.add(bytes, nanos)) {
                gathered();
            }
        } else {
            delivery.offer(bytes, nanos, exchange);
        }
    }

    /** What was gathered goes its way, whole or not. */
    private void gathered() {
        WholeRequestBuffer.Gathered all = gathering.take();
        if (all != null) {
            delivery.offer(all.bytes(), all.nanos(), all.exchange());
        }
    }

    @Override
    public void requestEnd(Exchange exchange, long nanos) {
        exchanges.requestOver(exchange, nanos);
        gathered();
        if (!exchange.undecided) {
            delivery.whole(exchange);
        }
    }

    /** Production has refused an upload before its end: debug's answer to the same beginning is compared. */
    @Override
    public boolean cutOff(Exchange exchange, long nanos) {
        boolean refused = exchange.production.complete();
        if (refused) {
            exchange.cutOff = true;
            requestEnd(exchange, nanos);
        }
        return refused;
    }

    @Override
    public void cancelled(int stream, long nanos) {
        Exchange exchange = exchanges.cancelled(stream, nanos);
        if (exchange != null) {
            delivery.whole(exchange);
        }
    }

    @Override
    public void unframed(@Nullable Exchange unfinished, NotCompared why, String reason, long nanos) {
        if (why == NotCompared.ENCRYPTED) {
            settle();
            letGo();
            encrypted(nanos);
            return;
        }
        raw = true;
        delivery.unframed();
        tally.unframed();
        settle();
        letGo();
        gathered();
        if (leftOut != LossReason.NONE && (why != NotCompared.SERVER_PUSH || selection.isTorn())) {
            // what follows belongs to a request that the debug JVM doesn't know
            delivery.overflowed(leftOut, nanos);
            lane.giveUp(leftOut);
        } else if (unfinished != null) {
            exchanges.unframed(unfinished, nanos);
            delivery.whole(unfinished);
        } else {
            judge.judgeBytes(why, "(bytes: " + reason + ")");
        }
    }

    private void encrypted(long nanos) {
        raw = true;
        tally.unframed();
        judge.judgeBytes(NotCompared.ENCRYPTED, "(TLS: not teeable)");
        delivery.end(LossReason.ENCRYPTED, nanos);
        lane.giveUp(LossReason.ENCRYPTED);
    }

    @Override
    public void unread(String reason, long nanos) {
        judge.judgeBytes(NotCompared.UNFRAMED, "(bytes: " + reason + ")");
    }

    @Override
    public void raw(ByteBuf bytes, long nanos) {
        delivery.offer(bytes, nanos, null);
    }
}
