package dev.understudy.agent;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class LoadedClassesTest {
    private final List<Class<?>> loaded = new ArrayList<>();
    private final List<List<Class<?>>> batches = new ArrayList<>();

    LoadedClassesTest() {
        Class<?> one = int.class;
        while (loaded.size() < 250) {
            one = Array.newInstance(one, 0).getClass();
            loaded.add(one);
        }
    }

    @Test
    void classesAreWovenAHundredAtATime() {
        LoadedClasses.retransform(jvm(null), false, one -> one != loaded.get(0));

        assertThat(batches).extracting(List::size).containsExactly(100, 100, 49);
        assertThat(batches.get(0).get(0)).isSameAs(loaded.get(1));
    }

    @Test
    void oneThatIsRefused_leavesTheOthersOfItsBatchWoven() {
        LoadedClasses.retransform(jvm(loaded.get(120)), false, one -> true);

        assertThat(batches).hasSize(2 + 99);
        assertThat(batches.stream().flatMap(List::stream))
                .hasSize(249)
                .doesNotHaveDuplicates()
                .doesNotContain(loaded.get(120));
    }

    private Instrumentation jvm(@Nullable Class<?> refused) {
        return (Instrumentation) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Instrumentation.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getAllLoadedClasses")) {
                        return loaded.toArray(new Class<?>[0]);
                    }
                    if (method.getName().equals("isModifiableClass")) {
                        return true;
                    }
                    List<Class<?>> batch = List.of((Class<?>[]) arguments[0]);
                    if (refused != null && batch.contains(refused)) {
                        throw new UnmodifiableClassException("refused");
                    }
                    batches.add(batch);
                    return null;
                });
    }
}
