package dev.understudy.divergence.compare.raw;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Which turn's request debug is told, and so which one it answers; and whether that is known.
 *
 * <p>It is as long as debug, whenever a request begins, has said exactly what production had said by then. Once it has
 * said more, its client asks before it is answered, or its server speaks unasked: where a reply ends is a guess there
 * from then on. Confined to one thread.
 */
final class TurnTracker {
    /** Those whose request debug hasn't been told. */
    private final Deque<RawTurn> untold = new ArrayDeque<>();

    private @Nullable RawTurn last;
    private long told;
    private boolean apart = true;

    /** A turn begins, whose request debug will be told after all before. */
    void asked(RawTurn turn) {
        untold.add(turn);
    }

    /** Debug won't be told the requests of turns after that one, or nobody wants to know. */
    void forget(long number) {
        untold.removeIf(turn -> turn.number > number);
    }

    /** Debug is told {@code count} further bytes; {@link #next} says of whom they are the first. */
    void told(int count) {
        told += count;
    }

    /**
     * The next turn that debug has been told of, or null.
     *
     * @param debug how many bytes it has said by then
     */
    @Nullable
    RawTurn next(long debug, long nanos) {
        RawTurn turn = untold.peek();
        if (turn == null || turn.askedFrom >= told) {
            return null;
        }
        untold.remove();
        if (turn.asked > 0) {
            apart &= debug == turn.from;
            if (apart) {
                turn.told(nanos);
            }
            last = turn;
        }
        return turn;
    }

    /** Debug said that, to the last turn that it was told of. */
    void heard(ByteBuffer data, long nanos) {
        if (last != null) {
            last.heard(data, nanos);
        }
    }
}
