package dev.understudy.agent.bootstrap.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a thread holds after it has made another stamp of a stamp. */
final class ConvertedStampsTest {
    private final List<Integer> times = new ArrayList<>();
    private final HeldLocks held = new HeldLocks(this::add);
    private final StampedLock lock = new StampedLock();
    private long sum;

    @BeforeEach
    @AfterEach
    void forget() {
        while (Nestings.poll() != null) {
            // of other tests
        }
    }

    @Test
    void aReader_whoGoesOnToWrite_writesFromThereOn() {
        long write = toWrite(read(1), 2);
        assertThat(write).isNotZero();
        assertThat(times).as("it reads no more").containsExactly(1);
        assertHolds(2, false);

        held.unlocks(lock);
        lock.unlockWrite(write);
        assertThat(times).containsExactly(1, 2);
        assertHoldsNothing();
    }

    @Test
    void aWriter_whoGoesOnToRead_readsFromThereOn() {
        long read = toRead(write(1), 2);
        assertThat(times).containsExactly(1);
        assertHolds(2, true);

        held.unlocks(lock);
        lock.unlockRead(read);
        assertThat(times).containsExactly(1, 2);
        assertHoldsNothing();
    }

    @Test
    void whoMayNotGoOnToWrite_readsAsBefore() {
        long read = read(1);
        long another = lock.readLock();
        assertThat(toWrite(read, 2)).isZero();
        assertThat(times).isEmpty();
        assertHolds(1, true);

        held.unlocks(lock);
        lock.unlockRead(read);
        lock.unlockRead(another);
        assertThat(times).containsExactly(1);
    }

    @Test
    void aStampThatStays_staysWithItsPlace() {
        long read = read(1);
        assertThat(toRead(read, 2)).isEqualTo(read);
        assertHolds(1, true);
        held.unlocks(lock);
        lock.unlockRead(read);

        long write = write(3);
        assertThat(toWrite(write, 4)).isEqualTo(write);
        assertHolds(3, false);
        assertThat(times).containsExactly(1);
    }

    @Test
    void whoGoesOnOptimistically_hasGivenItBack() {
        toOptimistic(read(1));
        assertHoldsNothing();
        toOptimistic(write(2));
        assertHoldsNothing();

        assertThat(times).containsExactly(1, 2);
        assertThat(lock.isReadLocked() || lock.isWriteLocked()).isFalse();
    }

    @Test
    void whoMayNotGoOnOptimistically_givesNothingBack() {
        long old = lock.readLock();
        lock.unlockRead(old);
        lock.unlockWrite(lock.writeLock());
        read(1);
        assertThat(toOptimistic(old)).isZero();
        assertThat(times).isEmpty();
        assertHolds(1, true);
    }

    @Test
    void anOptimisticStamp_besideALockThatIsHeld_isNotThatLock() {
        read(1);
        long optimistic = lock.tryOptimisticRead();
        assertThat(toOptimistic(optimistic)).isEqualTo(optimistic);
        assertThat(times).isEmpty();
        assertHolds(1, true);
    }

    @Test
    void whoWasOptimistic_hasItFromThereOn() {
        long read = toRead(lock.tryOptimisticRead(), 1);
        assertHolds(1, true);
        held.unlocks(lock);
        lock.unlockRead(read);
        toWrite(lock.tryOptimisticRead(), 2);
        assertHolds(2, false);
        held.unlocks(lock);

        assertThat(times).containsExactly(1, 2);
    }

    @Test
    void whoReadsAlready_andWasOptimisticBeside_readsTwice() {
        long first = read(1);
        long second = toRead(lock.tryOptimisticRead(), 2);
        assertThat(times).isEmpty();
        assertHolds(2, true, 1);

        held.unlocks(lock);
        lock.unlockRead(second);
        held.unlocks(lock);
        lock.unlockRead(first);
        assertThat(times).containsExactly(2, 1);
    }

    @Test
    void anotherLock_staysAsItIs() {
        long read = read(1);
        StampedLock other = new StampedLock();
        held.asks(other, LockKind.STAMPED_READ, false, 2);
        held.gets(2, other.readLock());
        toWrite(read, 3);

        held.taking(new Object(), 99);
        Nesting told = Objects.requireNonNull(Nestings.poll());
        assertThat(told.held()).extracting(Holding::place).containsExactly(3, 2);
        assertThat(told.held()).extracting(Holding::isShared).containsExactly(false, true);
    }

