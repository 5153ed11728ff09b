package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.sample.SampleSeries;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A series of numbers in the windows of a run, and the score of each by its rank in the whole run.
 *
 * <p>The scores are Savage's (exponential ones): the mean of all is 1, that of the highest of n is about ln n. So the
 * few windows in which a resource is saturated count most, whatever its unit and distribution. Equal values share the
 * score of their mean rank. Immutable.
 */
public final class WindowRanks {
    /** A sample may be so late, microseconds: a machine that stands still takes none, and the next is of all of it. */
    private static final long LATEST = 2_000_000;

    private final float[] values;
    private final float[] scores;
    private final boolean constant;

    private WindowRanks(float[] values) {
        this.values = values;
        scores = new float[values.length];
        Arrays.fill(scores, Float.NaN);
        float[] sorted = values.clone();
        Arrays.sort(sorted); // NaN are last
        int known = sorted.length;
        while (known > 0 && Float.isNaN(sorted[known - 1])) {
            known--;
        }
        constant = known == 0 || sorted[0] == sorted[known - 1];
        for (int i = 0; i < values.length; i++) {
            if (!Float.isNaN(values[i])) {
                double rank = (first(sorted, known, values[i], false) + first(sorted, known, values[i], true)) / 2.0;
                scores[i] = (float) -Math.log(1 - rank / (known + 1));
            }
        }
    }

    /** The first place whose value isn't less, or is more, than that one. */
    private static int first(float[] sorted, int known, float value, boolean more) {
        int low = 0;
        int high = known;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < value || (more && sorted[middle] == value)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Of a tier's queue. */
    static WindowRanks of(QueueWindows windows) {
        float[] values = new float[windows.count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) windows.queue(i);
        }
        return new WindowRanks(values);
    }

    /**
     * Of a resource, whose samples last from the one before: a window's value is their mean by time. It is unknown
     * where less than half of the window is covered, and where samples are missing.
     */
    static WindowRanks of(SampleSeries series, QueueWindows windows) {
        return new WindowRanks(values(series, windows));
    }

    /** The values of a resource in the windows; NaN where it isn't known. */
    public static float[] values(SampleSeries series, QueueWindows windows) {
        float[] values = new float[windows.count()];
        double[] sum = new double[values.length];
        double[] covered = new double[values.length];
        long width = windows.widthMicros();
        long[] micros = series.micros();
        long usual = usualStep(micros);
        for (int i = 0; i < micros.length; i++) {
            long step = i == 0 ? usual : micros[i] - micros[i - 1];
            boolean isHole = step <= 0 || step > Math.max(LATEST, 5 * Math.max(usual, width));
            long from = micros[i] - (isHole ? usual : step);
            if (!Double.isNaN(series.values()[i])) {
                spread(from, micros[i], series.values()[i], windows, width, sum, covered);
            }
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = covered[i] >= width / 2.0 ? (float) (sum[i] / covered[i]) : Float.NaN;
        }
        return values;
    }

    private static void spread(
            long from, long to, double value, QueueWindows windows, long width, double[] sum, double[] covered) {
        int last = Math.min(covered.length - 1, windows.at(to - 1));
        for (int window = Math.max(0, windows.at(from)); window <= last; window++) {
            long start = windows.startMicros(window);
            long part = Math.min(to, start + width) - Math.max(from, start);
            if (part > 0) {
                sum[window] += value * part;
                covered[window] += part;
            }
        }
    }

    private static long usualStep(long[] micros) {
        long[] steps = IntStream.range(1, Math.min(micros.length, 10_000))
                .mapToLong(i -> micros[i] - micros[i - 1])
                .filter(step -> step > 0)
                .sorted()
                .toArray();
        return steps.length == 0 ? 0 : steps[steps.length / 2];
    }

    int count() {
        return values.length;
    }

    /** Whether it says nothing, since it is the same all the time or never known. */
    boolean isConstant() {
        return constant;
    }

    /** The value in that window; NaN if it isn't known. */
    double value(int window) {
        return values[window];
    }

    /** Its score, at least 0; NaN if it isn't known. */
    double score(int window) {
        return scores[window];
    }
}
