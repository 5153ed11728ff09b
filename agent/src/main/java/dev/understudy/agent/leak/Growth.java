package dev.understudy.agent.leak;

import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The last counts of live objects, and which classes' grow with the requests. Confined to one thread.
 *
 * <p>A class is suspected if its counts rise as they would by chance in one of a hundred JVMs in which none leaks (Mann
 * and Kendall's exact test of trend, divided by the number of classes that could be suspected: those whose counts are
 * far enough apart, in whatever order they came, which is why counting only these leaves the test exact). A cache that
 * fills is among them until it is full: only the last {@link #WINDOW} counts are looked at.
 */
final class Growth {
    /** How many counts are kept. */
    static final int WINDOW = 16;

    private static final int FEWEST_COUNTS = 8;
    private static final double CHANCE = 0.01;
    private static final int MOST = 20;
    private static final int FEWEST_CANDIDATES_COUNTS = 6;
    /** Of the normal distribution: 95 % are so many deviations around its middle. */
    private static final double WIDTH = 1.96;

    /** How many exchanges had begun at each count, the first {@link #size} of them. */
    private final long[] exchanges = new long[WINDOW];
    /**
     * Of each class its live objects at these counts. No objects for each count, which would themselves be counted as
     * growing.
     */
    private final Map<String, long[]> counts = new HashMap<>();

    private int size;

    /** One more count; taken for the last one's if no exchange was served since. */
    void add(long begun, Map<String, Long> objects) {
        if (size > 0 && exchanges[size - 1] == begun) {
            size--;
        } else if (size == WINDOW) {
            size--;
            System.arraycopy(exchanges, 1, exchanges, 0, size);
            counts.values().forEach(all -> System.arraycopy(all, 1, all, 0, size));
        }
        exchanges[size] = begun;
        counts.forEach((name, all) -> all[size] = objects.getOrDefault(name, 0L));
        objects.forEach((name, live) -> counts.computeIfAbsent(name, any -> new long[WINDOW])[size] = live);
        size++;
        counts.values().removeIf(all -> Arrays.stream(all, 0, size).noneMatch(live -> live > 0));
    }

    /** How many counts there are. */
    int size() {
        return size;
    }

    /**
     * The suspects, those that grow by most first; none before {@value #FEWEST_COUNTS} counts.
     *
     * @param places what is known of where a class's objects are made and used
     */
    List<Growing> suspects(Function<String, Places> places) {
        if (size < FEWEST_COUNTS) {
            return List.of();
        }
        List<String> apart = apart(LiveObjects.FEWEST);
        return apart.stream()
                .filter(name -> chance(series(name)) * apart.size() < CHANCE)
                .map(name -> growing(name, places))
                .filter(growing -> growing.more() >= LiveObjects.FEWEST)
                .sorted(Comparator.comparingDouble(Growing::perThousand).reversed())
                .limit(MOST)
                .collect(Collectors.toList());
    }

    /**
     * Classes that may become suspects, those that grow by most first: each for itself rises more than chance would
     * have it.
     */
    List<String> candidates() {
        if (size < FEWEST_CANDIDATES_COUNTS) {
            return List.of();
        }
        return apart(LiveObjects.FEWEST / 2).stream()
                .filter(name -> chance(series(name)) < CHANCE)
                .map(name -> growing(name, none -> Places.NONE))
                .filter(growing -> 2 * growing.more() >= LiveObjects.FEWEST)
                .sorted(Comparator.comparingDouble(Growing::perThousand).reversed())
                .map(Growing::className)
                .limit(MOST)
                .collect(Collectors.toList());
    }

    /** Those with so many objects more at one count than at another. */
    private List<String> apart(int objects) {
        return counts.keySet().stream()
                .filter(name -> {
                    DoubleSummaryStatistics all = Arrays.stream(series(name)).summaryStatistics();
                    return all.getMax() - all.getMin() >= objects;
                })
                .collect(Collectors.toList());
    }

    /**
     * The interval is that of Theil and Sen's estimate: the slopes so far from the middle one as the trend's test
     * allows.
     */
    private Growing growing(String name, Function<String, Places> places) {
        double[] series = series(name);
        double[] slopes = slopes(series);
        double off = WIDTH * deviation(series.length) / 2;
        double middle = slopes.length / 2.0;
        return new Growing(
                name,
                (long) series[series.length - 1],
                (long) (series[series.length - 1] - series[0]),
                1000 * slopes[slopes.length / 2],
                1000 * slopes[(int) Math.max(0, Math.floor(middle - off))],
                1000 * slopes[(int) Math.min(slopes.length - 1.0, Math.ceil(middle + off))],
                places.apply(name));
    }

    private double[] series(String name) {
        return Arrays.stream(Objects.requireNonNull(counts.get(name)), 0, size)
                .asDoubleStream()
                .toArray();
    }

    /** How likely as many more of the pairs rise than fall by chance; at least that, if some do neither. */
    private static double chance(double[] series) {
        int n = series.length;
        int rising = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                rising += (int) Math.signum(series[j] - series[i]);
            }
        }
        double[] shares = orders(n);
        int falling = (n * (n - 1) / 2 - rising) / 2;
        return Arrays.stream(shares, 0, falling + 1).sum();
    }

    /** The share of the orders of {@code n} numbers in which so many pairs fall. */
    private static double[] orders(int n) {
        double[] shares = {1};
        for (int more = 2; more <= n; more++) {
            double[] next = new double[shares.length + more - 1];
            for (int falling = 0; falling < shares.length; falling++) {
                for (int last = 0; last < more; last++) {
                    next[falling + last] += shares[falling] / more;
                }
            }
            shares = next;
        }
        return shares;
    }

    private static double deviation(int n) {
        return Math.sqrt(n * (n - 1.0) * (2.0 * n + 5) / 18);
    }

    /** Of each two counts, the smallest first. */
    private double[] slopes(double[] series) {
        int n = series.length;
        double[] slopes = new double[n * (n - 1) / 2];
        int at = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                slopes[at++] = (series[j] - series[i]) / (exchanges[j] - exchanges[i]);
            }
        }
        Arrays.sort(slopes);
        return slopes;
    }
}
