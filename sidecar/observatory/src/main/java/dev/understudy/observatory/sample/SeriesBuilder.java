package dev.understudy.observatory.sample;

import java.util.Arrays;
import java.util.stream.IntStream;

/** A series that grows; its samples may come from files in any order. One thread. */
final class SeriesBuilder {
    private long[] micros = new long[64];
    private double[] values = new double[64];
    private int size;
    private boolean isAscending = true;

    void add(long at, double value) {
        if (size == micros.length) {
            micros = Arrays.copyOf(micros, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        isAscending &= size == 0 || at > micros[size - 1];
        micros[size] = at;
        values[size] = value;
        size++;
    }

    /** The samples by time; of several of one moment, as after a step of the clock, the first. */
    SampleSeries build(String source, String metric) {
        if (isAscending) {
            return new SampleSeries(source, metric, Arrays.copyOf(micros, size), Arrays.copyOf(values, size));
        }
        int[] order = IntStream.range(0, size)
                .boxed()
                .sorted((a, b) -> Long.compare(micros[a], micros[b]))
                .mapToInt(Integer::intValue)
                .toArray();
        long[] sorted = new long[size];
        double[] moved = new double[size];
        int kept = 0;
        for (int i : order) {
            if (kept == 0 || micros[i] > sorted[kept - 1]) {
                sorted[kept] = micros[i];
                moved[kept] = values[i];
                kept++;
            }
        }
        return new SampleSeries(source, metric, Arrays.copyOf(sorted, kept), Arrays.copyOf(moved, kept));
    }
}
