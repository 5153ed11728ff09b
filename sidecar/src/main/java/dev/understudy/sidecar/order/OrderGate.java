package dev.understudy.sidecar.order;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Admits bytes to the debug side once every exchange that ended in production before they arrived has ended there too.
 *
 * <p>Exchanges that ended in production and not in debug stand in a heap keyed by their end; bytes that arrived at
 * {@code a} may go when the earliest end is not before {@code a}. That is O(log n) for each exchange and O(1) for each
 * question. An exchange ends with the later of its last request byte and its last reply byte, so all its own bytes
 * precede its end and no two exchanges can wait for each other.
 *
 * <p>A lane that holds back what happened on its connection, since it has enough to do, holds back with it everything
 * that arrived later: what it hasn't told may be the end of an exchange.
 *
 * <p>Waiting is bounded: an exchange that was delivered (or leads the line) for {@code patience} on the
 * {@link DebugClock} without ending is passed over and counted, and so is at once whatever else debug owes on the same
 * connection, until it speaks there again. What goes to the debug JVM meanwhile goes out of order, and is marked so.
 * Safe for use by several threads; guarded by {@code this}, wakes are run outside the lock.
 */
public final class OrderGate {
    private final DebugClock clock;
    private final Horizon horizon;
    private final long patience;
    private final PriorityQueue<Ticket> unanswered = new PriorityQueue<>(OrderGate::byEnd);
    private final PriorityQueue<Ticket> passedOver = new PriorityQueue<>(OrderGate::byEnd);
    private final PriorityQueue<Turn> waiting = new PriorityQueue<>(byArrival());
    private final TreeSet<Turn> holding = new TreeSet<>(byHeld());
    private long turns;
    private long overtaken;

    /** A gate that waits at most {@code patience}, on {@code clock}, for one exchange. */
    public OrderGate(DebugClock clock, Horizon horizon, Duration patience) {
        this.clock = clock;
        this.horizon = horizon;
        this.patience = patience.toNanos();
    }

    /** A place for one lane; {@code wake} may run on any thread. */
    public synchronized Turn enter(Runnable wake) {
        return new Turn(this, wake, ++turns);
    }

    /**
     * The exchange's first bytes, which arrived at {@code arrivedNanos}, were handed to the debug JVM.
     *
     * @return whether that was out of order: debug still owes an exchange that had ended in production before
     */
    public synchronized boolean delivered(Ticket ticket, long arrivedNanos) {
        ticket.delivered = true;
        ticket.deliveredAt = clock.read();
        Ticket first = passedOver.peek();
        while (first != null && first.over) {
            passedOver.poll();
            first = passedOver.peek();
        }
        return first != null && first.endedNanos - arrivedNanos < 0;
    }

    /** The exchange ended in production at {@code endedNanos}. */
    public synchronized void ended(Ticket ticket, long endedNanos) {
        if (ticket.ended) {
            return;
        }
        ticket.ended = true;
        ticket.endedNanos = endedNanos;
        if (!ticket.settled) {
            unanswered.add(ticket);
        }
    }

    /** The exchange ended in debug, or nobody shall wait for it any longer. */
    public void settled(Ticket ticket) {
        List<Turn> woken;
        synchronized (this) {
            ticket.settled = true;
            ticket.over = true;
            woken = dropSettled();
        }
        woken.forEach(Turn::wake);
    }

    /** The horizon moved: whoever waited for it is looked at again. */
    public void moved() {
        List<Turn> woken;
        synchronized (this) {
            woken = dropSettled();
        }
        woken.forEach(Turn::wake);
    }

    /** Passes over what took too long; called several times a second. */
    public void tick() {
        List<Turn> woken;
        synchronized (this) {
            Ticket first = unanswered.peek();
            while (first != null && !waiting.isEmpty() && late(first)) {
                if (first.delivered && first.turn != null) {
                    first.turn.mute = true;
                }
                passOver(first);
                first = unanswered.peek();
            }
            woken = dropSettled();
        }
        woken.forEach(Turn::wake);
    }

