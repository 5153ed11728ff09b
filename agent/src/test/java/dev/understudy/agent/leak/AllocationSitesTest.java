package dev.understudy.agent.leak;

import dev.understudy.agent.bootstrap.allocation.Allocations;
import dev.understudy.agent.weave.WovenLoader;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class AllocationSitesTest {
    private static final String KEPT = Kept.class.getName();
    /** Of the class that is watched first. */
    private static final int NUMBER = 0;

    private final List<Kept> all = new ArrayList<>();
    private final List<Class<?>> woven = new ArrayList<>();
    private final List<Class<?>> loaded =
            new ArrayList<>(List.of(String.class, Thread.class, Long.class, Integer.class, long[].class));
    private final UseTransformer methods = new UseTransformer();
    private final AllocationSites sites = new AllocationSites(instrumentation(), new ConstructorTransformer(), methods);

    @AfterEach
    void lookAtNothing() {
        Allocations.allow(false);
        IntStream.range(0, 2 * LeakTurns.MOST).forEach(number -> Allocations.set(number, null));
    }

    @Test
    void whatIsKnownOfAClass_staysTold_whenItsTurnIsOver() throws Exception {
        Allocations.allow(true);
        sites.counted(List.of(KEPT));
        for (int count = 0; count < LeakTurns.LENGTH; count++) {
            make();
            sites.counted(List.of(KEPT));
        }
        assertThat(sites.of(KEPT).made()).hasSize(1);

        List<String> more =
                IntStream.range(0, LeakTurns.MOST).mapToObj(i -> "shop.C" + i).collect(Collectors.toList());
        more.add(KEPT);
        sites.counted(more);
        long sampled = sites.of(KEPT).made().get(0).sampled();
        make();
        sites.counted(more);
        assertThat(sites.of(KEPT).made()).as("nobody looks any more").hasSize(1);
        assertThat(sites.of(KEPT).made().get(0).sampled()).isEqualTo(sampled);

        sites.counted(more.subList(0, LeakTurns.MOST));
        assertThat(sites.of(KEPT).made()).as("it doesn't grow any more").isEmpty();
    }

    @Test
    void ofTheJdksInnermostClasses_numbersAreWoven_andTextIfNothingElseGrows() {
        sites.counted(List.of("java.lang.String", "java.lang.Thread", "java.lang.Long", "java.lang.Integer", "long[]"));
        assertThat(woven).containsExactlyInAnyOrder(Long.class, Integer.class);

        woven.clear();
        new AllocationSites(instrumentation(), new ConstructorTransformer(), new UseTransformer())
                .counted(List.of("java.lang.Thread", "java.lang.String"));
        assertThat(woven).containsExactly(String.class);
    }

    @Test
    void methodsOfTheApplicationsClasses_areWovenWithWhatTheyExtend_untilTheTurnIsOver() throws Exception {
        Set<String> names = Set.of(KEPT, Parent.class.getName(), Other.class.getName());
        WovenLoader application = new WovenLoader(names::contains);
        Class<?> kept = Class.forName(KEPT, false, application);
        loaded.add(kept);
        loaded.add(Class.forName(Parent.class.getName(), false, application));
        loaded.add(Class.forName(Other.class.getName(), false, application));
        sites.counted(List.of(KEPT, "java.lang.Long"));

        assertThat(methods.watched())
                .containsExactlyInAnyOrder(
                        KEPT.replace('.', '/'), Parent.class.getName().replace('.', '/'));
        assertThat(woven).containsExactlyInAnyOrder(kept, kept.getSuperclass(), Long.class);
        assertThat(sites.of(KEPT).superclasses()).containsExactly(Parent.class.getName());
        assertThat(sites.of("java.lang.Long").superclasses()).isEmpty();

        woven.clear();
        List<String> others =
                IntStream.range(0, LeakTurns.MOST).mapToObj(i -> "shop.C" + i).collect(Collectors.toList());
        for (int count = 0; count < LeakTurns.LENGTH; count++) {
            sites.counted(others);
        }
        assertThat(methods.watched()).isEmpty();
        assertThat(woven).containsExactlyInAnyOrder(kept, kept.getSuperclass(), Long.class);
    }

    /** As the constructor would tell, on one of the application's threads. */
    private void make() throws InterruptedException {
        Thread thread = new Thread(new ThreadGroup("application"), () -> {
            for (int i = 0; i < 300; i++) {
                Kept kept = new Kept();
                all.add(kept);
                Allocations.made(kept, NUMBER);
            }
        });
        thread.start();
        thread.join();
    }

    private Instrumentation instrumentation() {
        return (Instrumentation) Proxy.newProxyInstance(
                Instrumentation.class.getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (proxy, method, its) -> switch (method.getName()) {
                    case "getAllLoadedClasses" -> loaded.toArray(new Class<?>[0]);
                    case "isModifiableClass" -> true;
                    default -> {
                        assertThat(method.getName()).isEqualTo("retransformClasses");
                        woven.addAll(List.of((Class<?>[]) its[0]));
                        yield null;
                    }
                });
    }

    private static class Parent {}

    private static final class Kept extends Parent {}

    private static final class Other extends Parent {}
}
