package dev.understudy.it.overhead;

import dev.understudy.agent.bootstrap.AgentClassLoader;
import dev.understudy.agent.bootstrap.Probes;
import java.io.File;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent that weaves as the product does, by the product's own classes, and then leaves the JVM alone.
 *
 * <p>Its jar is made by the study: no more than a manifest that names this class and puts the product's jar on the bootstrap
 * class path.
 */
public final class WeavingOnly {
    private static @Nullable Instrumentation given;

    private WeavingOnly() {}

    /** Called by the JVM, with the product's jar and the packages, separated by semicolons. */
    public static void premain(String arguments, Instrumentation instrumentation) throws ReflectiveOperationException {
        given = instrumentation;
        List<String> parts = List.of(arguments.split(";", -1));
        openThreadIds(instrumentation);
        try {
            ClassLoader product = AgentClassLoader.over(new File(parts.get(0)));
            Object directory = of(product, "ProbeDirectory").getConstructor().newInstance();
            Object weaver =
                    of(product, "Weaver").getConstructor(directory.getClass()).newInstance(directory);
            Object application = of(product, "ApplicationCode")
                    .getMethod("inPackages", List.class)
                    .invoke(null, parts.subList(1, parts.size()));
            BiConsumer<String, Throwable> failures = (name, problem) -> System.err.println(name + ": " + problem);
            Consumer<String> unreached = loader -> System.err.println(loader + ": doesn't lead to the agent");
            Object reach = product.loadClass("dev.understudy.agent.loading.Reach")
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

    /** What the JVM gave us. */
    static Instrumentation instrumentation() {
        Instrumentation ours = given;
        if (ours == null) {
            throw new IllegalStateException("not started as an agent");
        }
        return ours;
    }

    private static Class<?> of(ClassLoader product, String name) throws ClassNotFoundException {
        return product.loadClass("dev.understudy.agent.weave." + name);
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
