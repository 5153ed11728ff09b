package dev.understudy.aggregator.fact;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What production's listening sessions were notified of, for the debug sessions that stand for them: the n-th debug
 * session to listen on a channel of a database hears what the n-th of production's did; one that comes in the place of
 * another goes on where that stopped.
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

    private final Map<Channel, List<Source>> sources = new HashMap<>();
    private final Map<Channel, ArrayDeque<Listener>> waiting = new HashMap<>();
    private long noted;
    private long bytes;

    /** Where one listens. */
    public record Channel(String database, String name) {}

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

    /** Begins to tell of a session of production's that listens; null if there are too many. */
    public @Nullable Source opened(Channel channel) {
        Source source = new Source();
        Listener first;
        synchronized (this) {
            List<Source> all = sources.computeIfAbsent(channel, added -> new ArrayList<>(1));
            all.removeIf(known -> known.ended && known.notes.isEmpty() && known.listener == null);
            if (sources.size() > MOST_CHANNELS || all.size() >= MOST_SOURCES) {
                return null;
            }
            all.add(source);
            ArrayDeque<Listener> queue = waiting.get(channel);
            first = queue == null ? null : queue.poll();
            source.listener = first;
            if (first != null) {
                first.source = source;
            }
        }
        return source;
    }

    /** Begins to listen as a debug session; {@code news} is run when there is something to take. */
    public synchronized Listener listen(Channel channel, Runnable news) {
        Listener listener = new Listener(channel, news);
        for (Source source : sources.getOrDefault(channel, List.of())) {
            if (source.listener == null) {
                source.listener = listener;
                listener.source = source;
                return listener;
            }
        }
        ArrayDeque<Listener> queue = waiting.computeIfAbsent(channel, added -> new ArrayDeque<>(1));
        if (queue.size() < MOST_SOURCES && waiting.size() <= MOST_CHANNELS) {
            queue.add(listener);
        }
        return listener;
    }

    /** One session of production's on one channel. */
    public final class Source {
        private final ArrayDeque<Note> notes = new ArrayDeque<>();
        private @Nullable Listener listener;
        private boolean ended;

        /**
         * The session was notified.
         *
         * @return whether a notification that nobody had taken was forgotten for it, or this one is for want of memory
         */
        public boolean add(Note note) {
            Listener told;
            boolean full;
            synchronized (Notifications.this) {
                full = notes.size() >= MOST_NOTES || bytes + note.bytes() > MOST_BYTES;
                Note eldest = full ? notes.poll() : null;
                bytes -= eldest == null ? 0 : eldest.bytes();
                if (bytes + note.bytes() <= MOST_BYTES) {
                    bytes += note.bytes();
                    notes.add(note.numbered(++noted));
                }
                told = listener;
            }
            if (told != null) {
                told.news.run();
            }
            return full;
        }

        /** The session listens no more. */
        public void end() {
            synchronized (Notifications.this) {
                ended = true;
            }
        }
    }

    /** One debug session on one channel. */
    public final class Listener {
        private final Channel channel;
        private final Runnable news;
        private @Nullable Source source;

        Listener(Channel channel, Runnable news) {
            this.channel = channel;
            this.news = news;
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
                bytes -= taken == null ? 0 : taken.bytes();
                return taken;
            }
        }

        /** Listens no more. */
        public void end() {
            synchronized (Notifications.this) {
                if (source != null) {
                    source.listener = null;
                }
                ArrayDeque<Listener> queue = waiting.get(channel);
                if (queue != null && queue.remove(this) && queue.isEmpty()) {
                    waiting.remove(channel);
                }
            }
        }
    }
}
