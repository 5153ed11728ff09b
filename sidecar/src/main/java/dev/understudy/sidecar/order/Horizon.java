package dev.understudy.sidecar.order;

/**
 * How far the lanes have come in telling what happened in production.
 *
 * <p>Lanes work beside the relay and beside each other, so one of them may hold a request whose predecessor's end
 * still waits in the queue of another. Nothing may be decided about a moment that the horizon hasn't passed.
 */
@FunctionalInterface
public interface Horizon {
    /** Everything is known at once: for one connection on its own. */
    Horizon NONE = nanos -> true;

    /** Whether every end up to {@code nanos} has been reported. Once true for a moment, it stays true. */
    boolean passed(long nanos);
}
