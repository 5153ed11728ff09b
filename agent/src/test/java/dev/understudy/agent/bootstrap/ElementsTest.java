package dev.understudy.agent.bootstrap;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(AllObserved.class)
final class ElementsTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String OTHER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203332-01";

    private final int probe = Probes.CAPACITY / 2 + 31;
    private final Object queue = new Object();
    private final Object other = new Object();

    @Test
    void whoeverTakesAnElement_worksForItsExchangeUntilHeComesAgain() throws Exception {
        Object element = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(element);
        OtherThreads.onAnotherStripe(() -> {
            take(element, queue);
            assertThat(origin()).isSameAs(exchange);
            take(null, other);
            take(new Job(), other);
            assertThat(origin()).as("of another queue, and nobody's").isSameAs(exchange);
            Probes.exit(Probes.enter(probe));
            Elements.taking(queue);
            assertThat(ServedExchanges.current()).isNull();
            Elements.taken(element, queue);
            assertThat(ServedExchanges.current()).as("put there once").isNull();
        });
        ServedExchanges.exit(exchange);
        Observed observed = Objects.requireNonNull(Observations.poll());
        assertThat(observed.predicates()).contains(probe * 16);
        assertThat(observed.whole()).isTrue();
    }

    @Test
    void anElement_isHandedOnFromQueueToQueue() throws Exception {
        Object element = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(element);
        OtherThreads.onAnotherStripe(() -> {
            take(element, queue);
            Elements.put(element);
            Elements.taking(queue);
        });
        OtherThreads.onAnotherStripe(() -> {
            take(element, other);
            assertThat(origin()).isSameAs(exchange);
            Elements.taking(other);
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void whatAThreadPutsAside_isWorkedOnForItsExchangeLater() throws Exception {
        Object batch = new Object();
        Object first = new Job();
        Object second = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(first);
        OtherThreads.onAnotherStripe(() -> {
            ServedExchange its = begin(OTHER);
            Elements.put(second);
            nested(() -> {
                take(first, queue);
                Elements.putAside(first);
                take(second, queue);
                Elements.putAside(second);
                take(null, queue);
                assertThat(ServedExchanges.current()).isNull();
                takeAside(first, batch);
                assertThat(origin()).isSameAs(exchange);
                takeAside(second, batch);
                assertThat(origin()).isSameAs(its);
                takeAside(null, batch);
                assertThat(ServedExchanges.current()).as("nothing is left").isNull();
                takeAside(first, batch);
                assertThat(ServedExchanges.current()).as("put aside once").isNull();
            });
            ServedExchanges.exit(its);
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void whatWasPutAside_isOverWhenTheThreadGoesToTheQueueThatItCameFrom() throws Exception {
        Object batch = new Object();
        Object element = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(element);
        OtherThreads.onAnotherStripe(() -> {
            take(element, queue);
            Elements.putAside(element);
            Elements.taking(queue);
            takeAside(element, batch);
            take(null, other);
            assertThat(origin()).as("another queue").isSameAs(exchange);
            Elements.taking(queue);
            assertThat(ServedExchanges.current()).isNull();
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void whatIsPutAsideWithoutHavingBeenTaken_isNobodys() throws Exception {
        Object element = new Job();
        Object taken = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.putAside(element);
        Elements.put(taken);
        OtherThreads.onAnotherStripe(() -> {
            take(taken, queue);
            Elements.putAside(element);
            Elements.taking(queue);
            takeAside(element, other);
            takeAside(taken, other);
            assertThat(ServedExchanges.current()).isNull();
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void theExchangesEnd_isTheLatest() throws Exception {
        Object element = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(element);
        ServedExchange[] taker = new ServedExchange[1];
        OtherThreads.onAnotherStripe(() -> {
            take(element, queue);
            taker[0] = Objects.requireNonNull(ServedExchanges.current());
            exchange.ended = true;
            assertThat(ServedExchanges.current()).isNull();
        });
        assertThat(taker[0].ended).isTrue();
        exchange.ended = false;
        ServedExchanges.exit(exchange);
    }

    @Test
    @Timeout(60)
    void aQueueThatIsUsedWhileATakerEnds_isNobodys() throws Exception {
        Object element = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(element);
        OtherThreads.onAnotherStripe(() -> {
            take(element, queue);
            ServedExchange part = Objects.requireNonNull(ServedExchanges.current());
            part.ended = true; // as it is in the midst of its end
            exchange.ended = true;
            Elements.put(new Job());
            assertThat(ServedExchanges.current()).isNull();
            part.ended = false;
            Handover.end(part);
        });
        exchange.ended = false;
        ServedExchanges.exit(exchange);
    }

    @Test
    void aThreadThatServes_staysWithItsOwn() throws Exception {
        Object element = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(element);
        OtherThreads.onAnotherStripe(() -> {
            ServedExchange own = begin(OTHER);
            take(element, queue);
            assertThat(ServedExchanges.current()).isSameAs(own);
            ServedExchanges.exit(own);
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void anotherElementOfTheSameExchange_lastsUntilItsOwnQueueIsAskedAgain() throws Exception {
        Object first = new Job();
        Object second = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(first);
        Elements.put(second);
        OtherThreads.onAnotherStripe(() -> {
            take(first, queue);
            ServedExchange part = ServedExchanges.current();
            take(second, other);
            Elements.taking(queue);
            assertThat(ServedExchanges.current()).isSameAs(part);
            Elements.taking(other);
            assertThat(ServedExchanges.current()).isNull();
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void anElementOfAnotherExchange_isTakenUpAtOnce_butNotOfOneThatIsOver() throws Exception {
        Observations.allow(0, 0);
        Object element = new Job();
        Object others = new Job();
        Object late = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(element);
        OtherThreads.onAnotherStripe(() -> {
            ServedExchange over = begin(OTHER);
            Elements.put(late);
            ServedExchanges.exit(over);
            ServedExchange second = begin(OTHER);
            Elements.put(others);
            nested(() -> {
                take(element, queue);
                take(others, other);
                assertThat(origin()).isSameAs(second);
                Elements.taking(other);
                take(late, other);
                assertThat(ServedExchanges.current()).isNull();
            });
            ServedExchanges.exit(second);
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void elementsThatHaveNoPlace_areLost_andTheExchangeIsNotWhole() {
        ServedExchange exchange = begin(HEADER);
        List<Object> kept = new ArrayList<>();
        long lost = Handover.lost();
        for (int i = 0; i < QueueOrigins.PLACES + 1; i++) {
            kept.add(new Job());
            Elements.put(kept.get(i));
        }
        ServedExchanges.exit(exchange);

        assertThat(Handover.lost()).isGreaterThan(lost);
        assertThat(Objects.requireNonNull(Observations.poll()).whole()).isFalse();
    }

    @Test
    void whatComesAgainForAnother_isFollowedNoMore() throws Exception {
        Object buffer = new Reused();
        ServedExchange exchange = begin(HEADER);
        Elements.put(buffer);
        OtherThreads.onAnotherStripe(() -> {
            ServedExchange own = begin(OTHER);
            take(buffer, other);
            Elements.put(buffer);
            ServedExchanges.exit(own);
        });
        Object another = new Reused();
        Elements.put(another);
        OtherThreads.onAnotherStripe(() -> {
            take(buffer, queue);
            assertThat(ServedExchanges.current()).isNull();
            take(another, queue);
            assertThat(ServedExchanges.current()).as("of the same class").isNull();
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void whatNobodyHasPutThereToo_isNobodys() throws Exception {
        Object element = new Job();
        ServedExchange exchange = begin(HEADER);
        Elements.put(element);
        OtherThreads.onAnotherStripe(() -> {
            Elements.put(element);
            take(element, queue);
            assertThat(ServedExchanges.current()).isNull();
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void values_sayNothing() throws Exception {
        ServedExchange exchange = begin(HEADER);
        Object[] values = {"word", 17, TimeUnit.DAYS, new byte[3], java.nio.ByteBuffer.allocate(1)};
        for (Object value : values) {
            Elements.put(value);
        }
        OtherThreads.onAnotherStripe(() -> {
            for (Object value : values) {
                take(value, queue);
                assertThat(ServedExchanges.current()).isNull();
            }
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void aPoolsTask_isLeftToWhoeverRunsIt() throws Exception {
        Runnable task = () -> assertThat(origin()).isNotNull();
        ServedExchange exchange = begin(HEADER);
        Handover.handed(task);
        Elements.put(task);
        OtherThreads.onAnotherStripe(() -> {
            take(task, queue);
            assertThat(ServedExchanges.current()).isNull();
            Handover.run(task);
        });
        ServedExchanges.exit(exchange);
    }

    @Test
    void aThread_worksForWhoeverHasStartedItUntilItIsAPools() throws Exception {
        ServedExchange exchange = begin(HEADER);
        Thread thread = OtherThreads.freshThread(() -> {
            Object token = Handover.launched(Thread.currentThread());
            assertThat(origin()).isSameAs(exchange);
            Handover.run(() -> assertThat(ServedExchanges.current()).isNull());
            Handover.end(token);
        });
        Handover.handed(thread);
        OtherThreads.join(thread);
        ServedExchanges.exit(exchange);
    }

    @Test
    void elementsThatAreNeverTaken_takeNoMemory() {
        ServedExchange exchange = begin(HEADER);
        List<WeakReference<Object>> elements = new ArrayList<>();
        long lost = Handover.lost();
        for (int i = 0; i < QueueOrigins.PLACES * 3; i++) {
            Object element = new Job();
            Elements.put(element);
            if (i % QueueOrigins.PLACES == 0) {
                elements.add(new WeakReference<>(element));
            }
        }
        ServedExchanges.exit(exchange);

        assertThat(QueueOrigins.size()).isLessThanOrEqualTo(QueueOrigins.PLACES);
        for (WeakReference<Object> element : elements) {
            while (element.get() != null) {
                System.gc();
            }
        }
        boolean whole = Objects.requireNonNull(Observations.poll()).whole();
        assertThat(whole).isEqualTo(Handover.lost() == lost);
    }

    private static void nested(Runnable work) {
        try {
            OtherThreads.onAnotherStripe(work);
        } catch (InterruptedException stop) {
            throw new AssertionError(stop);
        }
    }

    private static void take(@Nullable Object element, Object from) {
        Elements.taking(from);
        Elements.taken(element, from);
    }

    private static void takeAside(@Nullable Object element, Object from) {
        Elements.takingAside(from);
        Elements.takenAside(element, from);
    }

    private static @Nullable ServedExchange origin() {
        ServedExchange current = ServedExchanges.current();
        return current == null ? null : current.origin;
    }

    private static ServedExchange begin(String header) {
        return Objects.requireNonNull(ServedExchanges.begin(header));
    }

    /** Work for one request. */
    private static final class Job {}

    /** What requests share. */
    private static final class Reused {}
}
