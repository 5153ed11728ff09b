package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.InboundExchanges;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class JournalConcurrencyTest {
    private static final int EXCHANGES = 4_000;
    private static final int FORMS = 17;

    private record Numbered(int number) implements RecordedReply {
        @Override
        public long bytes() {
            return 4;
        }

        @Override
        public long answer() {
            return number;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyReply_isGivenExactlyOnceWhateverTheThreadsDo(long seed) throws InterruptedException {
        Journal<Numbered> journal = new Journal<>(
                new JournalBounds(1L << 30, Duration.ofHours(1), true),
                System::nanoTime,
                new InboundExchanges(System::nanoTime));
        DefaultEventExecutorGroup takers = new DefaultEventExecutorGroup(3);
        DefaultEventExecutorGroup adders = new DefaultEventExecutorGroup(3);
        ConcurrentLinkedQueue<Integer> given = new ConcurrentLinkedQueue<>();
        AtomicInteger wrong = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(EXCHANGES);
        Random random = new Random(seed);
        try {
            for (int i = 0; i < EXCHANGES; i++) {
                int number = i;
                Form form = Form.of("GET", "GET " + number % FORMS);
                adders.next().execute(() -> journal.add(form, 1, number, System.nanoTime(), new Numbered(number)));
                EventExecutor taker = takers.next();
                boolean changesItsMind = random.nextInt(4) == 0;
                taker.execute(() -> takeOne(journal, form, taker, changesItsMind, match -> {
                    if (match instanceof Match.Hit<Numbered> hit) {
                        given.add(hit.recorded().reply().number());
                        if (!hit.recorded().form().equals(form)) {
                            wrong.incrementAndGet();
                        }
                    } else {
                        wrong.incrementAndGet();
                    }
                    all.countDown();
                }));
            }
            assertThat(all.await(60, TimeUnit.SECONDS))
                    .as("seed %d: all answered, %d left", seed, all.getCount())
                    .isTrue();
        } finally {
            adders.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
            takers.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
        }
        assertThat(wrong).as("seed %d: wrong answers", seed).hasValue(0);
        assertThat(given).as("seed %d", seed).hasSize(EXCHANGES).doesNotHaveDuplicates();
        assertThat(journal.counts().unused()).as("seed %d", seed).isZero();
        assertThat(journal.counts().bytes()).as("seed %d", seed).isZero();
    }

    /** Some takers cancel in the race with the hand-over, and ask again. */
    private static void takeOne(
            Journal<Numbered> journal,
            Form form,
            EventExecutor taker,
            boolean changesItsMind,
            java.util.function.Consumer<Match<Numbered>> then) {
        boolean[] told = new boolean[1];
        PendingRequest taking = journal.take(form, TimeUnit.SECONDS.toNanos(30), taker, match -> {
            told[0] = true;
            then.accept(match);
        });
        if (changesItsMind && !told[0]) {
            taking.cancel();
            taker.execute(() -> takeOne(journal, form, taker, false, then));
        }
    }
}
