package dev.understudy.sidecar.simulate;

import dev.understudy.sidecar.simulate.Queue.Arrivals;
import dev.understudy.sidecar.window.OverflowTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The rows of the thesis's table 3.1 (seed 002): a MySQL load of so many requests a second, a pipe of so many bytes,
 * and a debug copy so many times slower; beside what was measured there, the closed form and the simulation.
 *
 * <p>One request takes as many bytes as the table's own rates say (530 bytes a second for 27 requests), the server
 * answers 30 requests a second, and a run lasts for 10 000 requests: an overflow after that wasn't to be seen.
 */
public final class TableStudy {
    private static final double SERVER_RATE = 30;
    private static final double REQUEST_BYTES = 530.0 / 27;
    private static final double REQUESTS = 10_000;

    private static final List<Row> ROWS = List.of(
            new Row(Arrivals.STEADY, 27, 4096, 1.8, "∞"),
            new Row(Arrivals.STEADY, 27, 4096, 3, "8 s"),
            new Row(Arrivals.STEADY, 27, 16_384, 3, "72 s"),
            new Row(Arrivals.POISSON, 17, 4096, 8, "16 s"),
            new Row(Arrivals.POISSON, 17, 4096, 5, "18 s"),
            new Row(Arrivals.POISSON, 17, 65_536, 3.2, "∞"),
            new Row(Arrivals.POISSON, 17, 16_384, 3.2, "376 s"));

    private final int runs;
    private final long seed;

    /**
     * A study that repeats each simulation.
     *
     * @param runs how often, at least 1
     */
    public TableStudy(int runs, long seed) {
        this.runs = runs;
        this.seed = seed;
    }

    /** The table, one string a line. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(("Debug windows for the loads of table 3.1: a server of %.0f requests/s, %.1f "
                                + "bytes a request, runs of %.0f s")
                        .formatted(SERVER_RATE, REQUEST_BYTES, REQUESTS / 27)
                + " and %.0f s".formatted(REQUESTS / 17));
        lines.add(String.format(
                "%-26s %9s %9s %9s %12s %22s %12s",
                "arrivals", "buffer", "requests", "slow-down", "closed form", "simulated (95 %)", "thesis"));
        ROWS.forEach(row -> lines.add(row.line(runs, seed)));
        return lines;
    }

    private record Row(Arrivals arrivals, double rate, long bytes, double slowDown, String thesis) {
        String line(int runs, long seed) {
            Queue queue = new Queue(arrivals, rate, SERVER_RATE / slowDown, (long) (bytes / REQUEST_BYTES));
            double horizon = REQUESTS / rate;
            boolean random = arrivals == Arrivals.POISSON;
            Overflows simulated = Overflows.of(queue, random ? runs : 1, horizon, seed);
            double closed = OverflowTime.seconds(rate, queue.serviceRate(), (double) queue.capacity(), 0);
            return String.format(
                    Locale.ROOT,
                    "%-26s %9d %9d %8.1fx %12s %22s %12s",
                    (random ? "Poisson, " : "steady, ") + Math.round(rate) + " requests/s",
                    bytes,
                    queue.capacity(),
                    slowDown,
                    Seconds.words(closed),
                    Seconds.words(simulated),
                    thesis);
        }
    }
}
