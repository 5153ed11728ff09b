package dev.understudy.agent.bootstrap;

import dev.understudy.agent.Fuzz;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(AllObserved.class)
final class ObservationsTest {
    private static final String SPAN = "b7ad6b7169203331";
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-" + SPAN + "-01";

    private final int outer = Probes.CAPACITY / 2 + 11;
    private final int inner = Probes.CAPACITY / 2 + 12;

    @Test
    void predicates_areHandedOverInTheOrderInWhichTheyCameTrue() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Object first = Probes.enter(outer);
        Object second = Probes.enter(inner);
        Probes.thrown(new IllegalStateException(), second);
        Object third = Probes.enter(inner);
        Probes.exit(-3, third);
        Probes.exit((Object) null, first);
        ServedExchanges.thrown(new IllegalArgumentException(), exchange);

        Observed observed = taken();
        assertThat(observed.span()).isEqualTo(SPAN);
        assertThat(observed.escaped()).isEqualTo("java.lang.IllegalArgumentException");
        assertThat(observed.whole()).isTrue();
        assertThat(timeless(observed))
                .containsExactly(
                        outer * 16 + ObservedPredicate.CALLED,
                        inner * 16 + ObservedPredicate.CALLED,
                        inner * 16 + ObservedPredicate.THREW,
                        inner * 16 + ObservedPredicate.NEGATIVE,
                        outer * 16 + ObservedPredicate.NULL);
    }

    /** As the threads of a server do whose clients say goodbye: they read that, and end. */
    @Test
    void threadsThatEndInTheMidstOfAnExchange_blindNobody() throws InterruptedException {
        for (int i = 0; i < 2 * Observations.GROUPS; i++) {
            Thread server = new Thread(() -> {
                ServedExchanges.begin(HEADER);
                Probes.enter(outer);
            });
            server.start();
            server.join();
        }
        AllObserved.anew();
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Probes.exit(Probes.enter(inner));
        ServedExchanges.exit(exchange);

        assertThat(timeless(taken())).containsExactly(inner * 16 + ObservedPredicate.CALLED);
        assertThat(Observations.poll()).isNull();
    }

    @Test
    void anExchangeThatDoesNotEnd_isToldOfOnceAsItStands() {
        int waiting = Probes.CAPACITY / 2 + 17;
        int spinning = Probes.CAPACITY / 2 + 18;
        for (int i = 0; i < 20; i++) {
            TypicalDuration.judge(waiting, TimeUnit.MINUTES.toNanos(5));
            TypicalDuration.judge(spinning, 1_000);
        }
        Observations.tellOpen(0); // what other tests have left open
        AllObserved.anew();
        ServedExchange exchange = Objects.requireNonNull(ServedExchanges.begin(HEADER));
        Object first = Probes.enter(waiting);
        Object second = Probes.enter(spinning);
        Observations.tellOpen(TimeUnit.HOURS.toNanos(1));
        assertThat(Observations.poll()).as("it is young").isNull();
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < 1_000_000) {
            Thread.onSpinWait();
        }
        Observations.tellOpen(1);
        Observations.tellOpen(1);

        Observed soFar = taken();
        assertThat(soFar.open()).isTrue();
        assertThat(soFar.whole()).isTrue();
        assertThat(soFar.span()).isEqualTo(SPAN);
        int[] told = {
            waiting * 16 + ObservedPredicate.CALLED,
            spinning * 16 + ObservedPredicate.CALLED,
            spinning * 16 + ObservedPredicate.SLOW
        };
        assertThat(soFar.predicates()).containsExactly(told);
        assertThat(Observations.poll()).as("once").isNull();
        long muchLater = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
        Observation observation = Objects.requireNonNull(exchange.observation);
        assertThat(Objects.requireNonNull(observation.soFar(exchange, muchLater))
                        .predicates())
                .as("the outer one only waits for the inner one")
                .containsExactly(told);

        Probes.exit(second);
        Probes.exit(first);
        ServedExchanges.exit(exchange);
        assertThat(taken().open()).as("and of its end").isFalse();
        Observations.tellOpen(0);
        assertThat(Observations.poll()).isNull();
    }

    /** As event loops do that never come back from a request: none of the others may be blind for it. */
    @Test
    void exchangesThatDoNotEnd_blindOnlyTheirOwnGroups() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> stuck = new ArrayList<>();
        for (int i = 0; i < 2 * Probes.STRIPES; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            Thread thread = OtherThreads.freshThread(() -> {
                ServedExchange exchange = Objects.requireNonNull(ServedExchanges.begin(HEADER));
                Probes.enter(outer);
                begun.countDown();
                HandoverTest.await(over);
                ServedExchanges.exit(exchange);
            });
            thread.start();
            begun.await();
            stuck.add(thread);
        }
        long crowded = Observations.crowded();
        AtomicInteger observed = new AtomicInteger();
        for (int i = 0; i < Observations.GROUPS; i++) {
            OtherThreads.onGroup(i, () -> {
                one(inner);
                observed.addAndGet(Observations.poll() == null ? 0 : 1);
            });
        }
        over.countDown();
        for (Thread thread : stuck) {
            thread.join();
        }

        assertThat(observed.get()).isEqualTo(Observations.GROUPS - stuck.size());
        assertThat(Observations.crowded() - crowded).isEqualTo(stuck.size());
        for (int i = 0; i < stuck.size(); i++) {
            assertThat(timeless(taken())).as("of its own calls alone").containsExactly(outer * 16);
        }
        assertThat(Observations.poll()).isNull();
    }

    @Test
    void theNextExchange_knowsNothingOfTheLast() {
        one(inner);
        taken();
        one(outer);

        assertThat(timeless(taken())).containsExactly(outer * 16);
    }

    @Test
    void whoCalledAMethodFirst_isTold() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Object first = Probes.enter(outer);
        Probes.exit(Probes.enter(inner));
        Probes.exit(first);
        Probes.exit(Probes.enter(inner));
        ServedExchanges.exit(exchange);

        assertThat(taken().calls()).containsExactly(inner, outer);
    }

    @Test
    void anotherThreadOfTheStripe_isNotTakenForTheObservedOne() throws Exception {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        for (int i = 0; i < Observations.GROUPS * 2; i++) {
            Thread other = new Thread(() -> Probes.exit(Probes.enter(inner)));
            other.start();
            other.join();
        }
        ServedExchanges.exit(exchange);

        assertThat(taken().predicates()).isEmpty();
    }

    @Test
    void manyCalls_areBoundedAndTold() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        for (int i = 0; i < 3 * Observation.MOST_CALLS; i++) {
            Probes.exit(Probes.enter(Probes.CAPACITY / 2 + 100 + i % 15_000));
        }
        ServedExchanges.exit(exchange);

        Observed observed = taken();
        assertThat(observed.whole()).isFalse();
        assertThat(observed.predicates().length).isLessThanOrEqualTo(Observation.MOST_EVENTS);
    }

    @Test
    void aLoopOverOneMethod_leavesTheExchangeWhole() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        for (int i = 0; i < 10_000; i++) {
            Probes.exit(Probes.enter(inner));
        }
        ServedExchanges.exit(exchange);

        assertThat(taken().whole()).isTrue();
    }

    @Test
    void callsThatAreOnlyCounted_costAsMuchAsThatDoes() {
        Observations.price(40, 4);
        long before = Observations.calls();
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        for (int i = 0; i < Observation.CALLS_OF_ONE + 1_000; i++) {
            Probes.exit(Probes.enter(inner));
        }
        ServedExchanges.exit(exchange);

        assertThat(Observations.calls() - before).isEqualTo(Observation.CALLS_OF_ONE + 100);
    }

    @Test
    void countingACall_isCheaperThanLookingAtIt() {
        assertThat(Observations.countedNanos()).isPositive().isLessThan(Observations.callNanos());
    }

    @Test
    void aGateThatClosesMeanwhile_makesTheExchangeNotWhole() {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Gates.set(false, Gates.CAPACITY - 3);
        ServedExchanges.exit(exchange);
        Gates.set(true, Gates.CAPACITY - 3);

        assertThat(taken().whole()).isFalse();
    }

    @Test
    void theGatesEpoch_changesBeforeTheyMove_andAfter() {
        int gate = Gates.CAPACITY - 3;
        int before = Gates.epoch();
        Gates.set(false, gate);
        assertThat(Gates.epoch()).isEqualTo(before + 2);
        Gates.set(false, gate);
        assertThat(Gates.epoch()).as("nothing moved").isEqualTo(before + 2);
        Gates.set(true, gate);
    }

    @Test
    void randomNesting_neverThrowsAndStaysBalanced() {
        for (int seed = 0; seed < Fuzz.rounds(200); seed++) {
            Random random = new Random(seed);
            ServedExchange exchange = ServedExchanges.begin(HEADER);
            nested = 0;
            nest(random, 0);
            ServedExchanges.exit(exchange);
            assertThat(taken()).as("seed %d", seed).isNotNull();
        }
    }

    @Test
    void values_areJudgedWithoutCallingWhatMayBeTheApplications() {
        assertThat(kinds(ObservedPredicate.of((Object) null))).containsExactly(ObservedPredicate.NULL);
        assertThat(kinds(ObservedPredicate.of("")))
                .containsExactly(ObservedPredicate.NOT_NULL, ObservedPredicate.EMPTY);
        assertThat(kinds(ObservedPredicate.of(new int[1])))
                .containsExactly(ObservedPredicate.NOT_NULL, ObservedPredicate.NOT_EMPTY);
        assertThat(kinds(ObservedPredicate.of(List.of())))
                .containsExactly(ObservedPredicate.NOT_NULL, ObservedPredicate.EMPTY);
        assertThat(kinds(ObservedPredicate.of(Optional.empty())))
                .containsExactly(ObservedPredicate.NOT_NULL, ObservedPredicate.EMPTY);
        assertThat(kinds(ObservedPredicate.of(new ArrayList<>(List.of(1))))).contains(ObservedPredicate.NOT_EMPTY);
        assertThat(kinds(ObservedPredicate.of(new TreeSet<>()))).containsExactly(ObservedPredicate.NOT_NULL);
        assertThat(kinds(ObservedPredicate.of(new ArrayList<>() {
                    private static final long serialVersionUID = 1;

                    @Override
                    public boolean isEmpty() {
                        throw new IllegalStateException("the application's");
                    }
                })))
                .containsExactly(ObservedPredicate.NOT_NULL);
    }

    @Test
    void aCallFarAboveItsUsual_isSlow() {
        int probe = Probes.CAPACITY / 2 + 13;
        int mask = 0;
        for (int i = 0; i < 100; i++) {
            mask = TypicalDuration.judge(probe, 1_000_000);
        }
        assertThat(kinds(mask)).containsExactly(ObservedPredicate.USUAL);
        assertThat(kinds(TypicalDuration.judge(probe, 9_000_000))).containsExactly(ObservedPredicate.SLOW);
        assertThat(TypicalDuration.judge(probe + 1, 9_000_000))
                .as("nothing is known of it yet")
                .isZero();
    }

    private int nested;

    private void nest(Random random, int depth) {
        int calls = random.nextInt(4);
        for (int i = 0; i < calls && depth < Observation.DEPTH + 40 && nested++ < 2_000; i++) {
            Object token = Probes.enter(Probes.CAPACITY / 2 + 100 + random.nextInt(300));
            nest(random, depth + 1);
            int end = random.nextInt(4);
            if (end == 0) {
                Probes.thrown(new IllegalStateException(), token);
            } else if (end == 1) {
                Probes.exit(random.nextLong(), token);
            } else if (end == 2) {
                Probes.exit(Double.NaN, token);
            } // else it never exits
        }
    }

    static void one(int probe) {
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        Probes.exit(Probes.enter(probe));
        ServedExchanges.exit(exchange);
    }

    static Observed taken() {
        return Objects.requireNonNull(Observations.poll());
    }

    /** Without what depends on how often a method was called before. */
    private static List<Integer> timeless(Observed observed) {
        return Arrays.stream(observed.predicates())
                .filter(predicate ->
                        predicate % 16 != ObservedPredicate.USUAL && predicate % 16 != ObservedPredicate.SLOW)
                .boxed()
                .toList();
    }

    private static List<Integer> kinds(int mask) {
        List<Integer> kinds = new ArrayList<>();
        for (int kind = 0; kind < ObservedPredicate.KINDS; kind++) {
            if ((mask >>> kind & 1) != 0) {
                kinds.add(kind);
            }
        }
        return kinds;
    }
}
