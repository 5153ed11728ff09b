package dev.understudy.aggregator.fact;

import dev.understudy.aggregator.exchange.PendingRequest;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What production's connections taught about the server and doesn't belong to one exchange: its parameters, the shapes
 * of statements, and answers that hold for every session. Each may be asked for any number of times; the latest counts.
 *
 * <p>The least recently used facts of each kind are forgotten, but for those about the server itself: thousands of
 * statements with their values in their texts, each of whose shapes is one, don't push out what holds for every
 * session. Safe for all threads: guarded by {@code this}; callbacks run on their callers' executors.
 */
public final class ServerFacts {
    private static final int MOST = 5000;
    private static final long MOST_BYTES = 8 << 20;
    private static final int MOST_WAITING = 10_000;

    private final Map<Object, Object> ofServer = new HashMap<>();
    private final Map<Class<?>, Kind> kinds = new HashMap<>();
    private final Notifications notifications = new Notifications();
    private final Map<Object, List<Once>> waiting = new HashMap<>();

    private record Fact(Object value, long bytes) {}

    /** What listening sessions were notified of. */
    public Notifications notifications() {
        return notifications;
    }

    /**
     * Replaces what is known of the server itself, such as how it greets. Every new session asks for that, so it is
     * never forgotten, however many statements come between two connections.
     *
     * @param key one of a few that are fixed
     */
    public void learnOfServer(Object key, Object value) {
        List<Once> told;
        synchronized (this) {
            ofServer.put(key, value);
            told = waiting.remove(key);
        }
        tell(told);
    }

    /** Replaces what is known under a key by something that takes about so many bytes. */
    public void learn(Object key, Object value, long valueBytes) {
        List<Once> told;
        synchronized (this) {
            kinds.computeIfAbsent(value.getClass(), kind -> new Kind()).put(key, new Fact(value, valueBytes));
            told = waiting.remove(key);
        }
        tell(told);
    }

    /** The fact under a key; null if there is none of this type. */
    public synchronized <T> @Nullable T known(Object key, Class<T> type) {
        Object value = ofServer.get(key);
        if (value == null) {
            Kind kind = kinds.get(type);
            value = kind == null ? null : kind.get(key);
        }
        return type.isInstance(value) ? type.cast(value) : null;
    }

    /**
     * Tells the fact under a key once it is known: at once if it is, else later on {@code caller}, with null when the
     * time is up.
     *
     * @return takes the question back
     */
    public <T> PendingRequest await(
            Object key, Class<T> type, EventExecutor caller, long waitNanos, Consumer<@Nullable T> then) {
        return await(key, type, fact -> true, caller, waitNanos, then);
    }

    /**
     * Gives it as the other one does; but one that isn't complete comes only once there is news of it.
     *
     * @param complete whether a fact needn't be waited for; asked while this is locked
     */
    public <T> PendingRequest await(
            Object key,
            Class<T> type,
            Predicate<T> complete,
            EventExecutor caller,
            long waitNanos,
            Consumer<@Nullable T> then) {
        T fact;
        synchronized (this) {
            fact = known(key, type);
            if ((fact == null || !complete.test(fact)) && waitNanos > 0 && waiting.size() < MOST_WAITING) {
                Once once = Once.within(caller, waitNanos, () -> {
                    forgetWaiting(key);
                    then.accept(known(key, type));
                });
                waiting.computeIfAbsent(key, k -> new ArrayList<>(1)).add(once);
                return () -> {
                    once.cancel();
                    forgetWaiting(key);
                };
            }
        }
        then.accept(fact);
        return () -> {};
    }

    private static void tell(@Nullable List<Once> told) {
        if (told != null) {
            told.forEach(Once::run);
        }
    }

    /** Those whose time was up are taken out as others come and go. */
    private synchronized void forgetWaiting(Object key) {
        List<Once> queue = waiting.get(key);
        if (queue != null && queue.removeIf(Once::over) && queue.isEmpty()) {
            waiting.remove(key);
        }
    }

    /** Facts of one kind, the least recently used ones first. */
    private static final class Kind {
        private final Map<Object, Fact> facts = new LinkedHashMap<>(64, 0.75f, true);
        private long bytes;

        void put(Object key, Fact fact) {
            Fact before = facts.put(key, fact);
            bytes += fact.bytes - (before == null ? 0 : before.bytes);
            Iterator<Fact> eldest = facts.values().iterator();
            while (bytes > MOST_BYTES || facts.size() > MOST) {
                bytes -= eldest.next().bytes;
                eldest.remove();
            }
        }

        @Nullable
        Object get(Object key) {
            Fact fact = facts.get(key);
            return fact == null ? null : fact.value;
        }
    }
}
