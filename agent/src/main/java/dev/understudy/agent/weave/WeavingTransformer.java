package dev.understudy.agent.weave;

import dev.understudy.agent.loading.Reach;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Weaves each class of the application as it is loaded; one that can't be woven stays as it was, counted.
 *
 * <p>Safe for any threads. Nothing is thrown into the JVM.
 */
public final class WeavingTransformer implements ClassFileTransformer {
    private static final int MOST_FAILED = 10_000;

    private final ApplicationCode application;
    private final Weaver weaver;
    private final BiConsumer<String, Throwable> failures;
    private final Reach reach;
    private volatile long lastLoadNanos = System.nanoTime();
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /**
     * Weaves what is {@code application}, where {@code reach} allows, with {@code weaver}; failures are told by class
     * name.
     */
    public WeavingTransformer(
            ApplicationCode application, Weaver weaver, Reach reach, BiConsumer<String, Throwable> failures) {
        this.application = application;
        this.weaver = weaver;
        this.reach = reach;
        this.failures = failures;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (loader == null || name == null || loader == WeavingTransformer.class.getClassLoader()) {
            return null;
        }
        lastLoadNanos = System.nanoTime();
        try {
            return covers(loader, name, domain) ? weaver.weave(loader, classFile, redefined != null) : null;
        } catch (Throwable problem) {
            if (failed.size() < MOST_FAILED) {
                failed.add(name);
            }
            failures.accept(name.replace('/', '.'), problem);
            return null;
        }
    }

    /**
     * Whether the class, named with slashes, is of the application and would find the bootstrap part.
     *
     * @param loader not null
     */
    public boolean covers(ClassLoader loader, String name, @Nullable ProtectionDomain domain) {
        return application.owns(name, domain) && reach.reaches(loader);
    }

    /** Whether a class that is loaded already would have been woven. */
    public boolean wants(Class<?> loaded) {
        ClassLoader loader = loaded.getClassLoader();
        return loader != null
                && loader != WeavingTransformer.class.getClassLoader()
                && !loaded.isArray()
                && application.owns(loaded.getName().replace('.', '/'), loaded.getProtectionDomain());
    }

    /**
     * When a class of a loader other than the JVM's own and the agent's was loaded last, in {@link System#nanoTime}.
     */
    public long lastLoadNanos() {
        return lastLoadNanos;
    }

    /** How many classes couldn't be woven, however often the JVM came by with them. */
    public int failed() {
        return failed.size();
    }
}
