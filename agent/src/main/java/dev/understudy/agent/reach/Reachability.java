package dev.understudy.agent.reach;

import dev.understudy.agent.weave.ProbePattern;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows what can be reached from the methods that are asked for, also when classes are loaded later.
 *
 * <p>{@link #run} is the one thread that looks for new classes, and returns only when it is interrupted; the rest is
 * for any thread. While nothing is asked for it does nothing and keeps nothing.
 */
public final class Reachability implements Runnable {
    /** So many methods' calls are followed at most. */
    static final int MOST_METHODS = 20_000;

    private static final long LOOK_MILLIS = 1000;
    private static final String FROM = "from:";

    private final Instrumentation instrumentation;
    private final Predicate<Class<?>> wanted;
    private final LongSupplier lastLoad;
    private volatile Map<String, Reached> reached = Map.of();
    private volatile int unread;
    private volatile Runnable changed = () -> {};
    private final Map<String, Set<String>> asked = new HashMap<>(); // guarded by this, as are the next three
    private @Nullable CallGraph graph;
    private @Nullable LoadedCalls loaded;
    private long seen;

    /**
     * Looks at the loaded classes that are wanted.
     *
     * @param lastLoad when a class was loaded last: when that changes, it looks again
     */
    public Reachability(Instrumentation instrumentation, Predicate<Class<?>> wanted, LongSupplier lastLoad) {
        this.instrumentation = instrumentation;
        this.wanted = wanted;
        this.lastLoad = lastLoad;
    }

    /**
     * The pattern from which everything is meant that can be reached, in the way of {@code from:}; null if this isn't
     * such a one.
     */
    public static @Nullable String root(String pattern) {
        return pattern.startsWith(FROM) ? pattern.substring(FROM.length()) : null;
    }

    /** This kind of orders asks for these patterns and no others; returns when what is reached now is known. */
    public void ask(String kind, Set<String> patterns) {
        if (asks(kind, patterns)) {
            changed.run();
        }
    }

    private synchronized boolean asks(String kind, Set<String> patterns) {
        asked.put(kind, Set.copyOf(patterns));
        Map<String, Reached> next = new HashMap<>();
        for (Set<String> some : asked.values()) {
            some.forEach(pattern -> next.put(pattern, reached.getOrDefault(pattern, Reached.NOTHING)));
        }
        if (next.isEmpty()) {
            reached = Map.of();
            graph = null;
            loaded = null;
            unread = 0;
            return false;
        }
        reached = next;
        boolean more = look();
        notifyAll();
        return more;
    }

    /** Is run whenever more is reached than before, by the thread that looks. */
    public void whenChanged(Runnable run) {
        changed = run;
    }

    /** What can be reached from the pattern; nothing if it isn't asked for. */
    public Reached from(String pattern) {
        return reached.getOrDefault(pattern, Reached.NOTHING);
    }

    /** How many of the application's classes couldn't be read. */
    public int unread() {
        return unread;
    }

    @Override
    public void run() {
        try {
            while (true) {
                if (refreshed()) {
                    changed.run();
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean refreshed() throws InterruptedException {
        while (reached.isEmpty()) {
            wait();
        }
        TimeUnit.MILLISECONDS.timedWait(this, LOOK_MILLIS);
        return !reached.isEmpty() && lastLoad.getAsLong() != seen && look();
    }

    /** Whether anything is reached that wasn't. */
    private boolean look() {
        CallGraph calls = graph == null ? new CallGraph(MOST_METHODS) : graph;
        LoadedCalls classes = loaded == null ? new LoadedCalls(instrumentation, wanted) : loaded;
        graph = calls;
        loaded = classes;
        seen = lastLoad.getAsLong();
        classes.addTo(calls);
        unread = classes.unread();
        Map<String, Reached> next = new HashMap<>();
        boolean more = false;
        for (Map.Entry<String, Reached> one : reached.entrySet()) {
            Reached now = calls.from(ProbePattern.of(one.getKey()));
            next.put(one.getKey(), now);
            more |= !now.sameAs(one.getValue());
        }
        reached = next;
        return more;
    }
}
