package dev.understudy.standin.load;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Results as JSON documents. */
public final class LoadJson {
    private LoadJson() {}

    /**
     * A result as a tree of fields.
     *
     * @param service whose model the load was made by
     */
    public static Map<String, Object> of(String service, LoadOptions options, LoadResult result) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("service", service);
        tree.put("target", options.target().toString());
        tree.put("seed", options.seed());
        tree.put("connections", options.connections());
        tree.put("seconds", result.seconds());
        tree.put("reached", result.isReached());
        tree.put("connectionsOpened", result.connections());
        tree.put("unfinished", result.unfinished());
        tree.put("generatorLateP99Millis", result.lateMillis());
        tree.put("notes", result.notes());
        tree.put("total", figures(result.total(), 1));
        tree.put(
                "routes",
                result.routes().stream()
                        .map(route -> figures(route, LoadText.share(route, result.total())))
                        .toList());
        return tree;
    }

    private static Map<String, @Nullable Object> figures(LoadFigures figures, double share) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("route", figures.route());
        tree.put("requests", figures.count());
        tree.put("share", share);
        tree.put("wantedPerSecond", figures.wantedPerSecond());
        tree.put("reachedPerSecond", figures.reachedPerSecond());
        tree.put("meanMillis", figures.hasTimes() ? figures.meanMillis() : null);
        tree.put("p50Millis", since(figures, 50));
        tree.put("p95Millis", since(figures, 95));
        tree.put("p99Millis", since(figures, 99));
        tree.put("maxMillis", since(figures, 100));
        tree.put("serviceMeanMillis", figures.replies() > 0 ? figures.serviceMeanMillis() : null);
        tree.put("serviceP50Millis", service(figures, 50));
        tree.put("serviceP95Millis", service(figures, 95));
        tree.put("serviceP99Millis", service(figures, 99));
        tree.put("serviceMaxMillis", service(figures, 100));
        tree.put("statuses", new LinkedHashMap<>(figures.statuses()));
        Map<String, Long> errors = new LinkedHashMap<>();
        for (LoadError why : LoadError.values()) {
            errors.put(why.word(), figures.errors().getOrDefault(why, 0L));
        }
        tree.put("errors", errors);
        tree.put("dropped", figures.dropped());
        tree.put("bytes", figures.bytes());
        return tree;
    }

    private static @Nullable Double since(LoadFigures figures, double percent) {
        return figures.hasTimes() ? (Double) figures.percentileMillis(percent) : null;
    }

    private static @Nullable Double service(LoadFigures figures, double percent) {
        return figures.replies() > 0 ? (Double) figures.servicePercentileMillis(percent) : null;
    }
}
