package dev.understudy.agent.bootstrap.lock;

import dev.understudy.agent.bootstrap.AgentFaults;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class HeldLocksTest {
    private final List<Integer> times = new ArrayList<>();
    private final HeldLocks held = new HeldLocks((place, nanos) -> times.add(place));
    private final ReentrantLock first = new ReentrantLock();
    private final ReentrantLock second = new ReentrantLock();
    private final ReentrantLock third = new ReentrantLock();

    @BeforeEach
    @AfterEach
    void forget() {
        drain();
    }

    @Test
    void aLockThatIsTakenAgain_isNoNews() {
        take(first, 1);
        take(first, 2);
        synchronized (first) {
            held.taking(first, 3);
            held.taking(first, 4);
        }

        assertThat(drain()).as("its monitor is another lock").singleElement().satisfies(nesting -> {
            assertThat(nesting.held()).extracting(Holding::place).containsExactly(1);
            assertThat(nesting.taken().place()).isEqualTo(3);
        });
    }

    @Test
    void aLockThatWasGivenBack_isHeldNoMore() {
        take(first, 1);
        take(second, 2);
        first.unlock();
        drain();
        take(new ReentrantLock(), 3);

        assertThat(drain()).singleElement().satisfies(nesting -> {
            assertThat(nesting.held()).extracting(Holding::lock).containsExactly(new LockRef(second));
            assertThat(nesting.held()).extracting(Holding::place).containsExactly(2);
        });
        second.unlock();
    }

    @Test
    void theSameLocksAtTheSamePlaces_areToldOnce() {
        for (int i = 0; i < 3; i++) {
            take(first, 1);
            take(second, 2);
            second.unlock();
            first.unlock();
        }

        assertThat(drain()).hasSize(1);
    }

    @Test
    void beyondSixteen_aLockIsNotKnownToBeHeld() {
        for (int place = 1; place <= HeldLocks.MOST + 4; place++) {
            take(new ReentrantLock(), place);
        }

        List<Nesting> told = drain();
        assertThat(told).hasSize(HeldLocks.MOST + 3);
        assertThat(told.get(told.size() - 1).held())
                .hasSize(HeldLocks.MOST)
                .extracting(Holding::place)
                .doesNotContain(HeldLocks.MOST + 1);
    }

    @Test
    void whatNobodyFetches_isDroppedAndCounted_andToldTheNextTime() {
        long dropped = Nestings.dropped();
        take(first, 1);
        List<Object> locks = new ArrayList<>();
        for (int i = 0; i < Nestings.CAPACITY + 7; i++) {
            locks.add(new Object());
            held.taking(locks.get(i), 2);
        }
        assertThat(Nestings.dropped() - dropped).isEqualTo(7);
        assertThat(drain()).hasSize(Nestings.CAPACITY);

        held.taking(locks.get(locks.size() - 1), 2);
        assertThat(drain()).hasSize(1);
    }

    @Test
    void onlyLocksOfTheJdkItself_areAskedWhetherTheyAreHeld() {
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        StampedLock stamped = new StampedLock();

        assertThat(LockKind.of(first)).isEqualTo(LockKind.REENTRANT);
        assertThat(LockKind.of(both.writeLock())).isEqualTo(LockKind.WRITE);
        assertThat(LockKind.of(both.readLock())).isEqualTo(LockKind.READ);
        assertThat(LockKind.of(stamped.asReadLock())).isEqualTo(LockKind.STAMPED_READ);
        assertThat(LockKind.of(stamped.asWriteLock())).isEqualTo(LockKind.STAMPED_WRITE);
        assertThat(LockKind.STAMPED_READ.of(stamped)).isEqualTo(LockKind.STAMPED_READ);
        assertThat(LockKind.STAMPED_READ.of(new StampedLock() {
                    private static final long serialVersionUID = 1;

                    @Override
                    public boolean validate(long stamp) {
                        throw new IllegalStateException("the application's code");
                    }
                }))
                .isEqualTo(LockKind.UNKNOWN);
        assertThat(LockKind.of(new ReentrantLock() {
                    private static final long serialVersionUID = 1;

                    @Override
                    public boolean isHeldByCurrentThread() {
                        throw new IllegalStateException("the application's code");
                    }
                }))
                .isEqualTo(LockKind.UNKNOWN);
    }

    @Test
    void aWait_isThatOfThePlaceThatAskedLast_andToldOnce() {
        held.asks(null, LockKind.UNKNOWN, true, 3);

        assertThat(held.asked(4)).isNegative();
        assertThat(held.asked(3)).isNotNegative();
        assertThat(held.asked(3)).isNegative();
    }

    @Test
    void aLockThatIsTakenAgainAtOnePlace_isNoSecondWait() {
        take(first, 3);
        held.asks(first, LockKind.REENTRANT, true, 3);

        assertThat(held.asked(3)).isNegative();
    }

    @Test
    void aReadLock_andTheWriteLockOfTheSame_areOne() {
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        take(both.readLock(), 1);
        take(first, 2);
        both.readLock().unlock();
        take(both.writeLock(), 3);

        List<Nesting> told = drain();
        assertThat(told).hasSize(2);
        assertThat(told.get(1).taken().lock())
                .isEqualTo(told.get(0).held().get(0).lock());
        assertThat(told.get(0).held().get(0).isShared()).isTrue();
        assertThat(told.get(1).taken().isShared()).isFalse();
    }

    @Test
    void aLockThatIsNotWhatItIsTakenFor_isItsOwn_andCounted() {
        int before = AgentFaults.count();

        assertThat(LockViews.common(first)).isSameAs(first);
        assertThat(LockViews.readHolds(new ReentrantReadWriteLock().writeLock()))
                .isZero();
        assertThat(AgentFaults.count() - before).isEqualTo(1);
        assertThat(LockViews.readHolds(first)).isZero();
        assertThat(AgentFaults.count() - before).isEqualTo(3);
    }

    @Test
    void aStampedLockThatWasGivenBackUnseen_isHeldNoMore_whoeverHasIt() {
        StampedLock lock = new StampedLock();
        held.asks(lock, LockKind.STAMPED_WRITE, true, 1);
        long stamp = lock.writeLock();
        held.gets(1, stamp);
        lock.unlockWrite(stamp);
        long another = lock.writeLock();
        take(first, 2);
        assertThat(drain()).isEmpty();

        held.unlocks(lock);
        assertThat(times).as("not that one").isEmpty();
        lock.unlockWrite(another);
    }

    @Test
    void aMonitor_isGivenBackByTheCallThatTookIt() {
        Object lock = new Object();
        synchronized (lock) {
            long begun = System.nanoTime();
            held.taking(lock, 1);
            held.got(1, 2, false);
            held.leaves(lock, 3, System.nanoTime());
            held.leaves(lock, 2, System.nanoTime());
            assertThat(times).as("another took it again and gave that back").isEmpty();
            held.exits(2, begun);
            assertThat(times).as("a block of the call, not all of it").isEmpty();
            held.leaves(lock, 2, begun);
        }

        assertThat(times).containsExactly(1);
    }

    @Test
    void aSynchronizedMethodsMonitor_isGivenBackWhereTheCallEnds() {
        Object lock = new Object();
        synchronized (lock) {
            long begun = System.nanoTime();
            held.taking(lock, 1);
            held.got(1, 2, true);
            held.exits(3, begun);
            held.exits(2, System.nanoTime());
            assertThat(times).isEmpty();
            held.exits(2, begun);
        }

        assertThat(times).containsExactly(1);
    }

    @Test
    void aLockThatWasAskedForInVain_isHeldNoTime() {
        held.asks(first, LockKind.REENTRANT, false, 1);
        held.pauses();
        held.resumes();
        held.unlocks(first);

        assertThat(times).isEmpty();
    }

    @Test
    void locksThatAreNotGivenBackInTurn_areToldOfEach() {
        List<ReentrantLock> locks = List.of(first, second, third);
        for (int place = 1; place <= locks.size(); place++) {
            take(locks.get(place - 1), place);
        }
        held.unlocks(first);
        held.unlocks(third);
        held.unlocks(second);

        assertThat(times).containsExactly(1, 3, 2);
        locks.forEach(ReentrantLock::unlock);
    }

    @Test
    void whoCalls_isToldOnce_toTheCallOfThatDepth() {
        held.calling("com.shop.Cart#add", 2);
        assertThat(held.caller(3)).isNull();
        assertThat(held.caller(2)).isEqualTo("com.shop.Cart#add");
        held.called();

        assertThat(held.caller(2)).isNull();
    }

    @Test
    void onceCleared_nothingIsLeftOfTheExchange() {
        take(first, 1);
        held.asks(null, LockKind.UNKNOWN, true, 2);
        held.calling("com.shop.Cart#add", 3);
        held.clear();
        take(second, 4);

        assertThat(drain()).isEmpty();
        assertThat(held.asked(2)).isNegative();
        assertThat(held.caller(3)).isNull();
    }

    @Test
    void aReference_isEqualForTheSameLock_andKeepsItFromNobody() {
        String lock = new String("lock");
        LockRef one = new LockRef(lock);
        assertThat(one).isEqualTo(new LockRef(lock)).hasSameHashCodeAs(new LockRef(lock));
        assertThat(one).isNotEqualTo(new LockRef(new String(lock)));
        LockRef gone = new LockRef(new Object());
        WeakReference<Object> collected = new WeakReference<>(new Object());
        while (collected.get() != null) {
            System.gc();
        }

        assertThat(gone.get()).isNull();
        assertThat(gone).isNotEqualTo(new LockRef(lock));
        assertThat(one.get()).isSameAs(lock);
    }

    private void take(Lock lock, int place) {
        held.asks(lock, LockKind.of(lock), true, place);
        lock.lock();
        held.gets(place, 0);
    }

    private static List<Nesting> drain() {
        List<Nesting> all = new ArrayList<>();
        for (Nesting next = Nestings.poll(); next != null; next = Nestings.poll()) {
            all.add(Objects.requireNonNull(next));
        }
        return all;
    }
}
