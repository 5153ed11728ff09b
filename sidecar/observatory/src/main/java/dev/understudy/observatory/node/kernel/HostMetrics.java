package dev.understudy.observatory.node.kernel;

import java.util.List;

/** Some columns of the host's samples, from one part of the kernel. One thread. */
public interface HostMetrics extends AutoCloseable {
    /** The columns' names, always the same. */
    List<String> metrics();

    /**
     * Reads the kernel's files.
     *
     * @param seconds since they were read before
     * @param row gets a value for each column from index {@code at} on, NaN where there is none
     */
    void sample(double seconds, double[] row, int at);

    @Override
    void close();
}
