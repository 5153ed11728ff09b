package dev.understudy.agent.bootstrap;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ServingTest {
    private static final String OUTER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String INNER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203332-01";

    @Test
    void anExchange_isSeenWhileItsThreadServesIt_theInnermostOne() {
        Serving.watch();
        Object outer = ServedExchanges.begin(OUTER);
        assertThat(own()).extracting(exchange -> exchange.key().span()).containsExactly("b7ad6b7169203331");
        ServedExchange seen = own().get(0);
        assertThat(seen.thread()).isSameAs(Thread.currentThread());
        assertThat(seen.threadId()).isEqualTo(Thread.currentThread().getId());

        Object inner = ServedExchanges.begin(INNER);
        assertThat(own()).extracting(exchange -> exchange.key().span()).containsExactly("b7ad6b7169203332");
        assertThat(Serving.isServed(seen)).isFalse();
        ServedExchanges.exit(inner);
        assertThat(Serving.isServed(seen)).isTrue();
        ServedExchanges.exit(outer);

        assertThat(Serving.isServed(seen)).isFalse();
        assertThat(own()).isEmpty();
        assertThat(seen.thread()).isNull();
    }

    @Test
    void whatBeganWithBytes_isNotSeenOnceItIsAnswered() {
        Serving.watch();
        Object socket = new Object();
        Sockets.accepted(socket, 4713);
        Sockets.read(10, Sockets.reading(socket));
        assertThat(own()).extracting(exchange -> exchange.key().port()).containsExactly(4713);

        Sockets.writing(socket);
        assertThat(own()).isEmpty();
        Sockets.reading(socket);
        assertThat(ServedExchanges.current()).isNull();
    }

    @Test
    void aThreadThatEndedWithoutEndingItsExchange_isForgotten() throws InterruptedException {
        Serving.watch();
        AtomicReference<ServedExchange> left = new AtomicReference<>();
        Thread thread = new Thread(() -> left.set(ServedExchanges.begin(OUTER)));
        thread.start();
        thread.join();

        ServedExchange unended = Objects.requireNonNull(left.get());
        assertThat(Serving.isServed(unended)).isTrue();
        assertThat(all()).doesNotContain(unended);
        assertThat(Serving.isServed(unended)).isFalse();
    }

    @Test
    void moreThreadsThanPlaces_areSeenInPart() throws InterruptedException {
        Serving.watch();
        int threads = 200;
        CountDownLatch begun = new CountDownLatch(threads);
        CountDownLatch over = new CountDownLatch(1);
        Thread[] working = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            working[i] = new Thread(() -> ExchangeTraffic.serving(OUTER, () -> {
                begun.countDown();
                try {
                    over.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }));
            working[i].start();
        }
        begun.await();
        assertThat(all()).as("most of them").hasSizeGreaterThan(threads / 2);
        assertThat(Serving.now(new ServedExchange[10], 5)).isEqualTo(10);
        over.countDown();
        for (Thread thread : working) {
            thread.join();
        }
        assertThat(all()).isEmpty();
    }

    private static List<ServedExchange> own() {
        return all().stream()
                .filter(exchange -> exchange.thread() == Thread.currentThread())
                .toList();
    }

    private static List<ServedExchange> all() {
        ServedExchange[] found = new ServedExchange[Serving.PLACES];
        return Arrays.asList(found).subList(0, Serving.now(found, 0));
    }
}
