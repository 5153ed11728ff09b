package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.ServedExchanges;
import dev.understudy.agent.weave.WovenLoader;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

final class LeakWatchTest {
    private final List<String> problems = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
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
        assertThat(asked).as("the agent's own classes are left out").hasValue(1);
    }

    @Test
    @Timeout(120)
    void countingBegins_whenItIsWanted_andEndsWhenItIsNot() throws Exception {
        CountDownLatch looked = new CountDownLatch(2);
        LeakWatch watch = new LeakWatch(
                Duration.ZERO,
                () -> {
                    looked.countDown();
                    return true;
                },
                sites(),
                problems::add);
        Thread thread = new Thread(watch);
        thread.setDaemon(true);
        thread.start();
        awaitWaiting(thread);
        assertThat(looked.getCount()).isEqualTo(2);
        watch.every(Duration.ofMillis(1));
        looked.await();
        watch.every(Duration.ZERO);
        awaitWaiting(thread);
        thread.interrupt();
        thread.join();
        assertThat(problems).isEmpty();
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theNextCount_isAHundredTimesAsFarAsTheShortestOfThree_tenTimesBefore() {
        LeakWatch watch = new LeakWatch(Duration.ofSeconds(5), () -> false, sites(), problems::add);
        assertThat(watch.pauseNanos()).isEqualTo(seconds(5));
        watch.took(seconds(10));
        assertThat(watch.pauseNanos()).as("a slow first count").isEqualTo(seconds(100));
        watch.took(seconds(1));
        assertThat(watch.pauseNanos()).isEqualTo(seconds(10));
        watch.took(seconds(1));
        assertThat(watch.pauseNanos()).isEqualTo(seconds(100));
        watch.took(seconds(30));
        assertThat(watch.pauseNanos()).as("a single slow count").isEqualTo(seconds(100));
        watch.took(seconds(20));
        watch.took(seconds(20));
        assertThat(watch.pauseNanos()).as("all are slow").isEqualTo(seconds(2000));
        assertThat(watch.tookNanos()).isEqualTo(seconds(20));
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void theAgentsOwnClasses_areLeftOut_whateverTheApplicationsAreCalled() throws Exception {
        String shop = "dev.understudy.agent.fork.SmallServer";
        Class<?> applications = Class.forName(shop, false, new WovenLoader(shop::equals));
        Map<String, Long> objects = new HashMap<>(Map.of(
                Survivors.class.getName(),
                1000L,
                Survivors.class.getName() + "[]",
                1000L,
                ServedExchanges.class.getName(),
                1000L,
                shop,
                1000L,
                "java.lang.String",
                1000L,
                "byte[]",
                1000L));
        sites(Survivors.class, ServedExchanges.class, applications, String.class, byte[].class)
                .leaveOutOurs(objects);

        assertThat(objects).containsOnlyKeys(shop, "java.lang.String", "byte[]");
    }

    /** They are asked for nothing but what is loaded as long as no class grows. */
    private AllocationSites sites(Class<?>... loaded) {
        Instrumentation none = (Instrumentation) Proxy.newProxyInstance(
                Instrumentation.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, its) -> {
                    assertThat(method.getName()).isEqualTo("getAllLoadedClasses");
                    asked.incrementAndGet();
                    return loaded;
                });
        return new AllocationSites(none, new ConstructorTransformer(), new UseTransformer());
    }
}
