package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * Follows a thread's exchange into what it puts into a queue, to the thread that takes it out.
 *
 * <p>That thread works for the exchange until it goes to the same queue again, takes up something else, ends, or the
 * exchange is over; unless it serves one already, or is a virtual one, whose end nobody tells of. Objects that come
 * back for another exchange are of a class that is used again, as buffers of a pool are, and no object of that class is
 * followed from then on.
 *
 * <p>A thread that collects what it takes, to work on it together (as one does that writes to disk once for many), puts
 * it aside in a collection that isn't for several threads: it works for that exchange again when it takes it out there,
 * until it takes the next one or goes to the queue. Safe for any threads; called by the JDK's woven queues.
 */
public final class Elements {
    private Elements() {}

    /** A thread goes to put an element into a queue. */
    public static void put(@Nullable Object element) {
        try {
            if (element == null) {
                return;
            }
            ServedExchange current = ServedExchanges.current();
            ServedExchange origin = Handover.giver(current);
            if (current == null || origin == null) {
                QueueOrigins.putByNobody(element);
            } else if (QueueOrigins.isFollowed(element)
                    && !TaskOrigins.isHeld(element)
                    && !QueueOrigins.put(element, origin, current.top, origin.pieces)) {
                Handover.lost(origin);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it is taken without an exchange
        }
    }

    /** A thread goes to take an element out of a queue. */
    public static void taking(Object queue) {
        try {
            ServedExchange current = ServedExchanges.current();
            if (current != null && (current.queue == queue || current.batch == queue)) {
                Handover.end(current);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // the exchange's end is the latest
        }
    }

    /** A thread has taken an element out of a queue, or null if there was none. */
    public static void taken(@Nullable Object element, Object queue) {
        try {
            QueueOrigins.Entry entry = element == null ? null : QueueOrigins.take(element);
            if (entry != null) {
                begin(entry, queue, null);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // what it does is nobody's
        }
    }

    /** A thread goes to put an element into a collection that isn't for several threads. */
    public static void putAside(@Nullable Object element) {
        try {
            ServedExchange current = element == null || !QueueOrigins.isUsed() ? null : ServedExchanges.current();
            Object queue = current == null ? null : current.queue;
            ServedExchange origin = queue == null ? null : Handover.giver(current);
            if (element != null && current != null && queue != null && origin != null) {
                QueueOrigins.putAside(element, origin, current.top, origin.pieces, queue);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it is taken without an exchange
        }
    }

    /** A thread goes to take an element out of such a collection. */
    public static void takingAside(Object batch) {
        if (QueueOrigins.hasAside()) {
            taking(batch);
        }
    }

    /** A thread has taken an element out of such a collection, or null if there was none. */
    public static void takenAside(@Nullable Object element, Object batch) {
        try {
            QueueOrigins.Entry entry = element == null ? null : QueueOrigins.takeAside(element);
            if (entry != null) {
                begin(entry, entry.source(), batch);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // what it does is nobody's
        }
    }

    private static void begin(QueueOrigins.Entry entry, @Nullable Object queue, @Nullable Object batch) {
        ServedExchange origin = entry.origin;
        if (origin == null || origin.ended || Threads.isVirtual()) {
            return;
        }
        ServedExchange current = ServedExchanges.current();
        if (current != null && current.loose) {
            if (current.origin == origin) {
                current.queue = current.queue == null ? null : queue;
                current.batch = batch;
                return;
            }
            Handover.end(current);
            current = ServedExchanges.current();
        }
        ServedExchange part = current != null ? null : Handover.begin(origin, entry.top, entry.pieces);
        if (part != null) {
            part.loose = true;
            part.queue = queue;
            part.batch = batch;
        }
    }
}
