package dev.understudy.agent.carry;

import dev.understudy.agent.weave.JdkEdits;
import dev.understudy.agent.weave.MethodEdit;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Weaves the JDK's executors and queues and known servers' pools, so that a task belongs to the exchange of whoever
 * handed it over; safe for any threads.
 */
public final class CarryTransformer implements ClassFileTransformer {
    private final JdkEdits edits;
    private final BiConsumer<String, Throwable> failures;

    /** Changes the JDK's classes by {@code edits}. Failures are told by class name and leave the class as it was. */
    public CarryTransformer(JdkEdits edits, BiConsumer<String, Throwable> failures) {
        this.edits = edits;
        this.failures = failures;
        if (!edits.areKept()) {
            CarryPoint.of(""); // loaded now: once this is a transformer it is asked about them, too
        }
    }

    /** The JDK's classes that are woven, with slashes. */
    public static Set<String> ofJdk() {
        return CarriedClasses.OF_JDK;
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
        if (!CarriedClasses.mayBe(loader, name)) {
            return Map.of();
        }
        if (loader == null) {
            return CarryPoint.of(name);
        }
        Map<String, MethodEdit> ofCoroutines = CoroutinePoint.of(name);
        return ofCoroutines.isEmpty() ? PoolPoint.of(name) : ofCoroutines;
    }

    /** A pool of a class of its own whose threads may be there already: it needn't call what it overrides. */
    private static Map<String, MethodEdit> overriding(Class<?> loaded) {
        for (Class<?> above = loaded.getSuperclass(); above != null; above = above.getSuperclass()) {
            if (above.getName().endsWith(CarriedClasses.POOL)) {
                MethodEdit edit = points(above.getClassLoader(), above.getName().replace('.', '/'))
                        .get(CarryPoint.BEFORE);
                if (edit != null) {
                    return Map.of(CarryPoint.BEFORE, edit);
                }
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
        if (name == null) {
            return null;
        }
        try {
            // a class that is loaded while another is retransformed comes with that one
            boolean again =
                    redefined != null && redefined.getName().replace('.', '/').equals(name);
            byte[] kept = CarriedClasses.mayBe(loader, name) ? edits.kept(loader, name, again, classFile) : null;
            if (kept != null) {
                return kept;
            }
            Map<String, MethodEdit> wanted = redefined != null && again ? points(redefined) : points(loader, name);
            return wanted.isEmpty() ? null : edits.apply(loader, name, again, classFile, wanted);
        } catch (Throwable problem) {
            failures.accept(name.replace('/', '.'), problem);
            return null;
        }
    }
}
