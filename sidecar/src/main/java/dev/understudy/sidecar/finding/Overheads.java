package dev.understudy.sidecar.finding;

import dev.understudy.divergence.content.Folding;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What instrumentation takes of one debug JVM's requests, by listener and route: its agent tells of some exchanges by
 * their debug span, lane loops tell which routes these were of.
 *
 * <p>Lane loops only put into a bounded queue, and not even that before an agent has told anything. All else is guarded
 * by this object and done by those who tell and ask. What finds nobody to join is forgotten.
 */
public final class Overheads {
    private static final int MOST = 8192;
    private static final int MOST_WAITING = 4096;
    private static final int MOST_ROUTES = 1000;

    private final ConcurrentLinkedQueue<Ended> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final Map<String, Ended> endings = new Newest<>(MOST);
    private final Map<String, Long> waiting = new Newest<>(MOST_WAITING);
    private final Map<Place, Sum> sums = new HashMap<>();
    private volatile boolean told;

    /** An exchange has ended; for lane loops: never waits. */
    public void ended(String span, String listener, String request) {
        if (told && queued.get() < MOST) {
            queued.incrementAndGet();
            queue.add(new Ended(span, listener, request));
        }
    }

    /** An agent took so many nanoseconds of an exchange's time. */
    public synchronized void measured(String span, long nanos) {
        told = true;
        takeEndings();
        Ended ended = endings.remove(span);
        if (ended == null) {
            waiting.put(span, nanos);
        } else {
            add(ended, nanos);
        }
    }

    /** What is known of a listener's routes. */
    public synchronized Map<String, Overhead> of(String listener) {
        takeEndings();
        Map<String, Overhead> known = new HashMap<>();
        sums.forEach((place, sum) -> {
            if (place.listener().equals(listener)) {
                known.put(place.route(), new Overhead(sum.count, sum.nanos / 1000.0 / sum.count));
            }
        });
        return known;
    }

    private void takeEndings() {
        for (Ended ended = queue.poll(); ended != null; ended = queue.poll()) {
            queued.decrementAndGet();
            Long nanos = waiting.remove(ended.span());
            if (nanos == null) {
                endings.put(ended.span(), ended);
            } else {
                add(ended, nanos);
            }
        }
    }

    private void add(Ended ended, long nanos) {
        Place place = new Place(ended.listener(), Folding.route(ended.request()));
        Sum sum = sums.get(place);
        if (sum == null && sums.size() < MOST_ROUTES) {
            sum = new Sum();
            sums.put(place, sum);
        }
        if (sum != null) {
            sum.count++;
            sum.nanos += nanos;
        }
    }

    /**
     * What instrumentation takes of a route's requests.
     *
     * @param measured of how many that is known
     * @param micros of each, on average
     */
    public record Overhead(long measured, double micros) {}

    private record Ended(String span, String listener, String request) {}

    private record Place(String listener, String route) {}

    private static final class Sum {
        private long count;
        private double nanos;
    }

    /** Only the newest of what is put into it. */
    private static final class Newest<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1;
        private final int most;

        Newest(int most) {
            this.most = most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > most;
        }
    }
}
