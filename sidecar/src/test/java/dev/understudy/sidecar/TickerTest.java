package dev.understudy.sidecar;

import dev.understudy.relay.loop.EventLoops;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;

class TickerTest {
    @Test
    void tickThatFails_isFollowedByOthers() {
        AtomicInteger ticks = new AtomicInteger();
        try (EventLoops loops = EventLoops.open(1, 1);
                Ticker ticker = new Ticker(List.of(), null, List.of(), loops.debugSockets())) {
            ticker.start(() -> {
                switch (ticks.incrementAndGet()) {
                    case 1 -> throw new NoClassDefFoundError("no descriptor left to load it");
                    case 2 -> throw new IllegalStateException("a defect");
                    default -> {}
                }
            });

            await().until(() -> ticks.get() >= 3);
        }
    }
}
