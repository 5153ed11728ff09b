package dev.understudy.relay.lane;

import dev.understudy.relay.tap.CloseReason;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The floor above one lane: its observer, made at the first need and told each thing once. What it throws is told to
 * whoever owns the lane, and goes no further. Confined to its lane loop.
 */
final class GuardedObserver {
    private final Supplier<LaneObserver> maker;
    private final Consumer<Throwable> failed;

    private @Nullable LaneObserver observer;
    private boolean made;
    private boolean overflowTold;
    private boolean lossTold;
    private boolean endTold;
    private boolean waitTold;
    private long waitNanos;

    GuardedObserver(Supplier<LaneObserver> maker, Consumer<Throwable> failed) {
        this.maker = maker;
        this.failed = failed;
    }

    /** Whether there is anybody to tell: only a defect while it was made leaves nobody. */
    boolean isThere() {
        if (!made) {
            made = true;
            try {
                observer = maker.get();
            } catch (Throwable e) {
                failed.accept(e);
            }
        }
        return observer != null;
    }

    boolean hasRoom() {
        return asked(LaneObserver::hasRoom);
    }

    /** Tells it of {@code entry}, and passes on the ownership of its bytes. */
    void tell(TapEntry entry) {
        LaneObserver told = Objects.requireNonNull(observer);
        try {
            entry.tell(told);
        } catch (Throwable e) {
            failed.accept(e);
        }
    }

    /** Something is lost, although not all of what was before it is told. */
    void overflowing(LaneLoss.Cause lost) {
        if (!overflowTold) {
            overflowTold = true;
            guarded(told -> told.overflowing(lost.reason(), lost.nanos()));
        }
    }

    /** Everything is told up to what is lost; says whether this is news to anybody. */
    boolean overflowed(LaneLoss.Cause lost, long bytes) {
        if (observer == null || lossTold || endTold) {
            return false;
        }
        lossTold = true;
        guarded(told -> told.overflowed(lost.reason(), bytes, lost.nanos()));
        return true;
    }

    /** Everything is told, and nothing will follow; says whether this is news. */
    boolean closed(CloseReason reason, long nanos) {
        if (endTold) {
            return false;
        }
        endTold = true;
        guarded(told -> told.closed(reason, nanos));
        return true;
    }

    /** What isn't told yet began at {@code nanos}. */
    void waits(long nanos) {
        if (!waitTold || nanos != waitNanos) {
            waitTold = true;
            waitNanos = nanos;
            guarded(told -> told.waits(nanos));
        }
    }

    void waitsNoMore() {
        if (waitTold) {
            waitTold = false;
            guarded(LaneObserver::waitsNoMore);
        }
    }

    private void guarded(Consumer<LaneObserver> call) {
        LaneObserver told = observer;
        if (told != null) {
            try {
                call.accept(told);
            } catch (Throwable e) {
                failed.accept(e);
            }
        }
    }

    private boolean asked(Predicate<LaneObserver> question) {
        LaneObserver told = observer;
        try {
            return told != null && question.test(told);
        } catch (Throwable e) {
            failed.accept(e);
            return false;
        }
    }
}
