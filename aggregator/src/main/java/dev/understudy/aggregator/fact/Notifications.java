package dev.understudy.aggregator.fact;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What production's listening sessions were notified of, for the debug sessions that stand for them: the n-th debug
 * session to listen on a channel of a database hears what the n-th of production's did; one that comes in the place of
 * another goes on where that stopped, unless production's is over.
 *
 * <p>Bounded in channels, sessions and notifications; the eldest are forgotten. Safe for all threads: guarded by
 * {@code this}; listeners are told on the thread of whoever has news.
 */
public final class Notifications {
    private static final int MOST_CHANNELS = 1000;
    private static final int MOST_SOURCES = 1000;
    private static final int MOST_NOTES = 1000;

    /** Memory of all notifications that nobody has taken. */
    private static final long MOST_BYTES = 8 << 20;

    /** How much longer than production's a debug session may listen before it counts as left behind. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(2);

    /** A debug session doesn't outlive what it listened to for longer, however long production's waited. */
    private static final long MOST_PATIENCE = TimeUnit.MINUTES.toNanos(1);

    private final long ageNanos;
    private final LongSupplier clock;
    private final Map<Channel, List<Source>> sources = new HashMap<>();
    private final Map<Channel, ArrayDeque<Listener>> waiting = new HashMap<>();
    private long noted;
    private long bytes;

    /**
     * Makes an empty one.
     *
     * @param age how long a session that is over waits for a debug session
     * @param clock in nanoseconds
     */
    public Notifications(Duration age, LongSupplier clock) {
        this.ageNanos = age.toNanos();
        this.clock = clock;
    }

    /** Where one listens. */
    public record Channel(String database, String name) {}

    /** How a session of production's ceased to listen. */
    public enum End {
        /** It wanted to. */
        LEFT,
        /** The server ended it. */
        CUT,
        /** It goes on, but we don't know what it is notified of. */
        LOST
    }

    /**
     * One notification.
     *
     * @param processId of the server's process that sent it
     * @param own whether that was the one that served the listening session itself
     * @param turn how many requests the session had been answered since it listened, the one included before whose end
     *     it came
     * @param within whether it came before the end of that one, and not behind it
     * @param number grows as they come, whatever the channel; 0 as long as it hasn't got one
     */
    public record Note(
            int processId, boolean own, String channel, String payload, long turn, boolean within, long number) {
        /** One that is still to get its number. */
        public Note(int processId, boolean own, String channel, String payload, long turn, boolean within) {
            this(processId, own, channel, payload, turn, within, 0);
        }

        private long bytes() {
            return 200 + 2L * payload.length();
        }

        private Note numbered(long given) {
            return new Note(processId, own, channel, payload, turn, within, given);
        }
    }

    /**
     * Begins to tell of a session of production's that listens; null if there are too many.
     *
     * @param unheard counts its notifications that no debug session heard; called under a lock
     */
    public @Nullable Source opened(Channel channel, LongConsumer unheard) {
        List<Runnable> news = new ArrayList<>(1);
        Source source = new Source(channel, unheard);
        synchronized (this) {
            expire();
            List<Source> all = sources.computeIfAbsent(channel, added -> new ArrayList<>(1));
            if (all.size() >= MOST_SOURCES) {
                all.stream()
                        .filter(one -> one.end != null && one.listener == null)
                        .min(Comparator.comparingLong(one -> one.endNanos))
                        .ifPresent(Source::forget);
            }
            if (sources.size() > MOST_CHANNELS || all.size() >= MOST_SOURCES) {
                return null;
            }
            all.add(source);
            offer(source);
            if (source.listener == null) {
                all.stream()
                        .filter(one -> one.end == End.LEFT && one.listener != null)
                        .forEach(one -> news.add(one.news()));
            }
        }
        news.forEach(Runnable::run);
        return source;
    }

    private void expire() {
        long now = clock.getAsLong();
        for (List<Source> all : List.copyOf(sources.values())) {
            all.stream()
                    .filter(one -> one.end != null && one.listener == null && now - one.endNanos > ageNanos)
                    .toList()
                    .forEach(Source::forget);
        }
        sources.values().removeIf(List::isEmpty);
    }

    /** Gives a session to the first who waits for one, if anybody does. */
    private void offer(Source source) {
        ArrayDeque<Listener> queue = waiting.get(source.channel);
        Listener first = queue == null ? null : queue.poll();
        if (queue != null && queue.isEmpty()) {
            waiting.remove(source.channel);
        }
        if (first != null) {
            first.take(source);
        }
    }

    private @Nullable Source untaken(Channel channel) {
        for (Source source : sources.getOrDefault(channel, List.of())) {
            if (source.listener == null) {
                return source;
            }
        }
        return null;
    }

    /** Begins to listen as a debug session; {@code news} is run when there is something to take. */
    public synchronized Listener listen(Channel channel, Runnable news) {
        expire();
        Listener listener = new Listener(channel, news);
        Source untaken = untaken(channel);
        if (untaken != null) {
            listener.take(untaken);
            return listener;
        }
        ArrayDeque<Listener> queue = waiting.computeIfAbsent(channel, added -> new ArrayDeque<>(1));
        if (queue.size() < MOST_SOURCES && waiting.size() <= MOST_CHANNELS) {
            queue.add(listener);
        }
        return listener;
    }

    /** One session of production's on one channel. */
    public final class Source {
        private final Channel channel;
        private final LongConsumer unheard;
        private final ArrayDeque<Note> notes = new ArrayDeque<>();
        private @Nullable Listener listener;

