package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest exchanges of all debug JVMs, numbered as they were judged.
 *
 * <p>Bounded by number and by bytes; replies have bytes of their own, and go before the exchanges that they belong to.
 * For all threads: the lock is held for a few references at a time, so that no lane loop waits for a reader.
 */
public final class ExchangeLog {
    /** Of one, on average: what most need is less. */
    private static final long EACH = 480;

    private static final long REPLY_BYTES = 8L << 20;
    private static final int SLICE = 500;
    private static final long OVERHEAD = 320;
    private static final long OF_DIFFERENCE = 96;

    private final @Nullable Entry[] ring;
    private final long mostBytes;
    private final KeptReplies different;

    /** Their room is another one, so that frequent failures push out no replies that differ. */
    private final KeptReplies equal;

    /** Requests alone, of all that went well. */
    private final KeptReplies asked;

    private long bytes;
    private long newest;
    private long oldest = 1;

    ExchangeLog(int most, long mostBytes, long mostReplyBytes) {
        this.ring = new Entry[most];
        this.mostBytes = mostBytes;
        this.different = new KeptReplies(mostReplyBytes);
        this.equal = new KeptReplies(mostReplyBytes / 4);
        this.asked = new KeptReplies(mostReplyBytes / 4);
    }

    /** One of at most so many exchanges, that suits a heap of that many bytes: it takes a sixteenth at the most. */
    public static ExchangeLog of(int most, long heap) {
        return new ExchangeLog(most, Math.min(EACH * most, heap / 16), Math.min(REPLY_BYTES, heap / 32));
    }

    /** One exchange. */
    public static final class Entry {
        private final long number;
        private final String debug;
        private final String route;
        private final Judged judged;
        private final @Nullable Failing failing;
        private volatile @Nullable ReplyPair replies;

        private Entry(
                long number,
                String debug,
                String route,
                Judged judged,
                @Nullable Failing failing,
                @Nullable ReplyPair replies) {
            this.number = number;
            this.debug = debug;
            this.route = route;
            this.judged = judged;
            this.failing = failing;
            this.replies = replies;
        }

        /** Its place among all that were judged. */
        public long number() {
            return number;
        }

        /** The debug JVM's name. */
        public String debug() {
            return debug;
        }

        /** What it is called in the report. */
        public String route() {
            return route;
        }

        public Judged judged() {
            return judged;
        }

        /** By which rule it fails; null if it doesn't, or that can't be told. */
        public @Nullable Failing failing() {
            return failing;
        }

        /** Both replies; null if they aren't kept, or not any more. */
        public @Nullable ReplyPair replies() {
            return replies;
        }
    }

    /**
     * What a search found.
     *
     * @param entries newest first
     * @param next the search may go on before this number; 0 if nothing older is kept
     */
    public record Found(List<Entry> entries, long next) {}

    /** Keeps one that doesn't fail. */
    public void add(String debug, String route, Judged judged, @Nullable ReplyPair replies) {
        add(debug, route, judged, null, replies);
    }

    /** Keeps one. */
    public synchronized void add(
            String debug, String route, Judged judged, @Nullable Failing failing, @Nullable ReplyPair replies) {
        newest++;
        if (newest - oldest == ring.length) {
            dropOldest();
        }
        Entry entry = new Entry(newest, debug, route, judged, failing, replies);
        ring[slot(newest)] = entry;
        bytes += heldBytes(judged);
        while (bytes > mostBytes && oldest < newest) {
            dropOldest();
        }
        store(entry).add(entry);
    }

    private KeptReplies store(Entry entry) {
        ReplyPair replies = entry.replies;
        return replies != null && replies.production() == null && replies.debug() == null
                ? asked
                : entry.judged.verdict().kind() == VerdictKind.SAME ? equal : different;
    }

    /** The newest one's number; 0 before the first. */
    public synchronized long newest() {
        return newest;
    }

    /** The oldest one's number; one more than the newest if none is kept. */
    public synchronized long oldest() {
        return oldest;
    }

    /**
     * The newest ones that fit, newest first.
     *
     * @param after only those with higher numbers
     * @param before only those with lower numbers
     * @param limit at most so many
     * @param most so many are looked at, whether or not they fit
     */
    public Found search(Predicate<Entry> fits, long after, long before, int limit, int most) {
        List<Entry> found = new ArrayList<>();
        long next = before;
        for (int left = most; left > 0 && found.size() < limit; left -= SLICE) {
            List<Entry> slice = slice(after, next, Math.min(SLICE, left));
            for (Entry entry : slice) {
                next = entry.number;
                if (fits.test(entry)) {
                    found.add(entry);
                    if (found.size() == limit) {
                        break;
                    }
                }
            }
            if (slice.isEmpty()) {
                return new Found(found, 0);
            }
        }
        return new Found(found, next > Math.max(after + 1, oldest()) ? next : 0);
    }

    /** The one with that number of an exchange; null if it isn't kept. */
    public @Nullable Entry find(long exchange) {
        List<Entry> found =
                search(entry -> entry.judged.exchange() == exchange, 0, Long.MAX_VALUE, 1, ring.length).entries;
        return found.isEmpty() ? null : found.get(0);
    }

    private synchronized List<Entry> slice(long after, long before, int count) {
        List<Entry> slice = new ArrayList<>();
        long least = Math.max(oldest, after + 1);
        for (long number = Math.min(newest, before - 1); number >= least && slice.size() < count; number--) {
            Entry entry = ring[slot(number)];
            if (entry != null) {
                slice.add(entry);
            }
        }
        return slice;
    }

    private void dropOldest() {
        Entry entry = ring[slot(oldest)];
        ring[slot(oldest)] = null;
        oldest++;
        if (entry == null) {
            return;
        }
        bytes -= heldBytes(entry.judged);
        different.dropped(entry);
        equal.dropped(entry);
        asked.dropped(entry);
    }

    /** Exchanges whose replies are kept, oldest first; guarded by the log. */
    private static final class KeptReplies {
        private final ArrayDeque<Entry> entries = new ArrayDeque<>();
        private final long most;
        private long bytes;

        KeptReplies(long most) {
            this.most = most;
        }

        void add(Entry entry) {
            ReplyPair replies = entry.replies;
            if (replies == null) {
                return;
            }
            entries.addLast(entry);
            bytes += replies.heldBytes();
            while (bytes > most) {
                forgetFirst();
            }
        }

        /** The log's oldest exchange is kept no more. */
        void dropped(Entry entry) {
            if (entries.peekFirst() == entry) {
                forgetFirst();
            }
        }

        private void forgetFirst() {
            Entry entry = entries.removeFirst();
            ReplyPair replies = entry.replies;
            bytes -= replies == null ? 0 : replies.heldBytes();
            entry.replies = null;
        }
    }

    private int slot(long number) {
        return (int) (number % ring.length);
    }

    private static long heldBytes(Judged judged) {
        long held = OVERHEAD + judged.request().length();
        for (Difference difference : judged.verdict().differences()) {
            held += OF_DIFFERENCE + difference.path().length();
            held += difference.production() == null
                    ? 0
                    : difference.production().length();
            held += difference.debug() == null ? 0 : difference.debug().length();
        }
        return held;
    }
}
