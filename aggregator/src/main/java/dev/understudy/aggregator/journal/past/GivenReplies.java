package dev.understudy.aggregator.journal.past;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.Reruns;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The replies that the debug JVM was given, by the inbound exchange for which it asked, so that it is given them once
 * more when it is sent the request again: of each form in the same order.
 *
 * <p>Bounded by bytes: half of them for the newest exchanges, half for those that somebody may want to run again, such
 * as failing ones, of which many more may be older. In each half the earliest is forgotten first. Replies of which a
 * part lies in files, or that were given while they were recorded, aren't kept. Guarded by its journal.
 */
public final class GivenReplies<R extends RecordedReply> {
    private static final int RERUNS = 64;

    private final Shelf<R> newest;
    private final Shelf<R> kept;
    private final Map<Reruns.Rerun, List<Recorded<R>>> left = new LinkedHashMap<>();
    private int run;

    /** Keeps nothing yet, and never more than so many bytes. */
    public GivenReplies(long capacity) {
        newest = new Shelf<>(capacity / 2);
        kept = new Shelf<>(capacity / 2);
    }

    /** What one exchange was given, in order. */
    private static final class Given<R extends RecordedReply> {
        private final List<Recorded<R>> replies = new ArrayList<>(4);
        private long bytes;
    }

    /** Exchanges, up to so many bytes. */
    private static final class Shelf<R extends RecordedReply> {
        private final long capacity;
        private final Map<Long, Given<R>> byExchange = new LinkedHashMap<>();
        private long bytes;

        Shelf(long capacity) {
            this.capacity = capacity;
        }

        void put(long exchange, Recorded<R> reply) {
            Given<R> given = byExchange.computeIfAbsent(exchange, first -> new Given<>());
            given.replies.add(reply);
            given.bytes += reply.bytes();
            bytes += reply.bytes();
            trim();
        }

        void put(long exchange, Given<R> given) {
            byExchange.put(exchange, given);
            bytes += given.bytes;
            trim();
        }

        @Nullable
        Given<R> take(long exchange) {
            Given<R> taken = byExchange.remove(exchange);
            bytes -= taken == null ? 0 : taken.bytes;
            return taken;
        }

        void clear() {
            byExchange.clear();
            bytes = 0;
        }

        private void trim() {
            Iterator<Given<R>> oldest = byExchange.values().iterator();
            while (bytes > capacity) {
                bytes -= oldest.next().bytes;
                oldest.remove();
            }
        }
    }

    /**
     * An exchange was given a reply.
     *
     * @param ofRun the {@linkplain Reruns#run run} that its number is of
     */
    public void given(long exchange, int ofRun, Recorded<R> reply) {
        if (ofRun != run) {
            newest.clear();
            kept.clear();
            left.clear();
            run = ofRun;
        }
        if (reply.bytes() <= newest.capacity
                && reply.reply().large() == null
                && !reply.reply().isOpen()) {
            (kept.byExchange.containsKey(exchange) ? kept : newest).put(exchange, reply);
        }
    }

    /** Somebody may want to run an exchange again. */
    public void keep(long exchange, int ofRun) {
        Given<R> given = ofRun == run ? newest.take(exchange) : null;
        if (given != null) {
            kept.put(exchange, given);
        }
    }

    /** The next reply of this form for a request that is sent again; null if it was given no further one. */
    public @Nullable Recorded<R> next(Reruns.Rerun rerun, Form form) {
        for (Iterator<Recorded<R>> each = left(rerun).iterator(); each.hasNext(); ) {
            Recorded<R> reply = each.next();
            if (reply.form().equals(form)) {
                each.remove();
                return reply;
            }
        }
        return null;
    }

    /** Whether there is a next one. */
    public boolean hasNext(Reruns.Rerun rerun, Form form) {
        return left(rerun).stream().anyMatch(reply -> reply.form().equals(form));
    }

    private List<Recorded<R>> left(Reruns.Rerun rerun) {
        List<Recorded<R>> known = left.get(rerun);
        if (known != null) {
            return known;
        }
        List<Recorded<R>> all = all(rerun);
        left.put(rerun, all);
        if (left.size() > RERUNS) {
            left.remove(left.keySet().iterator().next());
        }
        return all;
    }

    private List<Recorded<R>> all(Reruns.Rerun rerun) {
        if (rerun.run() != run) {
            return new ArrayList<>();
        }
        Given<R> given = kept.byExchange.get(rerun.exchange());
        Given<R> known = given == null ? newest.byExchange.get(rerun.exchange()) : given;
        return known == null ? new ArrayList<>() : new ArrayList<>(known.replies);
    }
}
