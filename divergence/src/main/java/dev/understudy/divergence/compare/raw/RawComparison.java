package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Compares what production and debug say on one connection, turn by turn, as it arrives and in bounded memory: one
 * class, since where a turn ends on one side follows from the other side's state.
 *
 * <p>Where a turn ends is production's: the client speaks again. Debug's bytes are cut by production's lengths, which
 * is right as long as all lengths before were equal. So a reply of another length ends the comparison of its
 * connection; it is known by what debug had said when it was told the client's next bytes. What it had said too much
 * then isn't held against it if production goes on to say the same: that client asks before it is answered.
 *
 * <p>What one side says first waits for the other one. What finds no room is compared by a hash, turn by turn. Leaves
 * the positions of the buffers that it is given alone. Confined to one thread.
 */
public final class RawComparison {
    private final ByteBudget room;
    private final HeldBytes held;
    private final TurnSink sink;
    /** Those that have no verdict yet. */
    private final Deque<RawTurn> open = new ArrayDeque<>();
    /** Those whose replies aren't compared to their ends. */
    private final Deque<RawTurn> uncompared = new ArrayDeque<>();

    private final TurnTracker telling = new TurnTracker();
    private final Ends ends = new Ends();
    private @Nullable RawTurn current;
    private @Nullable RawTurn last;
    private long turns;
    private long asked;
    private long production;
    private long debug;
    private long compared;
    private long overFrom = Long.MAX_VALUE;
    private NotCompared overReason = NotCompared.INTERNAL;

    /**
     * Of a connection on which nothing has been said.
     *
     * @param most how many bytes are held at most, beside some for each turn
     */
    public RawComparison(int most, ByteBudget room, TurnSink sink) {
        this.room = room;
        this.held = new HeldBytes(most, room);
        this.sink = sink;
    }

    /**
     * The client said {@code data}, which arrived at {@code nanos} of whatever clock: told of the turn that begins with
     * it.
     */
    public void client(ByteBuffer data, long nanos) {
        if (!data.hasRemaining() || ends.isProductionOver()) {
            return;
        }
        RawTurn turn = current;
        if (turn == null || turn.replied()) {
            turn = begin();
        }
        turn.arrivedNanos = turn.asked == 0 ? nanos : turn.arrivedNanos;
        turn.request.add(data);
        turn.asked += data.remaining();
        asked += data.remaining();
        if (turn.request.isTls()) {
            giveUp(turn.number, NotCompared.ENCRYPTED);
        }
        settle();
    }

    /** The client says nothing more. */
    public void clientEnd() {
        ends.client(production);
    }

    /** Production said {@code data}. */
    public void production(ByteBuffer data) {
        if (!data.hasRemaining() || ends.isProductionOver()) {
            return;
        }
        RawTurn turn = current == null ? begin() : current;
        turn.reply.add(data);
        turn.to += data.remaining();
        if (turn.reply.isTls()) {
            giveUp(turn.number, NotCompared.ENCRYPTED);
        }
        ByteBuffer said = data.duplicate();
        while (said.hasRemaining() && !isOver(turn) && production < debug) {
            if (held.length() == 0) {
                giveUp(turn.number, NotCompared.OVERFLOW);
            } else {
                ByteBuffer first = held.first();
                int part = Math.min(said.remaining(), first.remaining());
                compare(turn, HeldBytes.next(said, part), HeldBytes.next(first, part), production);
                production += part;
                held.drop(part);
            }
        }
        if (said.hasRemaining() && !isOver(turn) && ends.debugOver() == null) {
            keep(turn, said);
        }
        production += said.remaining();
        advance();
        settle();
    }

    /** Production has ended its direction. */
    public void productionEnd() {
        ends.productionEnded();
    }