        /** Whether a debug session had it before, and its successor got nothing of it. */
        private boolean inherited;

        private boolean dropped;
        private @Nullable End end;
        private byte @Nullable [] farewell;
        private long lastNanos = clock.getAsLong();
        private long endNanos;

        Source(Channel channel, LongConsumer unheard) {
            this.channel = channel;
            this.unheard = unheard;
        }

        /** The session was notified. The eldest notification makes room for it. */
        public void add(Note note) {
            Listener told;
            synchronized (Notifications.this) {
                lastNanos = clock.getAsLong();
                if (dropped) {
                    unheard.accept(1);
                    return;
                }
                if (notes.size() >= MOST_NOTES || bytes + note.bytes() > MOST_BYTES) {
                    Note eldest = notes.poll();
                    bytes -= eldest == null ? 0 : eldest.bytes();
                    unheard.accept(1);
                }
                if (bytes + note.bytes() <= MOST_BYTES) {
                    bytes += note.bytes();
                    notes.add(note.numbered(++noted));
                }
                told = listener;
            }
            if (told != null) {
                told.news.run();
            }
        }

        /**
         * The session listens no more.
         *
         * @param message the error with which the server said so; null if it said nothing. Not changed from here on
         */
        public void end(End how, byte @Nullable [] message) {
            Listener told;
            synchronized (Notifications.this) {
                if (end != null) {
                    return;
                }
                end = how;
                farewell = message;
                endNanos = clock.getAsLong();
                told = listener;
                if (told == null && inherited) {
                    forget();
                }
            }
            if (told != null) {
                told.news.run();
            }
        }

        private Runnable news() {
            Listener told = listener;
            return told == null ? () -> {} : told.news;
        }

        /** It is nobody's from here on. */
        private void forget() {
            dropped = true;
            notes.forEach(note -> bytes -= note.bytes());
            if (!notes.isEmpty()) {
                unheard.accept(notes.size());
            }
            notes.clear();
            List<Source> all = sources.get(channel);
            if (all != null) {
                all.remove(this);
            }
        }
    }

    /**
     * A debug session is to end, as production's did, unless it moves on to another one by then.
     *
     * @param how production's ended
     * @param inNanos how long it may stay; it is asked for anew then
     * @param farewell what the server said; null if it said nothing
     */
    @SuppressWarnings("ArrayRecordComponent") // shared; compared by nobody
    public record SessionEnd(End how, long inNanos, byte @Nullable [] farewell) {}

    /** One debug session on one channel. */
    public final class Listener {
        private final Channel channel;
        private final Runnable news;
        private @Nullable Source source;
        private long lastNanos;

        Listener(Channel channel, Runnable news) {
            this.channel = channel;
            this.news = news;
        }

        private void take(Source taken) {
            taken.listener = this;
            source = taken;
            lastNanos = clock.getAsLong();
        }

        /** Whether no session of production's is there for it yet. */
        public boolean waits() {
            synchronized (Notifications.this) {
                return source == null;
            }
        }

        /** The next notification, without taking it; null if there is none. */
        public @Nullable Note peek() {
            synchronized (Notifications.this) {
                return source == null ? null : source.notes.peek();
            }
        }

        /** Takes the next notification; null if there is none. */
        public @Nullable Note take() {
            synchronized (Notifications.this) {
                Note taken = source == null ? null : source.notes.poll();
                if (source != null && taken != null) {
                    bytes -= taken.bytes();
                    source.inherited = false;
                    lastNanos = clock.getAsLong();
                }
                return taken;
            }
        }

        /** Goes on with the next session, if production's client left its own; returns whether it does. */
        public boolean movesOn() {
            synchronized (Notifications.this) {
                Source old = source;
                Source next = untaken(channel);
                if (old == null || next == null || old.end != End.LEFT || !old.notes.isEmpty()) {
                    return false;
                }
                if (!old.inherited && dueIn(old) > 0) {
                    return false;
                }
                old.listener = null;
                old.forget();
                take(next);
                return true;
            }
        }

        /** Whether and when the session must end, or may have to move on; null if it goes on as it is. */
        public @Nullable SessionEnd ending() {
            synchronized (Notifications.this) {
                Source over = source;
                End how = over == null ? null : over.end;
                if (over == null || how == null || !over.notes.isEmpty()) {
                    return null;
                }
                if (how == End.LEFT && untaken(channel) == null) {
                    return null;
                }
                long due = how == End.LOST ? 0 : dueIn(over);
                return new SessionEnd(how, how == End.LEFT ? Math.max(1, due) : due, over.farewell);
            }
        }

        /** It stays for as long as production's after the last notification. */
        private long dueIn(Source over) {
            long stayed = Math.min(MOST_PATIENCE, over.endNanos - over.lastNanos) + (over.end == End.LEFT ? GRACE : 0);
            return Math.max(0, lastNanos + stayed - clock.getAsLong());
        }

        /**
         * Listens no more.
         *
         * @param left whether the session goes on, so that what follows is for nobody
         */
        public void end(boolean left) {
            List<Runnable> told = new ArrayList<>(1);
            synchronized (Notifications.this) {
                Source had = source;
                source = null;
                ArrayDeque<Listener> queue = waiting.get(channel);
                if (queue != null && queue.remove(this) && queue.isEmpty()) {
                    waiting.remove(channel);
                }
                if (had != null) {
                    had.listener = null;
                    had.inherited = true;
                    if (left || had.end != null) {
                        had.forget();
                    } else {
                        offer(had);
                        told.add(had.news());
                    }
                }
            }
            told.forEach(Runnable::run);
        }
    }
}
