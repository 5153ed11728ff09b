package dev.understudy.sidecar.console;

import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Judged;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How both sides answered in the last ten seconds, as far as the newest exchanges of each look show it. Guarded by
 * {@code this}.
 */
final class AnswerTimes {
    private static final long SPAN_MILLIS = 10_000;
    /** Of a look; what came besides isn't looked at. */
    private static final int MOST = 500;

    private static final int FAILING = 500;

    private final ExchangeLog log;
    private final Deque<Look> looks = new ArrayDeque<>();
    private long seen;

    AnswerTimes(ExchangeLog log) {
        this.log = log;
    }

    /** What was judged since the look before. */
    private record Look(long at, List<Judged> exchanges) {}

    /**
     * Looks, and says how each side answered.
     *
     * @param now in milliseconds since 1970
     */
    synchronized Map<String, Object> read(long now) {
        List<Judged> fresh = log.search(entry -> true, seen, Long.MAX_VALUE, MOST, MOST).entries().stream()
                .map(ExchangeLog.Entry::judged)
                .filter(judged -> seen > 0 || now - judged.at() <= SPAN_MILLIS)
                .toList();
        seen = log.newest();
        looks.addLast(new Look(now, fresh));
        looks.removeIf(look -> now - look.at() > SPAN_MILLIS);
        List<Judged> recent =
                looks.stream().flatMap(look -> look.exchanges().stream()).toList();
        return Map.of(
                "production", side(recent, Judged::productionMillis, Judged::productionStatus),
                "debug", side(recent, Judged::debugMillis, Judged::debugStatus));
    }

    private static Map<String, Object> side(
            List<Judged> recent, Function<Judged, @Nullable Double> millis, ToIntFunction<Judged> status) {
        double[] sorted = recent.stream()
                .map(millis)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("answered", sorted.length);
        spelled.put(
                "failed",
                recent.stream()
                        .filter(judged -> status.applyAsInt(judged) >= FAILING)
                        .count());
        spelled.put("p50", percentile(sorted, 50));
        spelled.put("p99", percentile(sorted, 99));
        return spelled;
    }

    private static double percentile(double[] sorted, int percentage) {
        return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) * percentage / 100];
    }
}