    @Test
    void bothTimesTogether_areNoLongerThanItWasHeld() {
        long begun = System.nanoTime();
        long read = read(1);
        while (System.nanoTime() - begun < 5_000_000) {
            Thread.onSpinWait();
        }
        toWrite(read, 2);
        held.unlocks(lock);

        assertThat(sum).isPositive().isLessThanOrEqualTo(System.nanoTime() - begun);
    }

    @Test
    void whoWasOptimisticInVain_hasNothing() {
        long optimistic = lock.tryOptimisticRead();
        lock.readLock();
        assertThat(toWrite(optimistic, 1)).isZero();
        assertHoldsNothing();
    }

    @Test
    void whatWasGotWhereNobodySaidSo_isHeldFromThereOn() {
        toWrite(lock.readLock(), 1);
        assertHolds(1, false);
        held.unlocks(lock);
        assertThat(times).containsExactly(1);
    }

    @Test
    void whoConverts_waitsForNobody() {
        ReentrantLock other = new ReentrantLock();
        held.asks(other, LockKind.REENTRANT, true, 1);
        other.lock();
        held.gets(1, 0);
        toRead(toWrite(toRead(lock.tryOptimisticRead(), 2), 3), 4);

        assertThat(Nestings.poll()).isNull();
        assertHolds(4, true, 1);
    }

    @Test
    void withoutANumber_itIsHeldInTheNewWay_fromItsOldPlace() {
        toWrite(read(1), 0);
        assertThat(times).isEmpty();
        assertHolds(1, false);
        held.unlocks(lock);
        assertThat(times).containsExactly(1);

        lock.tryUnlockWrite();
        toRead(lock.tryOptimisticRead(), 0);
        assertHoldsNothing();
    }

    @Test
    void locksThatTheApplicationHasMadeItself_areNotAsked() {
        StampedLock own = new StampedLock() {
            private static final long serialVersionUID = 1;

            @Override
            public boolean validate(long stamp) {
                throw new IllegalStateException("the application's code");
            }
        };
        convert(own, own.tryOptimisticRead(), own.tryWriteLock(), 1);
        convert(null, 1, 2, 1);
        assertHoldsNothing();
    }

    @Test
    void onceCleared_nothingComesOfAConversion() {
        held.converts(lock, lock.tryOptimisticRead());
        held.clear();
        held.converted(lock.writeLock(), 1);
        assertHoldsNothing();
    }

    private void add(int place, long nanos) {
        times.add(place);
        sum += nanos;
    }

    private long read(int place) {
        held.asks(lock, LockKind.STAMPED_READ, true, place);
        long stamp = lock.readLock();
        held.gets(place, stamp);
        return stamp;
    }

    private long write(int place) {
        held.asks(lock, LockKind.STAMPED_WRITE, true, place);
        long stamp = lock.writeLock();
        held.gets(place, stamp);
        return stamp;
    }

    private long toWrite(long stamp, int place) {
        held.converts(lock, stamp);
        long converted = lock.tryConvertToWriteLock(stamp);
        held.converted(converted, place);
        return converted;
    }

    private long toRead(long stamp, int place) {
        held.converts(lock, stamp);
        long converted = lock.tryConvertToReadLock(stamp);
        held.converted(converted, place);
        return converted;
    }

    private long toOptimistic(long stamp) {
        held.converts(lock, stamp);
        long converted = lock.tryConvertToOptimisticRead(stamp);
        held.converted(converted, 0);
        return converted;
    }

    private void convert(@Nullable StampedLock of, long before, long after, int place) {
        held.converts(of, before);
        held.converted(after, place);
    }

    /** As the order of locks sees it when another is taken; {@code around} are the places of those taken before. */
    private void assertHolds(int place, boolean shared, int... around) {
        held.taking(new Object(), 99);
        Nesting told = Objects.requireNonNull(Nestings.poll());
        assertThat(told.held()).hasSize(around.length + 1);
        Holding last = told.held().get(around.length);
        assertThat(last.lock()).isEqualTo(new LockRef(lock));
        assertThat(last.place()).isEqualTo(place);
        assertThat(last.isShared()).isEqualTo(shared);
        for (int i = 0; i < around.length; i++) {
            assertThat(told.held().get(i).place()).isEqualTo(around[i]);
        }
    }

    private void assertHoldsNothing() {
        held.taking(new Object(), 99);
        assertThat(Nestings.poll()).isNull();
    }
}
