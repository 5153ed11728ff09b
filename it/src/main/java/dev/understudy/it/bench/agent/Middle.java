package dev.understudy.it.bench.agent;

import java.util.Collection;

/** The middle of some figures, and how far the others are from it. */
record Middle(double value, double least, double most) {
    static Middle of(Collection<Double> figures) {
        double[] sorted =
                figures.stream().mapToDouble(figure -> figure).sorted().toArray();
        if (sorted.length == 0) {
            return new Middle(Double.NaN, Double.NaN, Double.NaN);
        }
        int half = sorted.length / 2;
        double middle = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return new Middle(middle, sorted[0], sorted[sorted.length - 1]);
    }
}
