package dev.understudy.it.bench.agent;

/**
 * What a worker did in a while.
 *
 * @param cpuNanos of the thread that did it
 * @param hits calls that our probes saw
 * @param samples calls that they timed
 * @param observed exchanges that were observed whole
 * @param compileMillis what the JVM's compilers took since it began
 */
record Ran(long operations, long cpuNanos, long hits, long samples, long observed, long compileMillis) {
    /** CPU nanoseconds of an operation. */
    double cost() {
        return (double) cpuNanos / operations;
    }

    static Ran of(String line) {
        String[] words = line.split(" ", -1);
        return new Ran(
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Long.parseLong(words[5]),
                Long.parseLong(words[6]));
    }
}
