package dev.understudy.relay.lane;

import dev.understudy.relay.deliver.Window;
import dev.understudy.relay.tap.Tap;

/**
 * What a lane tells the floor above it; all calls come from the lane's event loop, in order.
 *
 * <p>{@link #data} hands over ownership of its buffer, and the lane's charge for it has been given back by then: what
 * is kept must be charged anew, as {@link Window#offer} does. An observer that throws is told {@link #overflowed} with
 * {@link LossReason#INTERNAL}, and {@link #closed} at the connection's end.
 */
public interface LaneObserver extends Tap {
    /**
     * Whether there is room for more now. What happens after a no waits in the lane, in memory and then on disk, until
     * {@link Lane#resume} is called and the answer is yes.
     */
    default boolean hasRoom() {
        return true;
    }

    /** What isn't told yet begins at {@code oldestNanos}; told whenever that changes. */
    default void waits(long oldestNanos) {}

    /** Everything that had been handed to the lane is told. */
    default void waitsNoMore() {}

    /**
     * Something could not be copied. What waits was before that and is still told; then comes {@link #overflowed}.
     *
     * @param nanos when the first bytes were lost
     */
    default void overflowing(LossReason reason, long nanos) {}

    /**
     * Something of this connection could not be copied. No more {@link #data} or {@link #end} follows, only
     * {@link #closed}; by then {@link Lane#bytesLost} is the exact number of bytes that were not handed over.
     *
     * @param bytesLost bytes not handed over up to now, both directions together
     * @param nanos when the first of them was lost
     */
    void overflowed(LossReason reason, long bytesLost, long nanos);
}
