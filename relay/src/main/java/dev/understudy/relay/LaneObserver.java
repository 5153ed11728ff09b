package dev.understudy.relay;

/**
 * What a lane tells the floor above it; all calls come from the lane's event loop, in order.
 *
 * <p>{@link #data} hands over ownership of its buffer, and the lane's charge for it has been given back by then: what is
 * kept must be charged anew, as {@link Window#offer} does. An observer that throws is told {@link #overflowed} with
 * {@link LossReason#INTERNAL}, and {@link #closed} at the connection's end.
 */
public interface LaneObserver extends Tap {
    /**
     * Something of this connection could not be copied. No more {@link #data} or {@link #end} follows, only
     * {@link #closed}; by then {@link Lane#bytesLost} is the exact number of bytes that were not handed over.
     *
     * @param bytesLost bytes not handed over up to now, both directions together
     * @param nanos when the first of them was lost
     */
    void overflowed(LossReason reason, long bytesLost, long nanos);
}
