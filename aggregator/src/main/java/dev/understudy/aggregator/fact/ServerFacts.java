package dev.understudy.aggregator.fact;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
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

    /** What a fact takes besides its value and its key's text. */
    private static final long PER_FACT = 150;

    private final Map<ServerKey<?>, Object> ofServer = new HashMap<>();
    private final Map<Class<?>, Kind> kinds = new HashMap<>();
    private final Notifications notifications;
    private final Map<Object, List<Question>> waiting = new HashMap<>();
    private int questions;
    private @Nullable ServerFile file;

    /** Knows nothing yet. */
    public ServerFacts() {
        this(Duration.ofHours(1));
    }

    /** @param age how long notifications wait for a debug session */
    public ServerFacts(Duration age) {
        notifications = new Notifications(age, System::nanoTime);
    }

    private record Fact(Object value, long bytes) {}

    /** Somebody waits for a fact that is good enough. */
    private record Question(Once answer, Predicate<Object> complete) {}

    /** What listening sessions were notified of. */
    public Notifications notifications() {
        return notifications;
    }

    /**
     * Begins with what an earlier process knew of the server itself, and keeps what is learned of it there. To be
     * called before anything is learned or asked.
     *
     * @param keys all that may be in the file
     */
    public synchronized void keepIn(ServerFile kept, List<ServerKey<?>> keys) {
        file = kept;
        ofServer.putAll(kept.read(keys));
    }

    /**
     * Replaces what is known of the server itself, such as how it greets. Every new session asks for that, so it is
     * never forgotten, however many statements come between two connections.
     *
     * @param key one of a few that are fixed
     */
    public <T> void learnOfServer(ServerKey<T> key, T value) {
        List<Once> answered;
        synchronized (this) {
            ofServer.put(key, value);
            if (file != null) {
                file.write(ofServer);
            }
            answered = answered(key, value);
        }
        answered.forEach(Once::run);
    }

    /**
     * Replaces what is known under a key. One that takes more memory than all of its kind may isn't kept.
     *
     * @param valueBytes of memory that the value takes, about, and the key if it is no form
     */
    public void learn(Object key, Object value, long valueBytes) {
        List<Once> answered;
        synchronized (this) {
            answered = put(key, value, valueBytes);
        }
        answered.forEach(Once::run);
    }

    /**
     * Changes what is known under a key. Connections that record the same at one moment change it one after the other.
     *
     * @param none makes what there is if none is known
     * @param change whether it is news to those who wait for it; called while this is locked
     * @param bytes of memory that it takes then, without a key that is a form
     */
    public <T> void change(Object key, Class<T> type, Supplier<T> none, Predicate<T> change, ToLongFunction<T> bytes) {
        List<Once> answered;
        synchronized (this) {
            T known = known(key, type);
            T value = known == null ? none.get() : known;
            boolean news = change.test(value);
            answered = news || known == null ? put(key, value, bytes.applyAsLong(value)) : List.of();
        }
        answered.forEach(Once::run);
    }

    /** Who waited for it. */
    private List<Once> put(Object key, Object value, long valueBytes) {
        long bytes = PER_FACT + valueBytes + (key instanceof Form form ? form.textBytes() : 0);
        boolean kept =
                kinds.computeIfAbsent(value.getClass(), kind -> new Kind()).put(key, new Fact(value, bytes));
        return kept ? answered(key, value) : List.of();
    }

    /**
     * Adds to the answers that are known under a key by time.
     *
     * @param none makes what there is if none is known
     */
    public <T, A extends AnswerTimeline<T>> void learn(
            Form key, Class<A> type, Supplier<A> none, T answer, long nanos) {
        learn(key, 0, type, none, answer, nanos);
    }

    /**
     * The same under a key that is no form.
     *
     * @param keyBytes of memory that the key takes
     */
    public <T, A extends AnswerTimeline<T>> void learn(
            Object key, long keyBytes, Class<A> type, Supplier<A> none, T answer, long nanos) {
        Predicate<A> change = answers -> {
            answers.add(answer, nanos);
            // the same answer at a later time is news to those who wait for one of that time
            return true;
        };
        change(key, type, none, change, answers -> keyBytes + answers.bytes());
    }

    /** The fact under a key; null if there is none of this type. */
    public synchronized <T> @Nullable T known(Object key, Class<T> type) {
        Object value = key instanceof ServerKey<?> ofIt ? ofServer.get(ofIt) : null;
        if (value == null) {
            Kind kind = kinds.get(type);
            value = kind == null ? null : kind.get(key);
        }
        return type.isInstance(value) ? type.cast(value) : null;
    }

    /**
     * Gives the fact under a key once it is known: at once if it is, else later on {@code caller}, with null when the
     * time is up.
     *
     * @return takes the question back
     */
    public <T> PendingRequest await(
            Object key, Class<T> type, EventExecutor caller, long waitNanos, Consumer<@Nullable T> then) {
        return await(key, type, fact -> true, caller, waitNanos, then);
    }

    /**
     * The same for a fact that is complete: one that isn't counts as none.
     *
     * <p>If too many wait already, nobody else does: then it is null at once.
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
            fact = known(key, type, complete);
            if (fact == null && waitNanos > 0 && questions < MOST_WAITING) {
                Once once = Once.within(caller, waitNanos, () -> {
                    forgetWaiting(key);
                    then.accept(known(key, type, complete));
                });
                questions++;
                waiting.computeIfAbsent(key, k -> new ArrayList<>(1))
                        .add(new Question(once, value -> type.isInstance(value) && complete.test(type.cast(value))));
                return () -> {
                    once.cancel();
                    forgetWaiting(key);
                };
            }
        }
        then.accept(fact);
        return () -> {};
    }

    private synchronized <T> @Nullable T known(Object key, Class<T> type, Predicate<T> complete) {
        T fact = known(key, type);
        return fact != null && complete.test(fact) ? fact : null;
    }

    /** Those that wait for such a fact, and don't any longer. Others wait on. */
    private List<Once> answered(Object key, Object value) {
        List<Once> answered = new ArrayList<>();
        remove(key, question -> question.complete.test(value) && answered.add(question.answer));
        return answered;
    }

    /** Those whose time was up are taken out as others come and go. */
    private synchronized void forgetWaiting(Object key) {
        remove(key, question -> question.answer.over());
    }

    private void remove(Object key, Predicate<Question> which) {
        List<Question> queue = waiting.get(key);
        if (queue != null) {
            questions -= queue.size();
            queue.removeIf(which);
            questions += queue.size();
            if (queue.isEmpty()) {
                waiting.remove(key);
            }
        }
    }

    /** Facts of one kind, the least recently used ones first. */
    private static final class Kind {
        private final Map<Object, Fact> facts = new LinkedHashMap<>(64, 0.75f, true);
        private long bytes;

        /** Whether there is room for it. */
        boolean put(Object key, Fact fact) {
            boolean fits = fact.bytes <= MOST_BYTES;
            Fact before = fits ? facts.put(key, fact) : facts.remove(key);
            bytes += (fits ? fact.bytes : 0) - (before == null ? 0 : before.bytes);
            Iterator<Fact> eldest = facts.values().iterator();
            while (bytes > MOST_BYTES || facts.size() > MOST) {
                bytes -= eldest.next().bytes;
                eldest.remove();
            }
            return fits;
        }

        @Nullable
        Object get(Object key) {
            Fact fact = facts.get(key);
            return fact == null ? null : fact.value;
        }
    }
}
