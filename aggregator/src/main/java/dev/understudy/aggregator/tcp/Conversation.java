package dev.understudy.aggregator.tcp;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What was said on one production connection and isn't played yet, in its order. Guarded by {@code this}. */
final class Conversation {
    final long number;
    private final Conversations all;
    private final ArrayDeque<TcpSegment> segments = new ArrayDeque<>();
    private long bytes;
    private long endNanos = Long.MAX_VALUE;
    private boolean over;
    private boolean unwanted;
    private @Nullable Runnable wake;

    Conversation(long number, Conversations all) {
        this.number = number;
        this.all = all;
    }

    /**
     * Goes on with this; false if there is no room for it, and the conversation ends as {@link TcpSegment.Kind#LOST}.
     */
    boolean add(TcpSegment segment) {
        boolean fits;
        Runnable told;
        synchronized (this) {
            if (over || unwanted) {
                return true;
            }
            boolean says = segment.bytes().length > 0;
            fits = !says || all.reserve(bytes, segment.cost());
            segments.add(fits ? segment : new TcpSegment(TcpSegment.Kind.LOST));
            bytes += fits && says ? segment.cost() : 0;
            over = !fits || segment.kind() == TcpSegment.Kind.CLOSED || segment.kind() == TcpSegment.Kind.LOST;
            endNanos = over ? all.now() : endNanos;
            told = wake;
        }
        if (told != null) {
            told.run();
        }
        return fits;
    }

    /** What comes next; null if that isn't known yet. */
    synchronized @Nullable TcpSegment next() {
        TcpSegment next = segments.poll();
        if (next != null && next.bytes().length > 0) {
            bytes -= next.cost();
            all.release(next.cost());
        }
        return next;
    }

    /** Has {@code wake} told, on any thread, when there is something new. */
    synchronized void follow(Runnable told) {
        wake = told;
    }

    /** Nobody is played the rest. */
    synchronized void drop() {
        unwanted = true;
        segments.clear();
        all.release(bytes);
        bytes = 0;
        wake = null;
    }

    /** Whether it was over by then. */
    synchronized boolean overBefore(long nanos) {
        return over && endNanos - nanos < 0;
    }
}
