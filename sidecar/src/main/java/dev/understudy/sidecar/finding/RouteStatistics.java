package dev.understudy.sidecar.finding;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.sidecar.verdict.Judged;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was found of one listener's replies. Guarded by {@code this}, which is held for some map look-ups, or a copy of
 * the tables.
 */
final class RouteStatistics {
    /** What all routes beyond {@value #ROUTES} are called. */
    static final String OTHERS = "(other routes)";

    private static final int ROUTES = 128;
    private static final int PLACES = 1000;

    private final Map<String, RouteFigures> routes = new HashMap<>();
    private final Causes causes = new Causes();
    private final Map<PlaceKey, long[]> places = new HashMap<>();
    private long unplaced;

    /** The route that it was counted for. */
    String add(Judged judged) {
        RouteFigures figures = note(judged);
        figures.add(judged);
        return figures.route;
    }

    /** All but its route's figures, which it gives. */
    private synchronized RouteFigures note(Judged judged) {
        String route = Folding.route(judged.request());
        RouteFigures figures = routes.get(route);
        if (figures == null) {
            route = routes.size() < ROUTES ? route : OTHERS;
            figures = routes.computeIfAbsent(route, RouteFigures::new);
        }
        if (judged.verdict().kind() == VerdictKind.DIFFERENT) {
            causes.add(route, judged);
        }
        place(route, judged.verdict().differences());
        return figures;
    }

    /** An exchange counts once at each place, however many elements of a list differ there. */
    private void place(String route, List<Difference> differences) {
        Set<PlaceKey> seen = new HashSet<>();
        for (Difference difference : differences) {
            PlaceKey key = new PlaceKey(
                    route,
                    Folding.place(difference.path()),
                    difference.type(),
                    difference.noise(),
                    difference.noise() == null ? NoiseRule.kind(difference) : null);
            if (!seen.add(key)) {
                continue;
            }
            long[] count = places.get(key);
            if (count != null) {
                count[0]++;
            } else if (places.size() < PLACES) {
                places.put(key, new long[] {1});
            } else {
                unplaced++;
            }
        }
    }

    /**
     * Reads one after the other, so that no lane loop waits for more than one of them; causes after the figures that
     * count them.
     */
    RouteSnapshot read() {
        List<RouteSnapshot.Route> read = new ArrayList<>();
        all().forEach((route, figures) -> read.add(figures.read(route)));
        read.sort(Comparator.comparing(RouteSnapshot.Route::route));
        return new RouteSnapshot(read, causes(), ungrouped(), places(), unplaced());
    }

    private synchronized Map<String, RouteFigures> all() {
        return new HashMap<>(routes);
    }

    private synchronized List<RouteSnapshot.Cause> causes() {
        return causes.read();
    }

    private synchronized long ungrouped() {
        return causes.ungrouped();
    }

    private synchronized List<RouteSnapshot.Place> places() {
        List<RouteSnapshot.Place> counted = new ArrayList<>(places.size());
        places.forEach((key, count) ->
                counted.add(new RouteSnapshot.Place(key.route, key.path, key.type, key.noise, key.value, count[0])));
        return counted;
    }

    private synchronized long unplaced() {
        return unplaced;
    }

    private record PlaceKey(
            String route,
            String path,
            Difference.Type type,
            @Nullable Noise noise,
            @Nullable ValueClass value) {}
}
