package dev.understudy.observatory.bottleneck;

import java.util.Arrays;

/**
 * What is usual of one tier's queue around each window: median and median absolute deviation of the windows around it,
 * found anew every tenth of their number. Immutable.
 *
 * <p>A peak of half a second is a fiftieth of them and moves neither. The deviation is at least that of a Poisson
 * number with that median, since a queue that is mostly empty has none; and at least half a request.
 */
final class QueueBaseline {
    /** Makes the median absolute deviation of normal numbers their standard deviation. */
    private static final double NORMAL = 1.4826;

    private static final int STEPS = 10;

    private final QueueWindows windows;
    private final int step;
    private final double[] medians;
    private final double[] deviations;

    QueueBaseline(QueueWindows windows, int around) {
        this.windows = windows;
        step = Math.max(1, around / STEPS);
        int steps = windows.count() / step + 1;
        medians = new double[steps];
        deviations = new double[steps];
        for (int i = 0; i < steps; i++) {
            int from = Math.max(0, i * step - around);
            int to = Math.min(windows.count(), (i + 1) * step + around);
            double[] near = new double[to - from];
            for (int window = from; window < to; window++) {
                near[window - from] = windows.queue(window);
            }
            medians[i] = median(near);
            for (int j = 0; j < near.length; j++) {
                near[j] = Math.abs(near[j] - medians[i]);
            }
            deviations[i] = Math.max(0.5, Math.max(Math.sqrt(medians[i]), NORMAL * median(near)));
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values.length == 0 ? 0 : values[values.length / 2];
    }

    /** The usual queue around that window. */
    double median(int window) {
        return medians[window / step];
    }

    /** The usual distance of the queue from it. */
    double deviation(int window) {
        return deviations[window / step];
    }

    /** How far the queue of that window is above what is usual, in deviations. */
    double score(int window) {
        return (windows.queue(window) - median(window)) / deviation(window);
    }
}
