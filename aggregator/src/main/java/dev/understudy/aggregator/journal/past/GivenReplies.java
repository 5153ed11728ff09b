package dev.understudy.aggregator.journal.past;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.Reruns;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The replies that the debug JVM was given, by the inbound exchange for which it asked, so that it is given them once
 * more when it is sent the request again: of each form in the same order.
 *
 * <p>Bounded by bytes: half of them for the newest exchanges, half for those that somebody may want to run again, such
 * as failing ones, of which many more may be older. In each half the earliest is forgotten first. What is being given
 * again, of a few exchanges, comes on top of that. Guarded by its journal.
 */
public final class GivenReplies<R extends RecordedReply> {
    /** Whose replies are being given again. */
    private static final int RERUNS = 8;

    /** Exchanges that were forgotten: what they are given later isn't taken for the beginning. */
    private static final int FORGOTTEN = 1_024;

    /** A reply that nobody took, and that is given again, stands among the last ones. */
    private static final int LAST = 16;

    private final Shelf<R> newest;
    private final Shelf<R> kept;
    private final Set<Long> forgotten = new LinkedHashSet<>();
    private final Map<Reruns.Rerun, List<Place<R>>> left = new LinkedHashMap<>();
    private int run;

    /** Keeps nothing yet, and never more than so many bytes. */
    public GivenReplies(long capacity) {
        newest = new Shelf<>(capacity / 2);
        kept = new Shelf<>(capacity / 2);
    }

    /**
     * A reply among those that an exchange was given.
     *
     * @param reply null if it can't be given again: then its request misses, and doesn't get the next one
     */
    private record Place<R extends RecordedReply>(
            long id, Form form, @Nullable Recorded<R> reply) {
        long bytes() {
            return Recorded.OVERHEAD + (reply == null ? form.textBytes() : reply.bytes());
        }
    }

    /** What one exchange was given, in order. */
    private static final class Given<R extends RecordedReply> {
        private final List<Place<R>> places = new ArrayList<>(4);
        private long bytes;

        boolean has(long id) {
            return places.subList(Math.max(0, places.size() - LAST), places.size()).stream()
                    .anyMatch(place -> place.id() == id);
        }
    }

    /** Exchanges, up to so many bytes. */
    private static final class Shelf<R extends RecordedReply> {
        private final long capacity;
        private final Map<Long, Given<R>> byExchange = new LinkedHashMap<>();
        private long bytes;

        Shelf(long capacity) {
            this.capacity = capacity;
        }

        void put(long exchange, Place<R> place) {
            Given<R> given = byExchange.computeIfAbsent(exchange, first -> new Given<>());
            if (!given.has(place.id())) {
                given.places.add(place);
                given.bytes += place.bytes();
                bytes += place.bytes();
            }
        }

        void put(long exchange, Given<R> given) {
            byExchange.put(exchange, given);
            bytes += given.bytes;
        }

        @Nullable
        Given<R> take(long exchange) {
            Given<R> taken = byExchange.remove(exchange);
            bytes -= taken == null ? 0 : taken.bytes;
            return taken;
        }
    }

    /**
     * An exchange was given a reply.
     *
     * @param ofRun the {@linkplain Reruns#run run} that the exchange's number is of
     * @param id the number of what was recorded
     * @param reply null if it isn't in memory; it isn't kept if a part of it lies in files, nor if it isn't complete
     */
    public void given(long exchange, int ofRun, long id, Form form, @Nullable Recorded<R> reply) {
        begin(ofRun);
        if (forgotten.contains(exchange)) {
            return;
        }
        boolean isKept = reply != null
                && reply.bytes() <= newest.capacity / 2
                && reply.reply().large() == null
                && !reply.reply().isOpen();
        Shelf<R> shelf = kept.byExchange.containsKey(exchange) ? kept : newest;
        shelf.put(exchange, new Place<>(id, form, isKept ? reply : null));
        trim(shelf);
    }

    /** Somebody may want to run an exchange again. */
    public void keep(long exchange, int ofRun) {
        begin(ofRun);
        Given<R> given = newest.take(exchange);
        if (given != null) {
            kept.put(exchange, given);
            trim(kept);
        }
    }

    /** The next reply of this form for a request that is sent again; null if there is none. */
    public @Nullable Recorded<R> next(Reruns.Rerun rerun, Form form) {
        if (rerun.run() != run) {
            return null;
        }
        List<Place<R>> places = left.get(rerun);
        if (places == null) {
            Given<R> given = kept.byExchange.get(rerun.exchange());
            Given<R> known = given == null ? newest.byExchange.get(rerun.exchange()) : given;
            places = known == null ? new ArrayList<>() : new ArrayList<>(known.places);
            left.put(rerun, places);
            drop(left.keySet().iterator(), left.size() - RERUNS);
        }
        for (Iterator<Place<R>> each = places.iterator(); each.hasNext(); ) {
            Place<R> place = each.next();
            if (place.form().equals(form)) {
                each.remove();
                return place.reply();
            }
        }
        return null;
    }

    /** Numbers of another run are others. */
    private void begin(int ofRun) {
        if (ofRun != run) {
            List.of(newest, kept)
                    .forEach(shelf -> List.copyOf(shelf.byExchange.keySet()).forEach(shelf::take));
            left.clear();
            forgotten.clear();
            run = ofRun;
        }
    }

    private void trim(Shelf<R> shelf) {
        while (shelf.bytes > shelf.capacity) {
            Long oldest = shelf.byExchange.keySet().iterator().next();
            shelf.take(oldest);
            forgotten.add(oldest);
        }
        drop(forgotten.iterator(), forgotten.size() - FORGOTTEN);
    }

    private static void drop(Iterator<?> oldest, int count) {
        for (int dropped = 0; dropped < count; dropped++) {
            oldest.next();
            oldest.remove();
        }
    }
}
