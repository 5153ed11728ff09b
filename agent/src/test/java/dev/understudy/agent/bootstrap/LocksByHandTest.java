package dev.understudy.agent.bootstrap;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.StampedLock;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** What woven code says of locks is said by hand. */
@ExtendWith(AllObserved.class)
final class LocksByHandTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String OWN = LocksByHandTest.class.getName();
    private static final int PLACE = 4_001;
    private static final int OTHER_PLACE = 4_002;
    /** Kinds from here on are about having a lock. */
    private static final int HELD = 4;

    private final int outer = Probes.CAPACITY / 2 + 61;
    private final int inner = Probes.CAPACITY / 2 + 62;
    private final Object lock = new Object();

    @Test
    void ofAnotherThread_orOfACallThatIsOver_nothingIsTold() throws InterruptedException {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Object first = Probes.enter(outer);
        Object second = Probes.enter(inner);
        Thread other = new Thread(() -> Locks.entering(lock, second, OTHER_PLACE));
        other.start();
        other.join();
        Probes.exit(second);
        Locks.entering(lock, second, OTHER_PLACE);
        Locks.entering(lock, first, PLACE);
        Probes.exit(first);
        ServedExchanges.exit(exchange);

        assertThat(places()).containsExactly(PLACE);
    }

    @Test
    void whatIsNotWhatItIsTakenFor_hurtsNobody() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Object token = Probes.enter(outer);
        Locks.reading(lock, token, PLACE);
        Locks.stamped(1, token, PLACE);
        Locks.trying(lock, token, OTHER_PLACE);
        Locks.tried(true, token, OTHER_PLACE);
        Locks.locking(null, token, OTHER_PLACE);
        Locks.unlocking(lock);
        Locks.unlocking(null);
        Probes.exit(token);
        ServedExchanges.exit(exchange);

        assertThat(places()).isEmpty();
    }

    @Test
    void aStampThatIsConvertedInACallThatIsOnlyCounted_isHeldInTheNewWay_fromItsOldPlace() {
        StampedLock stamped = new StampedLock();
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Object token = Probes.enter(outer);
        Locks.reading(stamped, token, PLACE);
        long read = stamped.readLock();
        Locks.stamped(read, token, PLACE);
        Locks.converting(stamped, read);
        long write = stamped.tryConvertToWriteLock(read);
        Locks.converted(write, null, OTHER_PLACE);
        Locks.unlocking(stamped);
        stamped.unlockWrite(write);

        long optimistic = stamped.tryOptimisticRead();
        Locks.converting(stamped, optimistic);
        write = stamped.tryConvertToWriteLock(optimistic);
        Locks.converted(write, null, OTHER_PLACE);
        Locks.unlocking(stamped);
        Probes.exit(token);
        ServedExchanges.exit(exchange);

        assertThat(heldPlaces()).containsExactly(PLACE);
    }

    @Test
    void timeThatAMethodInBetweenTook_isNobodysWait() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Object token = Probes.enter(outer);
        callThroughAnother(token);
        call(token);
        Probes.exit(token);
        ServedExchanges.exit(exchange);

        assertThat(places()).containsExactly(PLACE);
    }

    private void call(@Nullable Object token) {
        Locks.calling(token, OWN + "#call");
        linger();
        synchronizedMethod(PLACE);
    }

    private void callThroughAnother(@Nullable Object token) {
        Locks.calling(token, OWN + "#callThroughAnother");
        linger();
        between();
    }

    private void between() {
        synchronizedMethod(OTHER_PLACE);
    }

    private void synchronizedMethod(int place) {
        Object token = Probes.enter(inner);
        Locks.inside(lock, token, place);
        Probes.exit(token);
    }

    private static void linger() {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun <= Locks.LEAST_NANOS) {
            Thread.onSpinWait();
        }
    }

    /** Where it is told of waiting. */
    private static List<Integer> places() {
        return places(predicate -> predicate % ObservedPredicate.KINDS < HELD);
    }

    /** Where it is told of having. */
    private static List<Integer> heldPlaces() {
        return places(predicate -> predicate % ObservedPredicate.KINDS >= HELD);
    }

    private static List<Integer> places(IntPredicate which) {
        Observed observed = Objects.requireNonNull(Observations.poll());
        return Arrays.stream(observed.predicates())
                .filter(which)
                .map(predicate -> predicate / ObservedPredicate.KINDS - ObservedPredicate.BRANCHES)
                .filter(place -> place >= 0)
                .distinct()
                .boxed()
                .toList();
    }
}
