package dev.understudy.sidecar.lane;

import dev.understudy.divergence.wire.Protocol;
import dev.understudy.relay.deliver.DebugEvent;
import dev.understudy.relay.deliver.DebugObserver;
import dev.understudy.relay.deliver.DebugPeer;
import dev.understudy.relay.deliver.Deliverer;
import dev.understudy.relay.deliver.Gate;
import dev.understudy.relay.deliver.Window;
import dev.understudy.relay.lane.Lane;
import dev.understudy.relay.lane.LossReason;
import dev.understudy.sidecar.frame.Opening;
import dev.understudy.sidecar.order.OrderGate;
import dev.understudy.sidecar.order.Turn;
import dev.understudy.sidecar.verdict.LossLog;
import dev.understudy.sidecar.verdict.Tally;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of one connection's bytes to the debug JVM: window, order gate, last changes, socket; and where it ends, in
 * one class since any of these can end it.
 * Whatever goes wrong on the debug side ends in {@link #end}, which counts and logs it once. Confined to its lane loop.
 */
final class Delivery implements Gate, DebugObserver {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final long RAW = -1;
    private static final Duration RAW_PATIENCE = Duration.ofSeconds(2);
    /** So long a debug JVM that said so has time to close the connection. */
    private static final long LEAVING_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LaneShared shared;
    private final LaneSettings settings;
    private final Tally tally;
    private final Exchanges exchanges;
    private final DebugReplyObserver above;
    private final Lane lane;
    private final Window window;
    private final Deliverer deliverer;
    private final Turn turn;
    private final LaneLosses losses;

    private final Deque<Exchange> undelivered = new ArrayDeque<>();
    private final RawOrder rawOrder;
    private final DeliveryRewriter teller;
    private @Nullable LossReason ended;
    private boolean connected;
    private boolean atOnce;
    private boolean unframed;
    private boolean held;
    private long progressAt;
    private long waitingSince;
    private boolean toldAll;
    private @Nullable Opening opening;

    /** @param opening what the debug JVM has to agree to before anything else is delivered; null for nothing */
    Delivery(
            LaneShared shared,
            LaneSettings settings,
            Tally tally,
            DebugPeer peer,
            OrderGate order,
            Exchanges exchanges,
            LossLog lossLog,
            Lane lane,
            @Nullable Opening opening,
            DebugReplyObserver above) {
        this.shared = shared;
        this.settings = settings;
        this.tally = tally;
        this.exchanges = exchanges;
        this.above = above;
        this.lane = lane;
        this.opening = opening;
        this.window = new Window(lane.budget());
        this.deliverer = new Deliverer(shared.loops(), lane.loop(), peer, window, this, this);
        this.turn = order.enter(this::wake);
        this.rawOrder = new RawOrder(shared.debugClock(), RAW_PATIENCE, settings.replyTimeout(), order::passOver);
        this.teller =
                new DeliveryRewriter(shared.dialect(settings.protocol()), settings.framed(), lane.budget(), exchanges);
        this.losses = new LaneLosses(tally, lossLog, lane.connection(), window);
        tally.laneOpened();
    }

    /** Takes ownership of bytes of {@code exchange}, or of none. */
    void offer(ByteBuf data, long nanos, @Nullable Exchange exchange) {
        if (exchange != null && ended == null && !exchange.settledDelivery && !exchange.offered) {
            exchange.offered = true;
            undelivered.add(exchange);
            teller.expect(exchange);
            atOnce |= exchange.request.stream() != 0;
            if (!atOnce) {
                turn.brings(exchange.ticket);
            }
        }
        if (exchange != null && !atOnce) {
            rawOrder.framed();
        } else {
            rawOrder.offered(data);
        }
        if (window.size() == 0) {
            waitingSince = System.nanoTime();
        }
        if (!window.offer(new DebugEvent.Bytes(data, nanos, exchange == null ? RAW : exchange.id))) {
            end(refusal(), nanos);
            losses.event();
            losses.bytes();
            if (exchange != null) {
                losses.lose(exchange);
            }
        } else if (exchange != null) {
            exchange.cuesWaiting++;
        }
    }

    /**
     * Adds the end of the client's input, or of the connection.
     *
     * @param raw whether what precedes it is told in the order of bytes
     */
    void offer(DebugEvent end, boolean raw) {
        if (ended != null) {
            return;
        }
        if (!window.offer(end)) {
            end(refusal(), end.nanos());
        } else if (raw) {
            rawOrder.offered();
        }
    }

    /** The request of {@code exchange} has no further bytes. */
    void whole(Exchange exchange) {
        if (exchange.requestOver && exchange.cuesWaiting == 0 && !exchange.settledDelivery) {
            exchange.settledDelivery = true;
            exchange.delivered = true;
            undelivered.remove(exchange);
            tally.fidelity().delivered();
        }
    }

    /** What follows may be requests that nobody tells apart. */
    void unframed() {
        unframed = true;
    }

    /** No request has further bytes. */
    void settle() {
        List.copyOf(undelivered).forEach(this::whole);
    }

    /** Production sent {@code data} to the client; it stays as it is. */
    void productionReplied(ByteBuf data) {
        rawOrder.productionReplied(data);
    }

    /** Goes on as far as possible. */
    void pump() {
        if (!settings.tee().holdsBack()) {
            deliverer.pump();
        }
    }

    /** Goes on after a pause, in which the debug JVM couldn't do anything wrong. */
    void resume() {
        progressAt = shared.debugClock().read();
        pump();
    }

    /**
     * Gives the debug JVM up if it couldn't be reached for too long, or if it takes nothing any more on a connection
     * whose client has left, or doesn't answer its opening: what such a lane holds would be held for ever.
     */
    void timeOut(long now, boolean clientLeft) {
        if (settings.tee().holdsBack()) {
            return;
        }
        long waitsSince = Math.max(waitingSince - now, settings.tee().deliveringSince() - now);
        if (!connected
                && window.size() > 0
                && -waitsSince > settings.connectWait().toNanos()) {
            end(deliverer.lacksSocket() ? LossReason.NO_DESCRIPTORS : LossReason.DEBUG_UNREACHABLE, now);
            return;
        }
        long leaves = exchanges.debugLeavesSince();
        if (leaves != 0 && window.size() > 0 && now - leaves > LEAVING_NANOS) {
            end(LossReason.DEBUG_CLOSED, now);
            return;
        }
        boolean owed = opening != null || (clientLeft && window.size() > 0 && !held);
        if (connected && owed && clock() - progressAt > settings.replyTimeout().toNanos()) {
            end(LossReason.DEBUG_STALLED, now);
        }
    }

    /** A debug JVM that stands still as a whole makes no connection's lane late, as long as there is room to wait. */
    private long clock() {
        return settings.patient()
                ? shared.debugClock().lively()
                : shared.debugClock().read();
    }

    /** The lane holds back what happened from {@code nanos} on. */
    void waits(long nanos) {
        if (ended == null) {
            turn.holds(nanos);
        }
    }

    /** The lane holds back nothing. */
    void waitsNoMore() {
        turn.holdsNothing();
    }

    /** Bytes charged for what the debug JVM still has to be told. */
    long bytes() {
        return window.bytes();
    }

    /** Whether the order of things, or the operator, holds back what comes next, rather than the debug JVM. */
    boolean held() {
        return held || settings.tee().holdsBack();
    }

    /** The copy has a hole, so it ends here. */
    void overflowed(LossReason reason, long nanos) {
        end(reason, nanos);
        losses.event();
    }

    /** Whether there is still something to wait for. */
    boolean pending() {
        return ended == null && window.size() > 0;
    }

    /** The debug side of this connection is over, for a reason found here or above. */
    void end(LossReason reason, long nanos) {
        if (ended != null) {
            return;
        }
        ended = reason;
        turn.leave();
        Remainder rest = mayGoOn(reason) ? Remainder.of(window, undelivered) : Remainder.NONE;
        undelivered.removeIf(exchange -> rest.exchanges().containsKey(exchange.id));
        window.clear(reason);
        deliverer.close();
        if (connected) {
            connected = false;
            tally.laneConnected(-1);
        }
        losses.because(reason);
        List<Exchange> unanswered = exchanges.unanswered().stream()
                .filter(exchange -> !rest.exchanges().containsKey(exchange.id))
                .toList();
        boolean owed = !undelivered.isEmpty() || !unanswered.isEmpty();
        undelivered.forEach(losses::lose);
        undelivered.clear();
        teller.release();
        if (reason != LossReason.NONE && owed) {
            unanswered.forEach(losses::retract);
            losses.event();
        }
        if (!above.debugGone(reason, nanos, rest) && !rest.isEmpty()) {
            rest.lose(window, losses);
            losses.event();
        }
        losses.bytes();
    }

    /** Only where this connection brought the debug JVM on: else it would be tried again and again. */
    private boolean mayGoOn(LossReason reason) {
        boolean closed = reason == LossReason.DEBUG_CLOSED || reason == LossReason.DEBUG_RESET;
        return closed && teller.handedAny() && !atOnce && !unframed;
    }

    /** Whether the debug JVM was told the end of the client's input, and everything before. */
    boolean toldAll() {
        return toldAll;
    }

    boolean isOver() {
        return ended != null;
    }

    @Override
    public boolean admits(DebugEvent cue) {
        if (settings.tee().holdsBack() || opening != null) {
            return false;
        }
        if (exchanges.debugLeavesSince() != 0 && isFramed(cue) && !atOnce) {
            return false;
        }
        boolean admitted = (isAboutConnection(cue) || turn.admits(due(cue)))
                && ((isFramed(cue) && !atOnce) || rawOrder.admits(System.nanoTime()));
        if (held) {
            progressAt = clock();
        }
        held = !admitted;
        if (admitted && !(cue instanceof DebugEvent.Bytes)) {
            deliverer.tell(teller.rest());
        }
        return admitted;
    }

    /**
     * What the cue must not overtake is what had ended by then. A connection without exchanges waits as a whole, before
     * its first byte: its peers may hold locks in the debug server that only its own next bytes release.
     */
    private long due(DebugEvent cue) {
        return settings.protocol() == Protocol.TCP ? lane.connection().acceptedNanos() : cue.nanos();
    }

    /** What is said beside requests that are said at the same time may be what lets them go on. */
    private boolean isAboutConnection(DebugEvent cue) {
        return atOnce && !unframed && cue instanceof DebugEvent.Bytes && !isFramed(cue);
    }

    private static boolean isFramed(DebugEvent cue) {
        return cue instanceof DebugEvent.Bytes bytes && bytes.exchange() != RAW;
    }

    @Override
    public ByteBuf outgoing(DebugEvent.Bytes cue) {
        above.told(cue, deliverer.port(), deliverer.prefaced());
        ByteBuf told = teller.outgoing(cue, deliverer.port());
        if (teller.stuck()) {
            lane.loop().execute(() -> end(LossReason.REENCODED, System.nanoTime()));
        }
        return told;
    }

    @Override
    public void connected() {
        if (ended == null) {
            connected = true;
            progressAt = clock();
            tally.laneConnected(1);
            teller.before(deliverer.prefaced());
            if (opening != null) {
                ByteBuf said = opening.bytes();
                teller.before(said.readableBytes());
                opening = said.isReadable() ? opening : null;
                deliverer.tell(said);
            }
        }
    }

    @Override
    public void delivered(DebugEvent cue, long nanos) {
        lane.resume();
        progressAt = clock();
        if (!(cue instanceof DebugEvent.Bytes bytes)) {
            toldAll = true;
            above.told(cue, deliverer.port(), deliverer.prefaced());
            return;
        }
        int length = isFramed(cue) && !atOnce ? 0 : rawOrder.delivered();
        if (!isFramed(cue)) {
            tally.fidelity().rawDelivered(length);
            return;
        }
        for (Exchange exchange : undelivered) {
            if (exchange.id == bytes.exchange()) {
                exchange.cuesWaiting--;
                exchange.progressed(nanos, shared.debugClock().read());
                whole(exchange);
                return;
            }
        }
    }

    @Override
    public void reply(ByteBuf data, long nanos) {
        shared.debugClock().life(nanos);
        if (opening != null) {
            Opening.Heard heard = opening.heard(data);
            if (heard != Opening.Heard.DONE) {
                data.release();
                if (heard == Opening.Heard.REFUSED) {
                    end(LossReason.SESSION_REFUSED, nanos);
                }
                return;
            }
            opening = null;
            progressAt = clock();
        }
        turn.spoke();
        rawOrder.debugReplied(data, nanos);
        above.debugReply(data, nanos);
    }

    @Override
    public void replyEnd(long nanos) {
        shared.debugClock().life(nanos);
        rawOrder.debugEnded();
        above.debugReplyEnd(nanos);
    }

    /** Now, and not once the window is closed: what waits in it may go on over another connection. */
    @Override
    public void gone(LossReason reason, long nanos) {
        end(reason, nanos);
    }

    @Override
    public void closed(LossReason reason, long nanos) {
        end(reason, nanos);
        losses.bytes();
        tally.laneEnded();
    }

    private LossReason refusal() {
        LossReason closed = window.closed();
        return closed != null ? closed : window.refusal();
    }

    private void wake() {
        try {
            lane.loop().execute(this::pump);
        } catch (RejectedExecutionException stopped) {
            LOG.debug(
                    "connection {}: its lane loop has ended", lane.connection().id());
        }
    }
}
