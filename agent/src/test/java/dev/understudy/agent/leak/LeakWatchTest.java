package dev.understudy.agent.leak;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

final class LeakWatchTest {
    private final List<String> problems = new ArrayList<>();
    private final List<Integer> countsBefore = new ArrayList<>();

    @Test
    @Timeout(120)
    void whileTheWindowIsNearlyFull_nothingIsCounted() {
        AtomicReference<LeakWatch> running = new AtomicReference<>();
        LeakWatch watch = new LeakWatch(
                Duration.ofMillis(1),
                () -> {
                    countsBefore.add(Objects.requireNonNull(running.get()).counts());
                    boolean enough = countsBefore.size() == 4;
                    if (enough) {
                        Thread.currentThread().interrupt(); // it ends behind this count
                    }
                    return !enough;
                },
                sites(),
                problems::add);
        running.set(watch);
        watch.run();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(problems).isEmpty();
        assertThat(countsBefore).containsExactly(0, 0, 0, 0);
        assertThat(watch.counts()).isEqualTo(1);
        assertThat(watch.tookNanos()).isPositive();
    }

    /** They are asked for nothing as long as no class grows. */
    private static AllocationSites sites() {
        Instrumentation none = (Instrumentation) Proxy.newProxyInstance(
                Instrumentation.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, its) -> {
                    throw new AssertionError(method);
                });
        return new AllocationSites(none, new ConstructorTransformer());
    }
}
