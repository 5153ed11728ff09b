package dev.understudy.observatory.sample;

/**
 * One number of one source over time; a higher one means that more of it is used, or waited for.
 *
 * @param source the host or process, for example {@code host} or {@code java 4711}
 * @param metric what is measured, for example {@code disk.sda.busy}; the table is in
 *     {@code docs/samples.md}
 * @param micros when each sample was taken, epoch microseconds, ascending
 * @param values what was seen from the sample before to this one, in the metric's unit; as many as {@code micros}
 */
public record SampleSeries(String source, String metric, long[] micros, double[] values) {
    public SampleSeries {
        if (micros.length != values.length) {
            throw new IllegalArgumentException(micros.length + " moments for " + values.length + " values");
        }
    }
}
