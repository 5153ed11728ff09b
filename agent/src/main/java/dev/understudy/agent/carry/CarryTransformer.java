package dev.understudy.agent.carry;

import dev.understudy.agent.weave.MethodEdit;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Weaves the JDK's executors and queues and known servers' pools, so that a task belongs to the exchange of whoever handed it over; safe for any threads. */
public final class CarryTransformer implements ClassFileTransformer {
    private final BiConsumer<String, Throwable> failures;

    /** Failures are told by class name and leave the class as it was. */
    public CarryTransformer(BiConsumer<String, Throwable> failures) {
        this.failures = failures;
        CarryPoint.of(""); // loaded now: once this is a transformer it is asked about them, too
        PoolPoint.of("");
        CoroutinePoint.of("");
    }

    /** Whether it is one of the classes that are woven. */
    public static boolean knows(Class<?> loaded) {
        return !points(loaded).isEmpty();
    }

    private static Map<String, MethodEdit> points(Class<?> loaded) {
        Map<String, MethodEdit> own =
                points(loaded.getClassLoader(), loaded.getName().replace('.', '/'));
        return own.isEmpty() ? overriding(loaded) : own;
    }

    private static Map<String, MethodEdit> points(@Nullable ClassLoader loader, String name) {
        if (loader == null) {
            return CarryPoint.of(name);
        }
        Map<String, MethodEdit> ofCoroutines = CoroutinePoint.of(name);
        return ofCoroutines.isEmpty() ? PoolPoint.of(name) : ofCoroutines;
    }

    /** A pool of a class of its own whose threads may be there already: it needn't call what it overrides. */
    private static Map<String, MethodEdit> overriding(Class<?> loaded) {
        for (Class<?> above = loaded.getSuperclass(); above != null; above = above.getSuperclass()) {
            MethodEdit edit = points(above.getClassLoader(), above.getName().replace('.', '/'))
                    .get(CarryPoint.BEFORE);
            if (edit != null) {
                return Map.of(CarryPoint.BEFORE, edit);
            }
        }
        return Map.of();
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        Map<String, MethodEdit> wanted =
                name == null ? Map.of() : redefined == null ? points(loader, name) : points(redefined);
        if (wanted.isEmpty()) {
            return null;
        }
        try {
            return MethodEdit.apply(wanted, classFile);
        } catch (Throwable problem) {
            failures.accept(String.valueOf(name).replace('/', '.'), problem);
            return null;
        }
    }
}
