package dev.understudy.agent.leak;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The last counts of live objects, and which classes' grow with the requests. Confined to one thread.
 *
 * <p>A class is suspected if its counts rise as they would by chance in one of a hundred JVMs in which none leaks (Mann and
 * Kendall's test of trend against a bound of the normal tail, divided by the number of classes that changed at all). A cache that
 * fills is among them until it is full: only the last {@link #WINDOW} counts are looked at.
 */
final class Growth {
    /** How many counts are kept. */
    static final int WINDOW = 16;

    private static final int FEWEST_COUNTS = 8;
    private static final double CHANCE = 0.01;
    private static final int MOST = 20;

    private final Deque<Count> counts = new ArrayDeque<>();

    /** One more count; taken for the last one's if no exchange was served since. */
    void add(long exchanges, Map<String, Long> objects) {
        if (!counts.isEmpty() && counts.getLast().exchanges == exchanges) {
            counts.removeLast();
        }
        counts.addLast(new Count(exchanges, objects));
        if (counts.size() > WINDOW) {
            counts.removeFirst();
        }
    }

    /** How many counts there are. */
    int size() {
        return counts.size();
    }

    /** The suspects, those that grow by most first; none before {@value #FEWEST_COUNTS} counts. */
    List<Growing> suspects() {
        List<Growing> growing = new ArrayList<>();
        if (counts.size() < FEWEST_COUNTS) {
            return growing;
        }
        double[] exchanges =
                counts.stream().mapToDouble(count -> count.exchanges).toArray();
        List<String> changed = new ArrayList<>();
        for (String name : counts.getLast().objects.keySet()) {
            if (Arrays.stream(series(name)).distinct().count() > 1) {
                changed.add(name);
            }
        }
        for (String name : changed) {
            double[] series = series(name);
            long more = (long) (series[series.length - 1] - series[0]);
            if (more >= LiveObjects.FEWEST && tail(trend(series)) * changed.size() < CHANCE) {
                growing.add(new Growing(name, (long) series[series.length - 1], more, 1000 * slope(exchanges, series)));
            }
        }
        growing.sort(Comparator.comparingDouble(Growing::perThousand).reversed());
        return growing.size() > MOST ? growing.subList(0, MOST) : growing;
    }

    private double[] series(String name) {
        return counts.stream()
                .mapToDouble(count -> count.objects.getOrDefault(name, 0L))
                .toArray();
    }

    /** By how many standard deviations more pairs rise than fall. */
    private static double trend(double[] series) {
        int n = series.length;
        int rising = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                rising += (int) Math.signum(series[j] - series[i]);
            }
        }
        // ties make the true deviation smaller, so that this errs towards no suspicion
        return (rising - 1) / Math.sqrt(n * (n - 1.0) * (2.0 * n + 5) / 18);
    }

    /** At least the chance of so many standard deviations or more. */
    private static double tail(double deviations) {
        return deviations <= 1 ? 1 : Math.exp(-deviations * deviations / 2) / (deviations * Math.sqrt(2 * Math.PI));
    }

    private static double slope(double[] exchanges, double[] series) {
        int n = series.length;
        double[] slopes = new double[n * (n - 1) / 2];
        int at = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                slopes[at++] = (series[j] - series[i]) / (exchanges[j] - exchanges[i]);
            }
        }
        Arrays.sort(slopes);
        return slopes[slopes.length / 2];
    }

    private static final class Count {
        private final long exchanges;
        private final Map<String, Long> objects;

        Count(long exchanges, Map<String, Long> objects) {
            this.exchanges = exchanges;
            this.objects = objects;
        }
    }
}
