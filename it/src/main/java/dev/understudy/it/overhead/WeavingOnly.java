package dev.understudy.it.overhead;

import dev.understudy.agent.bootstrap.AgentClassLoader;
import dev.understudy.agent.bootstrap.Probes;
import java.io.File;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An agent that weaves as the product does, by the product's own classes, and then leaves the JVM alone.
 *
 * <p>Its jar is made by the study: no more than a manifest that names this class and puts the product's jar on the
 * bootstrap class path.
 */
public final class WeavingOnly {
    private static @Nullable Instrumentation given;
    private static @Nullable Object numbers;

    private WeavingOnly() {}

    /**
     * Called by the JVM.
     *
     * @param arguments the product's jar, the packages, and behind a {@code |} the classes on the second level, all
     *     separated by semicolons
     */
    public static void premain(String arguments, Instrumentation instrumentation) throws ReflectiveOperationException {
        given = instrumentation;
        List<String> levels = List.of(arguments.split("\\|", -1));
        List<String> parts = List.of(levels.get(0).split(";", -1));
        openThreadIds(instrumentation);
        try {
            ClassLoader product = AgentClassLoader.over(new File(parts.get(0)));
            Object directory = of(product, "ProbeDirectory").getConstructor().newInstance();
            numbers = directory;
            Object weaver = weaver(product, directory, Set.of(levels.get(1).split(";", -1)));
            Object application = of(product, "ApplicationCode")
                    .getMethod("inPackages", List.class)
                    .invoke(null, parts.subList(1, parts.size()));
            BiConsumer<String, Throwable> failures = (name, problem) -> System.err.println(name + ": " + problem);
            Consumer<String> unreached = loader -> System.err.println(loader + ": doesn't lead to the agent");
            Object reach = agents(product, "loading.Reach")
                    .getConstructor(Consumer.class)
                    .newInstance(unreached);
            Object transformer = of(product, "WeavingTransformer")
                    .getConstructor(application.getClass(), weaver.getClass(), reach.getClass(), BiConsumer.class)
                    .newInstance(application, weaver, reach, failures);
            instrumentation.addTransformer((ClassFileTransformer) transformer, true);
        } catch (java.io.IOException unreadable) {
            throw new IllegalArgumentException(parts.get(0), unreadable);
        }
    }

    /** One that tells of locks, as the product's does unless told otherwise. */
    private static Object weaver(ClassLoader product, Object directory, Set<String> deep)
            throws ReflectiveOperationException {
        Object numbers =
                agents(product, "branch.BranchDirectory").getConstructor().newInstance();
        Class<?> level = agents(product, "branch.SecondLevel");
        Object second = level.getConstructor(numbers.getClass()).newInstance(numbers);
        level.getMethod("set", Set.class, Set.class).invoke(second, deep, Set.of());
        Object locks = agents(product, "lock.LockSites")
                .getConstructor(numbers.getClass())
                .newInstance(numbers);
        Object noCache = agents(product, "cache.WovenCache").getMethod("none").invoke(null);
        return of(product, "Weaver")
                .getConstructor(directory.getClass(), noCache.getClass(), boolean.class, level, locks.getClass())
                .newInstance(directory, noCache, false, second, locks);
    }

    /** What the JVM gave us. */
    static Instrumentation instrumentation() {
        Instrumentation ours = given;
        if (ours == null) {
            throw new IllegalStateException("not started as an agent");
        }
        return ours;
    }

    /** The probes that there are now, by the gates of their classes. */
    static Map<Integer, int[]> probes() {
        Object directory = Objects.requireNonNull(numbers);
        try {
            int end = (int) directory.getClass().getMethod("probes").invoke(directory);
            Method probe = directory.getClass().getMethod("probe", int.class);
            Map<Integer, IntStream.Builder> byGate = new HashMap<>();
            for (int number = 1; number < end; number++) {
                Object one = probe.invoke(directory, number);
                int gate = (int) one.getClass().getMethod("gate").invoke(one);
                byGate.computeIfAbsent(gate, any -> IntStream.builder()).add(number);
            }
            Map<Integer, int[]> probes = new HashMap<>();
            byGate.forEach((gate, some) -> probes.put(gate, some.build().toArray()));
            return probes;
        } catch (ReflectiveOperationException changed) {
            throw new LinkageError("ProbeDirectory", changed);
        }
    }

    private static Class<?> of(ClassLoader product, String name) throws ClassNotFoundException {
        return agents(product, "weave." + name);
    }

    private static Class<?> agents(ClassLoader product, String name) throws ClassNotFoundException {
        return product.loadClass("dev.understudy.agent." + name);
    }

    /** As the product does it before JDK 19. */
    private static void openThreadIds(Instrumentation instrumentation) {
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of("java.lang", Set.of(Probes.class.getModule())),
                Set.of(),
                Map.of());
    }
}
