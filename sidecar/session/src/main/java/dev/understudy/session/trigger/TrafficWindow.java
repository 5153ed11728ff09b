package dev.understudy.session.trigger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The latest exchanges: those of a time, and {@value #MOST} at most. Confined to one thread. */
final class TrafficWindow {
    /** About 4 MB. */
    static final int MOST = 100_000;

    private final long keptNanos;
    private final Deque<TapExchange> exchanges = new ArrayDeque<>();

    TrafficWindow(long keptNanos) {
        this.keptNanos = keptNanos;
    }

    void add(TapExchange exchange) {
        exchanges.add(exchange);
        if (exchanges.size() > MOST) {
            exchanges.remove();
        }
    }

    /** Those that ended in the time before a moment; what is older than any rule looks at is dropped. */
    List<TapExchange> within(long nanos, long now) {
        exchanges.removeIf(each -> now - each.endedNanos() > keptNanos);
        List<TapExchange> latest = new ArrayList<>();
        for (TapExchange each : exchanges) {
            if (now - each.endedNanos() <= nanos) {
                latest.add(each);
            }
        }
        return latest;
    }
}
