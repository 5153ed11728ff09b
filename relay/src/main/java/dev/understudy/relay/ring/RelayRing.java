package dev.understudy.relay.ring;

import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ring of one relay loop, and the connections of which something found no room in it.
 *
 * <p>Those wait here until there is room to say so. Only connections whose beginning found room may wait: once the ring
 * is full there are no more of them, however many come and go. Confined to the relay loop.
 */
final class RelayRing {
    private static final long RETRY_MILLIS = 100;

    private final EventExecutor loop;
    private final RingWriter writer;
    private final Runnable retry = this::retry;
    private @Nullable PendingFeed first;
    private @Nullable PendingFeed last;
    private boolean scheduled;

    private RelayRing(EventExecutor loop, RingWriter writer) {
        this.loop = loop;
        this.writer = writer;
    }

    static RelayRing create(EventExecutor loop, Path file, int capacity) throws IOException {
        return new RelayRing(loop, new RingWriter(RingFile.create(file, capacity)));
    }

    boolean isCurrent() {
        return loop.inEventLoop();
    }

    RingWriter writer() {
        return writer;
    }

    /** Has {@code feed} say what it couldn't, as soon as there is room. */
    void flushLater(PendingFeed feed) {
        if (feed.waits) {
            return;
        }
        feed.waits = true;
        if (last == null) {
            first = feed;
            writer.waitingSince(since(feed));
        } else {
            last.next = feed;
        }
        last = feed;
        schedule();
    }

    private static long since(@Nullable PendingFeed feed) {
        return feed == null ? 0 : feed.since() == 0 ? -1 : feed.since();
    }

    private void schedule() {
        if (!scheduled) {
            loop.schedule(retry, RETRY_MILLIS, TimeUnit.MILLISECONDS);
            scheduled = true;
        }
    }

    private void retry() {
        scheduled = false;
        try {
            boolean room = true;
            while (room && first != null) {
                room = flush(first);
            }
            writer.publish();
        } finally {
            if (first != null) {
                schedule();
            }
        }
    }

    /** One that fails leaves the list before it ends: it may have to wait for room to end, behind the others. */
    private boolean flush(PendingFeed feed) {
        try {
            if (!feed.flush()) {
                return false;
            }
            remove(feed);
        } catch (Throwable e) {
            remove(feed);
            feed.fail(e);
        }
        return true;
    }

    private void remove(PendingFeed eldest) {
        first = eldest.next;
        writer.waitingSince(since(first));
        last = first == null ? null : last;
        eldest.next = null;
        eldest.waits = false;
    }
}
