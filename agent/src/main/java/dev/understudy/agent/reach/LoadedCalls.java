package dev.understudy.agent.reach;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the class files of the application's classes once they are loaded, as their loaders have them: what a patch
 * calls isn't known. Confined to one thread; pauses now and then, so as not to take a core from the application.
 */
final class LoadedCalls {
    private static final int MOST_CLASSES = 50_000;
    private static final int LARGEST = 4 << 20;
    private static final int AT_ONCE = 50;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Instrumentation instrumentation;
    private final Predicate<Class<?>> wanted;
    private final Set<String> read = new HashSet<>();
    private final Set<String> outside = new HashSet<>();
    private int unread;

    /** Reads the classes that are wanted, as far as they are loaded. */
    LoadedCalls(Instrumentation instrumentation, Predicate<Class<?>> wanted) {
        this.instrumentation = instrumentation;
        this.wanted = wanted;
    }

    /** Takes what is new into the graph. */
    void addTo(CallGraph graph) {
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (read.size() < MOST_CLASSES && wanted.test(loaded) && read.add(loaded.getName())) {
                ClassCalls calls =
                        calls(loaded.getClassLoader(), loaded.getName().replace('.', '/'));
                if (calls != null) {
                    graph.add(calls);
                    addAbove(graph, loaded.getClassLoader());
                } else {
                    unread++;
                }
                if (read.size() % AT_ONCE == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    /** Libraries' types are read too, for the methods that they declare. */
    private void addAbove(CallGraph graph, @Nullable ClassLoader loader) {
        for (Set<String> missing = graph.missing(); outside.addAll(missing); missing = graph.missing()) {
            for (String name : missing) {
                ClassCalls calls = calls(loader, name);
                if (calls != null) {
                    graph.addOutside(calls);
                }
            }
        }
    }

    /** How many classes couldn't be read, as those that frameworks make at run time. */
    int unread() {
        return unread;
    }

    private static @Nullable ClassCalls calls(@Nullable ClassLoader loader, String name) {
        String file = name + ".class";
        try (InputStream in =
                loader == null ? ClassLoader.getSystemResourceAsStream(file) : loader.getResourceAsStream(file)) {
            return in == null ? null : ClassCalls.of(in.readNBytes(LARGEST));
        } catch (IOException | RuntimeException | LinkageError unreadable) {
            return null;
        }
    }
}