    /** Debug said {@code data} at {@code nanos}, by {@code System.nanoTime()}. */
    public void debug(ByteBuffer data, long nanos) {
        if (ends.debugOver() != null) {
            return;
        }
        telling.heard(data, nanos);
        ByteBuffer said = data.duplicate();
        advance();
        for (RawTurn turn = uncompared.peek();
                turn != null && said.hasRemaining() && debug < production;
                turn = uncompared.peek()) {
            int part = (int) Math.min(said.remaining(), turn.pieceEnd(debug) - debug);
            if (debug >= turn.hashedFrom()) {
                turn.hashDebug(HeldBytes.next(said, part));
            } else {
                ByteBuffer first = held.first();
                part = Math.min(part, first.remaining());
                compare(turn, HeldBytes.next(first, part), HeldBytes.next(said, part), debug);
                held.drop(part);
            }
            debug += part;
            advance();
        }
        if (!isStopped() && held.length() == debug - production) {
            int before = said.remaining();
            held.add(said);
            debug += before - said.remaining();
        }
        debug += said.remaining();
        settle();
    }

    /** Debug has ended its direction. */
    public void debugEnd() {
        if (ends.debugOver() == null) {
            ends.debugEnded();
            debugOver(NotCompared.DEBUG_CLOSED);
        }
    }

    /** Debug is told {@code count} further bytes of the client at {@code nanos}, by {@code System.nanoTime()}. */
    public void told(int count, long nanos) {
        telling.told(count);
        for (RawTurn turn = telling.next(debug, nanos); turn != null; turn = telling.next(debug, nanos)) {
            bound(turn.previous);
        }
        settle();
    }

    /** Debug was told that the client says nothing more. */
    public void toldEnd() {
        ends.toldEnd(debug, production);
    }

    /** Debug says nothing more; what it hasn't said isn't compared for {@code reason}. */
    public void debugOver(NotCompared reason) {
        if (ends.debugOver() == null) {
            ends.debugOver(reason);
            open.forEach(this::bound);
            settle();
            finish();
        }
    }

    /**
     * Production says nothing more, nor does the client.
     *
     * @param cut why that may not be all; null if it is
     */
    public void productionOver(@Nullable NotCompared cut) {
        if (!ends.isProductionOver()) {
            if (turns == 0 && debug > 0) {
                begin();
            }
            ends.productionOver(cut);
            close();
            settle();
            finish();
        }
    }

    private RawTurn begin() {
        close();
        RawTurn turn = new RawTurn(++turns, asked, production, last);
        NotCompared gone = ends.debugOver();
        if (gone != null && debug <= production) {
            giveUp(turn.number, gone);
        }
        if (!isOver(turn) && !turn.charge(room)) {
            giveUp(turn.number, NotCompared.OVERFLOW);
        }
        if (turn.number <= overFrom) {
            telling.asked(turn);
        }
        if (!isOver(turn)) {
            open.add(turn);
            uncompared.add(turn);
        }
        current = turn;
        last = turn;
        return turn;
    }

    /** The client has spoken again, or all is said. */
    private void close() {
        RawTurn turn = current;
        current = null;
        if (turn != null) {
            turn.closed = true;
            if (isOver(turn)) {
                overlook(turn);
            }
            if (ends.debugOver() != null) {
                bound(turn);
            }
            advance();
        }
    }

    /** Production's bytes that debug hasn't said yet. */
    private void keep(RawTurn turn, ByteBuffer said) {
        if (turn.hashedFrom() == Long.MAX_VALUE) {
            int before = said.remaining();
            held.add(said);
            production += before - said.remaining();
            if (said.hasRemaining()) {
                turn.hash(production);
            }
        }
        turn.hashProduction(said);
    }

    private void compare(RawTurn turn, ByteBuffer ours, ByteBuffer theirs, long offset) {
        if (turn.hashedFrom() <= offset) {
            turn.hashProduction(ours);
            turn.hashDebug(theirs);
            return;
        }
        if (!turn.differs()) {
            int differs = ours.mismatch(theirs);
            int equal = differs < 0 ? ours.remaining() : differs;
            turn.same(HeldBytes.next(ours, equal));
            HeldBytes.next(theirs, equal);
            if (differs >= 0) {
                differs(turn, offset + differs);
            }
        }
        turn.showProduction(ours);
        turn.showDebug(theirs);
    }

