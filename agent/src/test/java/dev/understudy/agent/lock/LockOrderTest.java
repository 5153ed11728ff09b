package dev.understudy.agent.lock;

import dev.understudy.agent.bootstrap.lock.HeldLocks;
import dev.understudy.agent.bootstrap.lock.Nestings;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Locks are taken by hand. */
final class LockOrderTest {
    private final LockOrder order = new LockOrder(Nestings::poll);
    /** What is collected is in no order any more. */
    private final List<Object> living = new ArrayList<>();

    private final Object one = lock();
    private final Object other = lock();
    private int place;

    @BeforeEach
    void forget() {
        while (Nestings.poll() != null) {
            // of other tests
        }
    }

    @Test
    void aCircle_isFoundOfUpToSixLocks() {
        circle(6);
        assertThat(order.cycles())
                .singleElement()
                .satisfies(cycle -> assertThat(cycle.steps()).hasSize(6));
        circle(7);
        assertThat(order.cycles()).hasSize(1);
    }

    @Test
    void theSamePlaces_areToldOnce_ofWhicheverObjects() {
        for (int i = 0; i < 3; i++) {
            Object first = lock();
            Object second = lock();
            nest(first, 1, second, 2);
            nest(second, 3, first, 4);
        }

        assertThat(order.cycles()).hasSize(1);
    }

    @Test
    void circles_areToldUpToABound() {
        for (int i = 0; i < LockOrder.MOST_CYCLES + 5; i++) {
            circle(2);
        }

        assertThat(order.cycles()).hasSize(LockOrder.MOST_CYCLES);
    }

    @Test
    void theEldestOrder_isForgottenWhenThereAreTooMany() {
        nest(one, other);
        fill(LockOrder.MOST_EDGES);
        nest(other, one);

        assertThat(order.cycles()).isEmpty();
    }

    @Test
    void theOrdersOfLocksThatAreGone_areForgottenFirst() {
        nest(one, other);
        fill(LockOrder.MOST_EDGES - 1);
        living.clear();
        WeakReference<Object> gone = new WeakReference<>(new Object());
        do {
            System.gc(); // once at least: what isn't old may go before what is
        } while (gone.get() != null);
        fill(1);
        nest(other, one);

        assertThat(order.cycles()).hasSize(1);
    }

    /** From the other lock on so many ways lead nowhere, before the one that leads back. */
    @Test
    void aSearchThatTakesTooLong_isGivenUp() {
        mislead(22);
        assertThat(order.cycles()).isEmpty();
    }

    @Test
    void waysThatLeadNowhere_hideNoCircle() {
        mislead(5);

        assertThat(order.cycles()).hasSize(1);
    }

    private void mislead(int width) {
        List<Object> from = List.of(other);
        for (int layer = 0; layer < 3; layer++) {
            List<Object> to = Stream.generate(this::lock).limit(width).toList();
            from.forEach(held -> to.forEach(taken -> nest(held, taken)));
            from = to;
        }
        nest(other, one);
        nest(one, other);
    }

    private void fill(int edges) {
        Object held = lock();
        for (int i = 0; i < edges; i++) {
            nest(held, lock());
        }
    }

    private void circle(int locks) {
        List<Object> all = Stream.generate(this::lock).limit(locks).toList();
        for (int i = 0; i < locks; i++) {
            nest(all.get(i), all.get((i + 1) % locks));
        }
    }

    private Object lock() {
        Object lock = new Object();
        living.add(lock);
        return lock;
    }

    private void nest(Object held, Object taken) {
        place += 2;
        nest(held, place, taken, place + 1);
    }

    private void nest(Object held, int heldAt, Object taken, int takenAt) {
        HeldLocks locks = new HeldLocks((place, nanos) -> {});
        synchronized (held) {
            locks.taking(held, heldAt);
            locks.taking(taken, takenAt);
        }
        order.take();
    }
}
