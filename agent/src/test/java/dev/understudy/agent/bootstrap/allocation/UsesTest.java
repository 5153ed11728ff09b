package dev.understudy.agent.bootstrap.allocation;

import dev.understudy.agent.bootstrap.AgentFaults;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class UsesTest {
    private final List<Counting> followed = new ArrayList<>();

    @BeforeEach
    void look() {
        Allocations.allow(true);
    }

    @AfterEach
    void forget() {
        Allocations.allow(false);
        followed.forEach(Uses::unfollow);
    }

    @Test
    void usesOfAFollowedObject_areTold_ofNoOtherAndNoLonger() {
        Object cart = new Object();
        Object other = new Object();
        Counting counting = follow(cart);
        Uses.used(cart);
        Uses.used(other);
        Uses.used(cart);
        assertThat(counting.used).hasValue(2);

        Uses.unfollow(counting);
        Uses.used(cart);
        assertThat(counting.used).hasValue(2);
    }

    @Test
    void usesWhileNothingMayBeLookedAt_areOnlyMissed() {
        Object cart = new Object();
        Counting counting = follow(cart);
        Allocations.allow(false);
        Uses.used(cart);

        assertThat(counting.used).hasValue(0);
        assertThat(counting.missed).hasValue(1);
    }

    @Test
    void usesByALookItself_dontCount_andWhatItThrowsGoesNoFurther() {
        Object cart = new Object();
        AtomicInteger looks = new AtomicInteger();
        Counting counting = new Counting(cart) {
            @Override
            protected void used() {
                looks.incrementAndGet();
                Uses.used(cart);
                throw new IllegalStateException("no");
            }
        };
        followed.add(counting);
        Uses.follow(counting);
        int before = AgentFaults.count();
        long spent = Allocations.spentNanos();
        Uses.used(cart);
        Uses.used(cart);

        assertThat(looks).hasValue(2);
        assertThat(AgentFaults.count() - before).isEqualTo(2);
        assertThat(Allocations.spentNanos()).isGreaterThan(spent);
    }

    @Test
    void aLookAtANewObject_thatFails_isCounted_andTheObjectIsMade() {
        int number = Allocations.CAPACITY - 1;
        int before = AgentFaults.count();
        Allocations.set(number, new Allocation() {
            @Override
            protected int next() {
                return 1;
            }

            @Override
            protected void made(Object object) {
                throw new IllegalStateException("no");
            }
        });
        Allocations.made(this, number);
        Allocations.made(this, number);
        Allocations.set(number, null);

        assertThat(AgentFaults.count() - before).isEqualTo(2);
        assertThat(Looks.isLooking()).isFalse();
    }

    @Test
    void theTable_holdsNoObject_andGivesItsPlaceToAnother() {
        List<Object> kept = new ArrayList<>();
        WeakReference<Object> first = fill(kept);
        kept.clear();
        while (first.get() != null) {
            System.gc();
        }
        long full = Uses.full();
        for (int i = 0; i < Uses.CAPACITY / 8; i++) {
            Object object = new Object();
            kept.add(object);
            follow(object);
        }

        assertThat(Uses.full() - full)
                .as("an eighth of the table, of which few buckets run over")
                .isLessThan(100);
    }

    @Test
    void moreThanThereIsRoomFor_arentFollowed_andCounted() {
        List<Object> kept = new ArrayList<>();
        long full = Uses.full();
        fill(kept);
        kept.forEach(Uses::used);

        long used =
                followed.stream().filter(counting -> counting.used.get() == 1).count();
        assertThat(used).isLessThanOrEqualTo(Uses.CAPACITY).isGreaterThan(Uses.CAPACITY / 2);
        assertThat(used).isEqualTo(2L * Uses.CAPACITY - (Uses.full() - full));
    }

    @Test
    void manyThreads_followUseAndLeaveAtTheSameTime_andLoseNone() throws Exception {
        int threads = 4;
        CountDownLatch begin = new CountDownLatch(1);
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                } catch (InterruptedException stop) {
                    wrong.incrementAndGet();
                }
                for (int i = 0; i < 20_000; i++) {
                    Object object = new Object();
                    Counting counting = new Counting(object);
                    if (Uses.follow(counting)) {
                        Uses.used(object);
                        wrong.addAndGet(counting.used.get() == 1 ? 0 : 1);
                        Uses.unfollow(counting);
                    }
                }
            });
            thread.start();
            all.add(thread);
        }
        begin.countDown();
        for (Thread thread : all) {
            thread.join();
        }

        assertThat(wrong).hasValue(0);
    }

    private WeakReference<Object> fill(List<Object> kept) {
        for (int i = 0; i < 2 * Uses.CAPACITY; i++) {
            Object object = new Object();
            kept.add(object);
            follow(object);
        }
        return new WeakReference<>(kept.get(0));
    }

    private Counting follow(Object object) {
        Counting counting = new Counting(object);
        followed.add(counting);
        Uses.follow(counting);
        return counting;
    }

    private static class Counting extends Followed {
        final AtomicInteger used = new AtomicInteger();
        final AtomicInteger missed = new AtomicInteger();

        Counting(Object object) {
            super(object);
        }

        @Override
        protected void used() {
            used.incrementAndGet();
        }

        @Override
        protected void missed() {
            missed.incrementAndGet();
        }
    }
}