    private void differs(RawTurn turn, long offset) {
        RawTurn before = turn.previous;
        if (before != null && !before.judged && before.spoken > offset) {
            ByteBuffer further = held.first();
            HeldBytes.next(further, (int) (offset - production));
            before.showDebug(further);
            otherLength(before);
        } else {
            turn.differs(offset);
            if (turn.bounded) {
                otherLength(turn);
            }
        }
    }

    private void otherLength(RawTurn turn) {
        turn.length(turn.spoken - turn.from);
        uncompared.remove(turn);
        giveUp(turn.number + 1, NotCompared.MISALIGNED);
    }

    /**
     * Debug is told now what the client said next, or never will be: by then it should have said what production had.
     */
    private void bound(@Nullable RawTurn turn) {
        if (turn == null || turn.judged || turn.bounded || !turn.closed) {
            return;
        }
        turn.bounded = true;
        turn.spoken = debug;
        ends.told(debug, turn.to);
        if (debug != turn.to && turn.differs() && ends.debugOver() == null) {
            otherLength(turn);
        }
    }

    private void giveUp(long from, NotCompared reason) {
        if (from >= overFrom) {
            return;
        }
        overFrom = from;
        overReason = reason;
        uncompared.removeIf(this::isOver);
        telling.forget(from);
        while (!open.isEmpty() && isOver(open.getLast())) {
            RawTurn turn = open.removeLast();
            turn.release(room);
            if (turn.closed) {
                overlook(turn);
            }
        }
        if (isStopped()) {
            held.clear();
        }
    }

    private boolean isOver(RawTurn turn) {
        return turn.number >= overFrom;
    }

    /** Whether nothing that is still said is compared. */
    private boolean isStopped() {
        return overFrom < Long.MAX_VALUE && uncompared.isEmpty();
    }

    /** A turn that isn't compared; of those that are encrypted one stands for all. */
    private void overlook(RawTurn turn) {
        if (overReason != NotCompared.ENCRYPTED || turn.number == overFrom) {
            turn.tell(sink, Verdict.notCompared(overReason));
        }
    }

    private void advance() {
        for (RawTurn turn = uncompared.peek();
                turn != null && turn.closed && debug >= turn.to;
                turn = uncompared.peek()) {
            uncompared.remove();
            compared = turn.to;
            turn.compareHashes();
            if (turn.differs() && turn.bounded && turn.spoken < turn.to) {
                otherLength(turn);
            }
        }
        if (isStopped()) {
            held.clear();
        } else {
            compared = Math.min(production, debug);
        }
    }

    private void settle() {
        for (RawTurn turn = open.peek(); turn != null && isSettled(turn); turn = open.peek()) {
            open.remove();
            judge(turn);
        }
    }

    private boolean isSettled(RawTurn turn) {
        if (!turn.closed) {
            return false;
        }
        if (turn.hasOtherLength() || (ends.debugOver() != null && debug < turn.to)) {
            return true;
        }
        return debug >= turn.to && turn.bounded && (compared >= turn.spoken || isStopped());
    }

    /** Nobody says anything more: what debug said beyond production's end, it said too much. */
    private void finish() {
        if (!ends.isProductionOver() || ends.debugOver() == null) {
            return;
        }
        RawTurn end = last;
        if (end != null && debug > production && !isOver(end)) {
            RawTurn before = end.previous;
            RawTurn longer = before != null && !before.judged && before.spoken > production ? before : end;
            longer.spoken = longer == end ? debug : longer.spoken;
            longer.showDebug(held.first());
            otherLength(longer);
        }
        while (!open.isEmpty()) {
            judge(open.remove());
        }
        held.clear();
    }

    private void judge(RawTurn turn) {
        boolean whole = compared >= turn.spoken;
        turn.judged = true;
        turn.previous = null;
        turn.release(room);
        turn.tell(sink, ends.verdict(turn, turn == last, debug, held.first(), whole, overReason));
        uncompared.remove(turn);
        if (isStopped()) {
            held.clear();
        }
    }
}
