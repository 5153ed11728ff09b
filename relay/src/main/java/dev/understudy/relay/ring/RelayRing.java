package dev.understudy.relay.ring;

import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ring of one relay loop, and the ends of connections that found no room in it.
 *
 * <p>Only connections whose beginning is in the ring wait here for their end, so that there are never more than fit into a ring. Confined
 * to the relay loop.
 */
final class RelayRing {
    private static final long RETRY_MILLIS = 100;

    private final EventExecutor loop;
    private final RingWriter writer;
    private final Runnable retry = this::retry;
    private @Nullable RingFeed first;
    private @Nullable RingFeed last;
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

    /** Has {@code feed}, which is over, finished as soon as there is room. */
    void finishLater(RingFeed feed) {
        if (last == null) {
            first = feed;
        } else {
            last.next = feed;
        }
        last = feed;
        schedule();
    }

    private void schedule() {
        if (!scheduled) {
            loop.schedule(retry, RETRY_MILLIS, TimeUnit.MILLISECONDS);
            scheduled = true;
        }
    }

    private void retry() {
        scheduled = false;
        RingFeed feed = first;
        while (feed != null && feed.finish()) {
            feed = feed.next;
        }
        first = feed;
        if (feed == null) {
            last = null;
        } else {
            schedule();
        }
        writer.publish();
    }
}
