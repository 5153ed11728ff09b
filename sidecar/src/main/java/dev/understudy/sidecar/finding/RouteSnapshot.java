package dev.understudy.sidecar.finding;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.sidecar.verdict.Judged;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was found of one listener's replies up to now. Immutable.
 *
 * @param routes figures of each
 * @param causes divergences by what they have in common, by when each was first seen
 * @param ungrouped divergences beyond those, which are counted only
 * @param places where something differed, by how often
 * @param unplaced differences beyond those, which are counted only
 */
public record RouteSnapshot(List<Route> routes, List<Cause> causes, long ungrouped, List<Place> places, long unplaced) {
    private static final Comparator<Place> OFTEN_FIRST = Comparator.comparingLong(Place::count)
            .reversed()
            .thenComparing(Place::route)
            .thenComparing(Place::path);

    public RouteSnapshot {
        routes = List.copyOf(routes);
        causes = List.copyOf(causes);
        places = places.stream().sorted(OFTEN_FIRST).toList();
    }

    /**
     * Requests that differ in numbers and ids only.
     *
     * @param route e.g. {@code GET /orders/{n}}
     * @param verdicts how many of each kind
     * @param production how often production took how many microseconds, of exchanges that both sides answered in full
     * @param debug the same of debug
     */
    public record Route(
            String route, Map<VerdictKind, Long> verdicts, Map<Long, Long> production, Map<Long, Long> debug) {}

    /**
     * Divergences of one route at the same places.
     *
     * @param places which, with indexes left out: {@code VALUE body.items[*].price}
     * @param count how many there were
     * @param last number of the last exchange
     * @param examples the first ones, with the first differences of each; at least one
     */
    public record Cause(String route, List<String> places, long count, long last, List<Judged> examples) {
        public Cause {
            places = List.copyOf(places);
            examples = List.copyOf(examples);
        }
    }

    /**
     * One place of one route at which something differed in one way.
     *
     * @param path with indexes left out
     * @param noise why it was overlooked; null if it wasn't
     * @param value of a difference that matters, what both sides have there; null if that is nothing known, or not the
     *     same
     * @param count in how many exchanges
     */
    public record Place(
            String route,
            String path,
            Difference.Type type,
            @Nullable Noise noise,
            @Nullable ValueClass value,
            long count) {}
}
