package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * For each method how well its predicates go with failing, over all failing exchanges: by Ochiai's and DStar's formulas
 * (Pearson et al., Evaluating and improving fault localization, 2017) and by Liblit's importance. Not for several
 * threads.
 */
final class Spectrum {
    private static final int FEWEST = 3;

    private final Methods methods;
    private final Tallies successes;
    private final Tallies failing;
    private final double scale;
    private final int[] after;
    private final double length;
    private final Map<String, List<Point>> byMethod = new HashMap<>();

    /** Takes in runs that failed; each stands for {@code scale} of them. */
    Spectrum(List<Run> failures, double scale, Tallies successes, Methods methods) {
        this.methods = methods;
        this.successes = successes;
        this.scale = scale;
        this.failing = new Tallies(methods);
        failures.forEach(failing::add);
        this.after = failures.stream().mapToInt(run -> run.after).sorted().toArray();
        this.length =
                failures.stream().mapToInt(run -> run.held.length).average().orElse(1);
        for (int predicate = 0; predicate < failing.predicates(); predicate++) {
            if (failing.held(predicate) >= FEWEST && methods.accuses(predicate)) {
                byMethod.computeIfAbsent(methods.name(predicate / Predicate.ROOM), any -> new ArrayList<>())
                        .add(point(predicate));
            }
        }
        byMethod.values()
                .forEach(points -> points.sort(Comparator.comparingDouble((Point point) -> -point.ochiai)
                        .thenComparingDouble(point -> -point.importance)
                        .thenComparingDouble(Point::order)));
    }

    private Point point(int predicate) {
        int since = methods.since(predicate / Predicate.ROOM);
        int first = Arrays.binarySearch(after, since);
        int earlier = first >= 0 ? first : -first - 1;
        while (earlier > 0 && after[earlier - 1] >= since) {
            earlier--;
        }
        int able = after.length - earlier - failing.notSeen(predicate / Predicate.ROOM);
        double held = failing.held(predicate);
        double all = Math.max(held, able);
        double good = successes.heldSince(since, predicate) / scale;
        double ochiai = held / Math.sqrt(all * (held + good)) * held / (held + 1);
        double dstar = held * held / Math.max(0.5, good + all - held);
        int failed = (int) Math.round(held * scale);
        int successful = successes.held(predicate);
        Score score = new Score(
                failed,
                successful,
                Math.max(failed, (int) Math.round(failing.observed(predicate) * scale)),
                Math.max(successful, successes.observed(predicate)));
        double importance = score.low() > 0 ? score.importance((int) Math.round(all * scale)) : 0;
        return new Point(predicate, score, ochiai, dstar / (1 + dstar), importance, failing.order(predicate) / length);
    }

    /** What was seen of the method in failing exchanges, the best by Ochiai first. */
    List<Point> of(String method) {
        return byMethod.getOrDefault(method, List.of());
    }

    /** Methods of which anything was, those with the best predicates first. */
    List<String> best() {
        return byMethod.entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<String, List<Point>> one) ->
                                -one.getValue().get(0).ochiai)
                        .thenComparingDouble(one -> one.getValue().get(0).order)
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The Ochiai of being called; 0 of a method that isn't in failing exchanges. */
    double called(int method) {
        int predicate = method * Predicate.ROOM;
        double held = predicate < failing.predicates() ? failing.held(predicate) : 0;
        double good = successes.held(predicate) / scale;
        return held == 0 ? 0 : held / Math.sqrt(after.length * (held + good));
    }

    /** The share of good exchanges in which the method is called, 0 to 1. */
    double usual(int method) {
        int predicate = method * Predicate.ROOM;
        return method < 0 ? 0 : (double) successes.held(predicate) / Math.max(1, successes.observed(predicate));
    }

    /**
     * A predicate and how well it goes with failing.
     *
     * @param dstar as a share of itself and one
     * @param order how much came true before it, as a share of an average failing run
     */
    record Point(int predicate, Score score, double ochiai, double dstar, double importance, double order) {}
}
