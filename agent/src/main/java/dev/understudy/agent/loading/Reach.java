package dev.understudy.agent.loading;

import dev.understudy.agent.bootstrap.Probes;
import java.lang.instrument.ClassFileTransformer;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows in which class loaders woven code would find the bootstrap part. Safe for any threads.
 *
 * <p>Of the application nothing is called but, once per class loader, its {@code loadClass}.
 */
public final class Reach {
    private final Map<ClassLoader, Boolean> known = Collections.synchronizedMap(new WeakHashMap<>());
    private final Consumer<String> told;

    /** @param told gets the class name of each loader that doesn't find it, once */
    public Reach(Consumer<String> told) {
        this.told = told;
    }

    /**
     * Whether classes of this loader find it; to be asked for classes that are to be woven, since those that don't are
     * told of.
     *
     * @param loader null for the JVM's own
     * @throws RuntimeException what the loader throws; it is asked again next time
     */
    public boolean reaches(@Nullable ClassLoader loader) {
        if (loader == null) {
            return true;
        }
        Boolean before = known.get(loader);
        if (before != null) {
            return before;
        }
        boolean found = finds(loader);
        if (known.putIfAbsent(loader, found) == null && !found) {
            told.accept(loader.getClass().getName());
        }
        return found;
    }

    /** The same transformer, but that it leaves alone what wouldn't find the bootstrap part. */
    public ClassFileTransformer guarding(ClassFileTransformer transformer) {
        return new Reaching(this, transformer);
    }

    private static boolean finds(ClassLoader loader) {
        try {
            return Class.forName(Probes.class.getName(), false, loader) == Probes.class;
        } catch (ClassNotFoundException | LinkageError notFound) {
            return false;
        }
    }
}
