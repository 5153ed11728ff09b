package dev.understudy.agent.bootstrap;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(AllObserved.class)
final class HandoverTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String OTHER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203332-01";

    private final int outer = Probes.CAPACITY / 2 + 21;
    private final int inner = Probes.CAPACITY / 2 + 22;
    private final AtomicReference<@Nullable ServedExchange> seen = new AtomicReference<>();

    @Test
    void aTask_runsForTheExchangeOfWhoeverHandedItOver() throws Exception {
        Runnable task = this::look;
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        elsewhere(() -> {
            Handover.run(task);
            assertThat(ServedExchanges.current()).isNull();
        });
        ServedExchange part = Objects.requireNonNull(seen.get());
        assertThat(part.origin).isSameAs(exchange);
        assertThat(part.key().span()).isEqualTo("b7ad6b7169203331");

        elsewhere(() -> Handover.run(task));
        assertThat(seen.get()).as("handed over once").isNull();
        ServedExchanges.exit(exchange);
    }

    @Test
    void itsSamples_areChildrenOfTheCallThatHandedItOver() throws Exception {
        Probes.arm(outer, 1);
        Probes.arm(inner, 1);
        Credit.set(1000);
        Observations.allow(0, 0);
        Runnable task = () -> Probes.exit(Probes.enter(inner));
        ServedExchange exchange = begin(HEADER);
        Object call = Probes.enter(outer);
        Handover.handed(task);
        elsewhere(() -> Handover.run(task));
        CallSample inTask = Objects.requireNonNull(Samples.poll());
        Probes.exit(call);
        ServedExchanges.exit(exchange);

        assertThat(inTask.probe).isEqualTo(inner);
        assertThat(inTask.parent).isSameAs(call);
        assertThat(Objects.requireNonNull(inTask.exchange).origin).isSameAs(exchange);
    }

    @Test
    void aThreadThatRunsATask_isSeenServing() throws Exception {
        Serving.watch();
        Runnable task = () -> {
            look();
            assertThat(Serving.isServed(Objects.requireNonNull(seen.get()))).isTrue();
        };
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        elsewhere(() -> {
            Handover.run(task);
            assertThat(Serving.isServed(Objects.requireNonNull(seen.get()))).isFalse();
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void aTaskThatThrows_leavesNothingBehind() throws Exception {
        Runnable task = () -> {
            throw new IllegalStateException("as it should");
        };
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        elsewhere(() -> {
            try {
                Handover.run(task);
            } catch (IllegalStateException expected) {
                assertThat(expected).hasMessage("as it should");
            }
            assertThat(ServedExchanges.current()).isNull();
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void oneObject_handedOverByTwo_isNobodys() throws Exception {
        Runnable task = this::look;
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        elsewhere(() -> {
            ServedExchange other = begin(OTHER);
            Handover.handed(task);
            ServedExchanges.exit(other);
        });
        elsewhere(() -> Handover.run(task));
        assertThat(seen.get()).isNull();
        elsewhere(() -> Handover.run(task));
        assertThat(seen.get()).isNull();

        Handover.handed(task);
        elsewhere(() -> Handover.run(task));
        assertThat(Objects.requireNonNull(seen.get()).origin).isSameAs(exchange);
        ServedExchanges.exit(exchange);
    }

    @Test
    void oneObject_handedOverByNobodyToo_isNobodys() throws Exception {
        Runnable task = this::look;
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        elsewhere(() -> Handover.handed(task));
        elsewhere(() -> Handover.run(task));
        assertThat(seen.get()).isNull();
        ServedExchanges.exit(exchange);
    }

    @Test
    void whatARefusedTaskIs_isForgotten() throws Exception {
        Runnable task = this::look;
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        Handover.refused(task);
        ServedExchanges.exit(exchange);
        elsewhere(() -> Handover.handed(task));
        elsewhere(() -> Handover.run(task));
        assertThat(seen.get()).isNull();
    }

    @Test
    void whatATaskDoes_isObservedWithItsExchange() throws Exception {
        Runnable task = () -> Probes.exit(-3, Probes.enter(inner));
        ServedExchange exchange = begin(HEADER);
        Object call = Probes.enter(outer);
        Handover.handed(task);
        OtherThreads.onAnotherStripe(() -> Handover.run(task));
        Probes.exit(call);
        ServedExchanges.exit(exchange);

        Observed observed = taken();
        assertThat(observed.whole()).isTrue();
        assertThat(timeless(observed))
                .containsExactlyInAnyOrder(
                        outer * 16 + ObservedPredicate.CALLED,
                        inner * 16 + ObservedPredicate.CALLED,
                        inner * 16 + ObservedPredicate.NEGATIVE);
        assertThat(Observations.poll()).as("one exchange").isNull();
    }

    @Test
    void aTaskStillAtWork_countsUpToTheEndOfItsExchange() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Runnable task = () -> {
            Object call = Probes.enter(inner);
            called.countDown();
            await(over);
            Probes.exit(-3, call);
        };
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        Thread thread = OtherThreads.freshThread(() -> Handover.run(task));
        thread.start();
        called.await();
        ServedExchanges.exit(exchange);
        over.countDown();
        thread.join();

        Observed observed = taken();
        assertThat(observed.predicates()).containsExactly(inner * 16 + ObservedPredicate.CALLED);
        assertThat(observed.whole()).isTrue();
        OtherThreads.onGroup(thread.getId(), () -> {
            ServedExchange next = begin(OTHER);
            assertThat(next.observation).as("the place is free again").isNotNull();
            ServedExchanges.exit(next);
        });
        assertThat(taken().predicates()).isEmpty();
    }

    @Test
    void aTaskThatBeginsWhenItsExchangeIsOver_isCountedButNotObserved() throws Exception {
        long late = Handover.late();
        Runnable task = () -> {
            look();
            Probes.exit(Probes.enter(inner));
        };
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        ServedExchanges.exit(exchange);
        elsewhere(() -> Handover.run(task));

        assertThat(Handover.late()).isEqualTo(late + 1);
        assertThat(Objects.requireNonNull(seen.get()).key().span()).isEqualTo("b7ad6b7169203331");
        assertThat(taken().predicates()).isEmpty();
        assertThat(Observations.poll()).isNull();

        Runnable further = this::look;
        Handover.handed(further);
        elsewhere(() -> Handover.run(further));
        assertThat(seen.get()).isNull();
    }

    @Test
    void aThreadThatHelpsAnother_goesOnWithItsOwn() throws Exception {
        Runnable task = () -> {
            look();
            Probes.exit(Probes.enter(inner));
        };
        ServedExchange[] lender = new ServedExchange[1];
        elsewhere(() -> {
            lender[0] = begin(OTHER);
            Handover.handed(task);
        });
        ServedExchange exchange = begin(HEADER);
        Handover.run(task);
        assertThat(Objects.requireNonNull(seen.get()).origin).isSameAs(lender[0]);
        assertThat(ServedExchanges.current()).isSameAs(exchange);
        Probes.exit(Probes.enter(outer));
        ServedExchanges.exit(exchange);

        assertThat(taken().predicates()).contains(outer * 16).doesNotContain(inner * 16);
    }

    @Test
    void aTaskThatServesARequestOfItsOwn_worksForThat() throws Exception {
        Runnable task = () -> {
            ServedExchange own = begin(OTHER);
            look();
            ServedExchanges.exit(own);
            assertThat(ServedExchanges.current()).isNull();
        };
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        elsewhere(() -> Handover.run(task));
        assertThat(Objects.requireNonNull(seen.get()).key().span()).isEqualTo("b7ad6b7169203332");
        assertThat(Objects.requireNonNull(seen.get()).origin).isNull();
        ServedExchanges.exit(exchange);
    }

    @Test
    void tasksThatNeverRun_takeNoMemory() {
        ServedExchange exchange = begin(HEADER);
        List<WeakReference<Object>> tasks = new ArrayList<>();
        for (int i = 0; i < TaskOrigins.PLACES * 3; i++) {
            Object task = new Object();
            Handover.handed(task);
            if (i % TaskOrigins.PLACES == 0) {
                tasks.add(new WeakReference<>(task));
            }
        }
        ServedExchanges.exit(exchange);

        assertThat(TaskOrigins.size()).isLessThanOrEqualTo(TaskOrigins.PLACES);
        for (WeakReference<Object> task : tasks) {
            while (task.get() != null) {
                System.gc();
            }
        }
        assertThat(taken().whole()).as("not all were followed").isFalse();
    }

    /**
     * Some threads serve exchanges and hand tasks to others, which hand on: what each exchange is told to have called,
     * it has.
     */
    @Test
    void manyAtOnce_areNeverMixedUp() throws Exception {
        ExecutorService servers = Executors.newFixedThreadPool(3);
        ExecutorService workers = Executors.newFixedThreadPool(3);
        List<Future<?>> served = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int first = i;
            served.add(servers.submit(() -> {
                Random random = new Random(first);
                for (int round = 0; round < 2_000; round++) {
                    serve(first * 10_000 + round, random, workers);
                }
            }));
        }
        for (Future<?> future : served) {
            future.get();
        }
        servers.shutdown();
        workers.shutdown();
        int checked = 0;
        for (Observed observed = Observations.poll(); observed != null; observed = Observations.poll()) {
            int number = Integer.parseInt(observed.span().substring(8), 16);
            List<Integer> expected = List.of(probe(number, 0), probe(number, 1), probe(number, 2));
            List<Integer> called = Arrays.stream(observed.predicates())
                    .filter(predicate -> predicate % 16 == ObservedPredicate.CALLED)
                    .mapToObj(predicate -> predicate / 16)
                    .toList();
            assertThat(expected).as("exchange " + number).containsAll(called);
            assertThat(called).doesNotHaveDuplicates();
            if (observed.whole()) {
                assertThat(called).as("whole exchange " + number).containsAll(expected);
                checked++;
            }
        }
        assertThat(checked).isPositive();
    }

    private static void serve(int number, Random random, ExecutorService workers) {
        String span = String.format(java.util.Locale.ROOT, "%08x%08x", 1, number);
        ServedExchange exchange = begin("00-0af7651916cd43dd8448eb211c80319c-" + span + "-01");
        CountDownLatch done = new CountDownLatch(2);
        Runnable second = () -> call(probe(number, 2), done);
        Runnable first = () -> {
            if (random.nextBoolean()) {
                Thread.onSpinWait();
            }
            Handover.handed(second);
            workers.execute(() -> Handover.run(second));
            call(probe(number, 1), done);
        };
        Probes.exit(Probes.enter(probe(number, 0)));
        Handover.handed(first);
        workers.execute(() -> Handover.run(first));
        await(done);
        ServedExchanges.exit(exchange);
    }

    private static void call(int probe, CountDownLatch done) {
        Probes.exit(Probes.enter(probe));
        done.countDown();
    }

    /** One of three probes that hardly another exchange has. */
    private static int probe(int number, int which) {
        return Probes.CAPACITY / 2 + 100 + (number * 3 + which) % 5_000;
    }

    private void look() {
        seen.set(ServedExchanges.current());
    }

    private static ServedExchange begin(String header) {
        return Objects.requireNonNull(ServedExchanges.begin(header));
    }

    private void elsewhere(Runnable work) throws InterruptedException {
        seen.set(null);
        OtherThreads.onAnotherStripe(work);
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static Observed taken() {
        return Objects.requireNonNull(Observations.poll());
    }

    private static Set<Integer> timeless(Observed observed) {
        Set<Integer> predicates = new TreeSet<>();
        for (int predicate : observed.predicates()) {
            int kind = predicate % 16;
            if (kind != ObservedPredicate.SLOW && kind != ObservedPredicate.USUAL) {
                predicates.add(predicate);
            }
        }
        return predicates;
    }
}
