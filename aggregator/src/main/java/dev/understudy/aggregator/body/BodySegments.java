package dev.understudy.aggregator.body;

import dev.understudy.relay.stream.SpilledBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pieces of one body, in order: where they lie, or that they are on their way. Guarded by {@code this}; no callback
 * runs under the lock.
 */
final class BodySegments implements Runnable {
    private final LargeBodies store;
    private final List<@Nullable SpilledBlock> places = new ArrayList<>();
    private final List<Consumer<Boolean>> waiting = new ArrayList<>(0);
    private int underway;
    private boolean sealed;
    private boolean discarded;
    private long bytes;
    private @Nullable Loss loss;

    BodySegments(LargeBodies store) {
        this.store = store;
    }

    /** One more is on its way; its number. */
    synchronized int next(int length) {
        underway++;
        places.add(null);
        bytes += length;
        return places.size() - 1;
    }

    /** The one of this number lies there, or couldn't be written. */
    void written(int number, @Nullable SpilledBlock place) {
        List<Consumer<Boolean>> told;
        boolean whole;
        synchronized (this) {
            underway--;
            if (place == null) {
                lost(Loss.FAILED);
            } else if (discarded) {
                store.free(place);
            } else {
                places.set(number, place);
            }
            whole = whole();
            told = settled();
        }
        told.forEach(one -> one.accept(whole));
    }

    /** There are no others. */
    void seal() {
        List<Consumer<Boolean>> told;
        boolean whole;
        synchronized (this) {
            sealed = true;
            whole = whole();
            told = settled();
        }
        told.forEach(one -> one.accept(whole));
    }

    /** All that an earlier process left of it: null if that isn't all. */
    void found(@Nullable List<SpilledBlock> all, long length) {
        List<Consumer<Boolean>> told;
        boolean whole;
        synchronized (this) {
            sealed = true;
            if (all == null) {
                lost(Loss.FAILED);
            } else if (discarded) {
                all.forEach(store::free);
            } else {
                places.addAll(all);
                bytes = length;
                store.lives(length);
            }
            whole = whole();
            told = settled();
        }
        told.forEach(one -> one.accept(whole));
    }

    private boolean whole() {
        return loss == null && !discarded;
    }

    private List<Consumer<Boolean>> settled() {
        if (!sealed || underway > 0) {
            return List.of();
        }
        List<Consumer<Boolean>> told = List.copyOf(waiting);
        waiting.clear();
        return told;
    }

    /** Tells, once all of it is written, whether all of it could be. */
    void whenSettled(Consumer<Boolean> then) {
        boolean whole;
        synchronized (this) {
            if (!sealed || underway > 0) {
                waiting.add(then);
                return;
            }
            whole = whole();
        }
        then.accept(whole);
    }

    synchronized void lost(Loss why) {
        if (loss == null) {
            loss = why;
        }
    }

    synchronized @Nullable Loss loss() {
        return loss;
    }

    /** Where the piece of this number lies; null if there is none. */
    synchronized @Nullable SpilledBlock place(int number) {
        return number < places.size() && !discarded ? places.get(number) : null;
    }

    /** Nobody wants them any more. Does nothing the second time. */
    synchronized void discard() {
        if (!discarded) {
            discarded = true;
            store.lives(-bytes);
            for (SpilledBlock place : places) {
                if (place != null) {
                    store.free(place);
                }
            }
            places.clear();
        }
    }

    /** Whoever had the body has forgotten it. */
    @Override
    public void run() {
        discard();
    }
}
