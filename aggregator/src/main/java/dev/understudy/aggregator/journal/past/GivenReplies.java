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
 * <p>Bounded by bytes; the exchange that was first given something is forgotten first. Replies of which a part lies in
 * files, or that were given while they were recorded, aren't kept. Guarded by its journal.
 */
public final class GivenReplies<R extends RecordedReply> {
    private static final int RERUNS = 64;

    private final long capacity;
    private final Map<Long, Given<R>> byExchange = new LinkedHashMap<>();
    private final Map<Reruns.Rerun, List<Recorded<R>>> left = new LinkedHashMap<>();
    private int run;
    private long bytes;

    /** Keeps nothing yet, and never more than so many bytes. */
    public GivenReplies(long capacity) {
        this.capacity = capacity;
    }

    /** What one exchange was given, in order. */
    private static final class Given<R extends RecordedReply> {
        private final List<Recorded<R>> replies = new ArrayList<>(4);
        private long bytes;
    }

    /**
     * An exchange was given a reply.
     *
     * @param ofRun the {@linkplain Reruns#run run} that its number is of
     */
    public void given(long exchange, int ofRun, Recorded<R> reply) {
        if (ofRun != run) {
            byExchange.clear();
            left.clear();
            bytes = 0;
            run = ofRun;
        }
        if (reply.bytes() > capacity
                || reply.reply().large() != null
                || reply.reply().isOpen()) {
            return;
        }
        Given<R> given = byExchange.computeIfAbsent(exchange, first -> new Given<>());
        given.replies.add(reply);
        given.bytes += reply.bytes();
        bytes += reply.bytes();
        Iterator<Given<R>> oldest = byExchange.values().iterator();
        while (bytes > capacity) {
            bytes -= oldest.next().bytes;
            oldest.remove();
        }
    }

    /** The next reply of this form for a request that is sent again; null if it was given no further one. */
    public @Nullable Recorded<R> next(Reruns.Rerun rerun, Form form) {
        List<Recorded<R>> all = left.get(rerun);
        if (all == null) {
            Given<R> given = rerun.run() == run ? byExchange.get(rerun.exchange()) : null;
            all = given == null ? new ArrayList<>() : new ArrayList<>(given.replies);
            left.put(rerun, all);
            if (left.size() > RERUNS) {
                left.remove(left.keySet().iterator().next());
            }
        }
        for (Iterator<Recorded<R>> each = all.iterator(); each.hasNext(); ) {
            Recorded<R> reply = each.next();
            if (reply.form().equals(form)) {
                each.remove();
                return reply;
            }
        }
        return null;
    }
}