    /**
     * How long ago the exchange ended in production that debug owes longest, or the oldest event happened that a lane
     * holds back, in nanoseconds; 0 if there is neither.
     */
    public synchronized long lag(long now) {
        Ticket first = unanswered.peek();
        long owed = first == null ? 0 : Math.max(0, now - first.endedNanos);
        return holding.isEmpty() ? owed : Math.max(owed, now - holding.first().heldNanos);
    }

    /** Counts a wait within one connection that took too long. */
    public synchronized void passOver() {
        overtaken++;
    }

    /** Exchanges that others stopped waiting for, because the debug JVM took too long: what the bound cost. */
    public synchronized long overtaken() {
        return overtaken;
    }

    /** Exchanges that ended in production and that debug still owes. */
    public synchronized int owed() {
        return unanswered.size();
    }

    synchronized void brings(Turn turn, Ticket ticket) {
        ticket.turn = turn;
    }

    synchronized boolean admits(Turn turn, long arrivedNanos) {
        if (turn.waiting) {
            waiting.remove(turn);
        }
        turn.arrivedNanos = arrivedNanos;
        turn.waiting = !free(turn);
        if (turn.waiting) {
            waiting.add(turn);
        }
        return !turn.waiting;
    }

    void leave(Turn turn) {
        synchronized (this) {
            waiting.remove(turn);
            turn.waiting = false;
        }
        holdsNothing(turn);
    }

    void holds(Turn turn, long nanos) {
        List<Turn> woken;
        synchronized (this) {
            if (turn.holding) {
                holding.remove(turn);
            }
            turn.holding = true;
            turn.heldNanos = nanos;
            holding.add(turn);
            woken = dropSettled();
        }
        woken.forEach(Turn::wake);
    }

    void holdsNothing(Turn turn) {
        List<Turn> woken = List.of();
        synchronized (this) {
            if (turn.holding) {
                holding.remove(turn);
                turn.holding = false;
                woken = dropSettled();
            }
        }
        woken.forEach(Turn::wake);
    }

    /** The horizon is asked last: it may send for news, which would be in vain while a lane holds news back. */
    private boolean free(Turn turn) {
        Ticket first = unanswered.peek();
        while (first != null && first.endedNanos - turn.arrivedNanos < 0 && first.turn != null && first.turn.mute) {
            passOver(first);
            first = unanswered.peek();
        }
        return (first == null || first.endedNanos - turn.arrivedNanos >= 0)
                && !heldBackBefore(turn.arrivedNanos)
                && horizon.passed(turn.arrivedNanos);
    }

    /** The first of those that debug owes. */
    private void passOver(Ticket first) {
        unanswered.poll();
        if (!first.settled) {
            first.settled = true;
            passedOver.add(first);
            overtaken++;
        }
    }

    private boolean heldBackBefore(long nanos) {
        return !holding.isEmpty() && holding.first().heldNanos - nanos < 0;
    }

    private List<Turn> dropSettled() {
        Ticket first = unanswered.peek();
        while (first != null && first.settled) {
            unanswered.poll();
            first = unanswered.peek();
        }
        List<Turn> woken = new ArrayList<>();
        Turn next = waiting.peek();
        while (next != null && free(next)) {
            waiting.poll();
            next.waiting = false;
            woken.add(next);
            next = waiting.peek();
        }
        return woken;
    }

    private boolean late(Ticket first) {
        if (!first.delivered && heldBackBefore(first.endedNanos)) {
            // its turn hasn't come yet, which is nobody's lateness
            first.leading = false;
            return false;
        }
        long now = clock.read();
        if (!first.leading) {
            first.leading = true;
            first.leadingSince = now;
        }
        return now - (first.delivered ? first.deliveredAt : first.leadingSince) > patience;
    }

    private static int byEnd(Ticket a, Ticket b) {
        return Long.signum(a.endedNanos - b.endedNanos);
    }

    private static Comparator<Turn> byHeld() {
        return (a, b) ->
                a.heldNanos == b.heldNanos ? Long.compare(a.number, b.number) : Long.signum(a.heldNanos - b.heldNanos);
    }

    private static Comparator<Turn> byArrival() {
        return (a, b) -> Long.signum(a.arrivedNanos - b.arrivedNanos);
    }
}
