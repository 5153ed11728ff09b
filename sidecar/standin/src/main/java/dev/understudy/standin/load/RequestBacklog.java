package dev.understudy.standin.load;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for a connection. The pacing thread adds, the event loop takes. What is more than the bound, or
 * more than a quarter of the heap, is dropped and counted.
 */
final class RequestBacklog {
    private final int most;
    private final long mostBytes = Runtime.getRuntime().maxMemory() / 4;
    private final Queue<DueRequest> added = new ConcurrentLinkedQueue<>();
    private final Deque<DueRequest> admitted = new ArrayDeque<>();
    private final AtomicLong size = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLongArray dropped;

    RequestBacklog(int most, int routes) {
        this.most = most;
        this.dropped = new AtomicLongArray(routes);
    }

    /** Adds one, or drops it. For the pacing thread. */
    void add(DueRequest request) {
        long waiting = size.get();
        if (waiting >= most || (waiting > 0 && bytes.get() + request.bytes() > mostBytes)) {
            dropped.incrementAndGet(request.route());
            return;
        }
        size.incrementAndGet();
        bytes.addAndGet(request.bytes());
        accepted.incrementAndGet();
        added.add(request);
    }

    /** Takes note of what was added. For the event loop. */
    void admit(LoadMeter meter) {
        for (DueRequest next = added.poll(); next != null; next = added.poll()) {
            meter.came(next, System.nanoTime());
            admitted.add(next);
        }
    }

    /** How many wait that the event loop knows of. For the event loop. */
    int waiting() {
        return admitted.size();
    }

    /** Takes the oldest, if there is one. For the event loop. */
    @Nullable
    DueRequest poll() {
        DueRequest first = admitted.poll();
        if (first != null) {
            size.decrementAndGet();
            bytes.addAndGet(-first.bytes());
        }
        return first;
    }

    /** Takes the oldest if it was due so long ago. For the event loop. */
    @Nullable
    DueRequest pollOlder(long nanos, long now) {
        DueRequest first = admitted.peek();
        return first != null && first.age(now) > nanos ? poll() : null;
    }

    /** How many were added and not dropped. For any thread. */
    long accepted() {
        return accepted.get();
    }

    /** How many of a route were dropped. For any thread. */
    long dropped(int route) {
        return dropped.get(route);
    }

    /** How many were dropped in all. For any thread. */
    long dropped() {
        long sum = 0;
        for (int route = 0; route < dropped.length(); route++) {
            sum += dropped.get(route);
        }
        return sum;
    }
}
