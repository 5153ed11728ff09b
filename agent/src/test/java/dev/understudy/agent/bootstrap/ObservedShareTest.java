package dev.understudy.agent.bootstrap;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many exchanges are observed: one in so many, as long as there is credit, a place, and room for what was found.
 */
@ExtendWith(AllObserved.class)
final class ObservedShareTest {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final int inner = Probes.CAPACITY / 2 + 12;

    @Test
    void noMoreThanThereArePlaces_areObservedAtOnce() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> open = new ArrayList<>();
        long crowded = Observations.crowded();
        for (int i = 0; i < Observations.MOST + 3; i++) {
            CountDownLatch begun = new CountDownLatch(1);
            Thread thread = new Thread(() -> {
                ServedExchange exchange = ServedExchanges.begin(HEADER);
                begun.countDown();
                HandoverTest.await(over);
                ServedExchanges.exit(exchange);
            });
            thread.start();
            begun.await();
            open.add(thread);
        }
        over.countDown();
        for (Thread thread : open) {
            thread.join();
        }

        assertThat(Observations.crowded() - crowded).isEqualTo(3);
        for (int i = 0; i < Observations.MOST; i++) {
            ObservationsTest.taken();
        }
        assertThat(Observations.poll()).isNull();
    }

    @Test
    void nothingIsObserved_withoutATraceOrPermission() {
        ServedExchanges.exit(ServedExchanges.begin(null));
        Observations.allow(0, 1000);
        ObservationsTest.one(inner);
        Observations.allow(1, 0);
        ObservationsTest.one(inner);

        assertThat(Observations.poll()).isNull();
    }

    @Test
    void creditThatIsUsedUp_endsObserving() {
        Observations.allow(1, 1);
        ObservationsTest.one(inner);
        ObservationsTest.one(inner);

        assertThat(ObservationsTest.taken()).isNotNull();
        assertThat(Observations.poll()).isNull();
    }

    @Test
    void oneInTen_isObserved() {
        Observations.allow(10, Integer.MAX_VALUE);
        int seen = 0;
        for (int i = 0; i < 5000; i++) {
            ObservationsTest.one(inner);
            seen += Observations.poll() == null ? 0 : 1;
        }

        assertThat(seen).isBetween(350, 650);
    }

    @Test
    void queueThatNobodyEmpties_isBounded() {
        long dropped = Observations.dropped();
        for (int i = 0; i < Observations.CAPACITY + 5; i++) {
            ObservationsTest.one(inner);
        }

        assertThat(Observations.dropped() - dropped).isEqualTo(5);
    }
}
