package dev.understudy.sidecar.label;

import dev.understudy.divergence.content.Folding;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** How long the debug JVM took for each route of a listener, to two digits, up to an hour. Not for several threads. */
public final class Times {
    public static final int MOST_ROUTES = 128;
    /** So many times of a route are needed before one of them is far above the others. */
    public static final int LEAST = 100;

    private static final long LONGEST = TimeUnit.HOURS.toMicros(1);

    private final Map<String, Histogram> routes = new HashMap<>();

    /** One more exchange has ended; of routes beyond the bound nothing is known. */
    public void add(ExchangeOutcome ending) {
        Double millis = ending.debugMillis();
        if (millis == null) {
            return;
        }
        String route = route(ending);
        Histogram times = routes.get(route);
        if (times == null && routes.size() < MOST_ROUTES) {
            times = new Histogram(2);
            routes.put(route, times);
        }
        if (times != null) {
            times.recordValue(micros(millis));
        }
    }

    /** Whether it took longer than that percentile of its route; false as long as there are too few. */
    public boolean isAbove(ExchangeOutcome ending, double percentile) {
        Double millis = ending.debugMillis();
        @Nullable Histogram times = routes.get(route(ending));
        return millis != null
                && times != null
                && times.getTotalCount() >= LEAST
                && times.lowestEquivalentValue(micros(millis)) > times.getValueAtPercentile(percentile);
    }

    private static long micros(double millis) {
        return Math.min(LONGEST, Math.max(0, Math.round(millis * 1000)));
    }

    private static String route(ExchangeOutcome ending) {
        return ending.listener() + ' ' + Folding.route(ending.request());
    }
}
