package dev.understudy.relay.ring;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The list of connections that wait for room in a ring. */
final class RelayRingTest {
    private final EventExecutor loop = new DefaultEventExecutor();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void feedThatFails_isEnded_andThoseBehindItGoOn() throws Exception {
        RelayRing ring = RelayRing.create(loop, folder.resolve("ring-0"), RingFile.SMALLEST);
        loop.submit(() -> List.of("defect", "second", "third").forEach(name -> ring.flushLater(new Feed(name, ring))))
                .get();
        assertThat(List.of(next(), next(), next(), next(), next()))
                .containsExactly("defect fails", "second", "third", "defect fails", "defect");
    }

    private String next() throws InterruptedException {
        String event = events.poll(10, TimeUnit.SECONDS);
        return event == null ? "nothing" : event;
    }

    /** The one that is named so throws twice, and finds no room to say that it has ended. */
    private final class Feed extends PendingFeed {
        private final String name;
        private final RelayRing ring;
        private int throwing;

        Feed(String name, RelayRing ring) {
            this.name = name;
            this.ring = ring;
            this.throwing = name.equals("defect") ? 2 : 0;
        }

        @Override
        long since() {
            return 0;
        }

        @Override
        boolean flush() {
            if (throwing-- > 0) {
                throw new IllegalStateException(name);
            }
            events.add(name);
            return true;
        }

        @Override
        public void fail(Throwable e) {
            events.add(name + " fails");
            ring.flushLater(this);
        }
    }
}
