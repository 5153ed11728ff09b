package dev.understudy.sidecar.simulate;

import dev.understudy.sidecar.simulate.Queue.Arrivals;
import dev.understudy.sidecar.window.OverflowTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The sweep of the thesis's figure 3.5 (seed 002): the debug copy is slowed down step by step, for several arrival
 * rates, each a fifth of what the service can do; from 400 % overhead on the queue is saturated.
 *
 * <p>In overload the time until the buffer is full grows with its size and falls with the rate, so a small buffer tells
 * the same as the thesis's 64 GB in a small part of the time.
 */
public final class SweepStudy {
    private static final double[] RATES = {100, 250, 500, 1000};
    private static final double HEADROOM = 5;
    private static final int FIRST = 350;
    private static final int LAST = 1000;

    private final long capacity;
    private final double horizon;
    private final int runs;
    private final long seed;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * Simulates at once.
     *
     * @param capacity requests that fit into the buffer, at least 1
     * @param step per cent from one overhead to the next, at least 1
     * @param horizon seconds after which a run that hasn't overflowed is ended
     * @param runs how often each is simulated, at least 1
     */
    public SweepStudy(long capacity, int step, double horizon, int runs, long seed) {
        this.capacity = capacity;
        this.horizon = horizon;
        this.runs = runs;
        this.seed = seed;
        for (int overhead = FIRST; overhead <= LAST; overhead += step) {
            List<Cell> row = new ArrayList<>();
            for (double rate : RATES) {
                row.add(cell(rate, overhead));
            }
            rows.add(row);
        }
    }

    /** The table, one string a line. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "Debug windows by overhead as in figure 3.5: %d requests fit in, %d runs of at most %.0f s each",
                capacity,
                runs,
                horizon));
        StringBuilder head = new StringBuilder("overhead");
        for (double rate : RATES) {
            head.append(String.format(Locale.ROOT, " | %14s %20s", Math.round(rate) + "/s: formula", "simulated"));
        }
        lines.add(head.toString());
        for (List<Cell> row : rows) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%6d %%", row.get(0).overhead));
            for (Cell cell : row) {
                line.append(String.format(
                        Locale.ROOT, " | %14s %20s", Seconds.words(cell.closed), Seconds.words(cell.simulated)));
            }
            lines.add(line.toString());
        }
        return lines;
    }

    /** The figure as SVG: the closed form as curves, simulations that all overflowed as points with their intervals. */
    public String svg() {
        List<Plot.Series> series = new ArrayList<>();
        for (int i = 0; i < RATES.length; i++) {
            List<Plot.Point> curve = new ArrayList<>();
            List<Plot.Point> dots = new ArrayList<>();
            for (List<Cell> row : rows) {
                Cell cell = row.get(i);
                curve.add(new Plot.Point(cell.overhead, cell.closed <= horizon ? cell.closed : Double.NaN));
                if (cell.simulated.all()) {
                    double error = Double.isNaN(cell.simulated.halfWidth()) ? 0 : cell.simulated.halfWidth();
                    dots.add(new Plot.Point(cell.overhead, cell.simulated.mean(), error));
                }
            }
            series.add(new Plot.Series(Math.round(RATES[i]) + " requests/s", curve, dots));
        }
        return new Plot(
                        "Time until the window overflows: closed form (lines), simulation (points)",
                        "overhead of the debug copy, %",
                        "time",
                        Seconds::words,
                        series)
                .svg();
    }

    private Cell cell(double rate, int overhead) {
        double service = HEADROOM * rate / (1 + overhead / 100.0);
        Queue queue = new Queue(Arrivals.POISSON, rate, service, capacity);
        return new Cell(
                overhead,
                OverflowTime.seconds(rate, service, (double) capacity, 0),
                Overflows.of(queue, runs, horizon, seed + overhead + (long) (rate * LAST)));
    }

    private record Cell(int overhead, double closed, Overflows simulated) {}
}
