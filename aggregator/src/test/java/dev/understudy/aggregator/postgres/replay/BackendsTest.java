package dev.understudy.aggregator.postgres.replay;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackendsTest {
    private final Backends backends = new Backends();
    private final AtomicInteger cancelled = new AtomicInteger();

    @Test
    void cancelRequest_hasToKnowTheProcessAndItsSecret() {
        backends.register(7, 1, cancelled::incrementAndGet);

        backends.cancel(7, 2);
        backends.cancel(8, 1);
        assertThat(cancelled).hasValue(0);
        backends.cancel(7, 1);
        assertThat(cancelled).hasValue(1);
    }

    @Test
    void sessionThatIsOver_isNotCancelled() {
        backends.register(7, 1, cancelled::incrementAndGet);
        backends.unregister(7, 1);

        backends.cancel(7, 1);
        assertThat(cancelled).hasValue(0);
    }
}
