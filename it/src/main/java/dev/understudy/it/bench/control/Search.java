package dev.understudy.it.bench.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The controller beside fixed sampling: 1/1, 1/2, 1/4 … up to 1/1024, of which the highest one without an overflow is
 * sought by bisection.
 */
public final class Search {
    private static final int RAREST = 10;
    private static final double GOAL = 0.9;

    private final Trial trial;
    private final Consumer<String> progress;
    private final List<String> rows = new ArrayList<>();
    private boolean missed;

    /** @param progress is told of each run */
    public Search(Trial trial, Consumer<String> progress) {
        this.trial = trial;
        this.progress = progress;
    }

    /**
     * Tries one load.
     *
     * @param shape constant, bursty or growing
     * @param share of what production can serve
     */
    public void look(String shape, double share) throws Exception {
        Load load = new Load(Load.Shape.valueOf(shape.toUpperCase(Locale.ROOT)), share);
        Ran adaptive = run(load, "adaptive");
        Ran full = run(load, "1/1");
        Ran best = full;
        int held = full.held() ? 0 : RAREST + 1;
        int overflown = -1;
        if (!full.held()) {
            overflown = 0;
        }
        while (held - overflown > 1) {
            int middle = (held + overflown) / 2;
            Ran fixed = run(load, "1/" + (1 << middle));
            if (fixed.held()) {
                best = fixed;
                held = middle;
            } else {
                overflown = middle;
            }
        }
        row(load, adaptive, full, best.held() ? best : null);
    }

    /** Whether a target was missed. */
    public boolean missed() {
        return missed;
    }

    /** The table. */
    public String table() {
        return """
                | load | production, debug 1/1 alone | controller: overflow | window in use, furthest behind | spent \
                of a core | samples/s | information | 1/1: overflow after | best fixed | its window | its \
                information | controller against it | |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                """ + String.join("\n", rows) + "\n";
    }

    private Ran run(Load load, String sampling) throws Exception {
        Ran ran = trial.run(load, sampling);
        progress.accept("control: " + load + ": " + ran);
        return ran;
    }

    private void row(Load load, Ran adaptive, Ran full, @org.jspecify.annotations.Nullable Ran best) {
        double ratio = best == null ? Double.POSITIVE_INFINITY : adaptive.information() / best.information();
        boolean met = adaptive.held() && ratio >= GOAL;
        missed |= !met;
        rows.add(String.format(
                Locale.ROOT,
                "| %s | %.0f/s, %.0f/s | %s | %.0f %%, %d ms | %.3f | %,.0f | %.1f | %s | %s | %s | %s | %s | %s |",
                load,
                full.capacity(),
                full.slowed(),
                adaptive.held() ? "none" : String.format(Locale.ROOT, "after %.1f s", adaptive.overflowed()),
                adaptive.fullest() * 100,
                adaptive.lagMillis(),
                adaptive.spent(),
                adaptive.samples(),
                adaptive.information(),
                full.held() ? "none" : String.format(Locale.ROOT, "%.1f s", full.overflowed()),
                best == null ? "none holds" : best.sampling(),
                best == null ? "–" : String.format(Locale.ROOT, "%.0f %%", best.fullest() * 100),
                best == null ? "–" : String.format(Locale.ROOT, "%.1f", best.information()),
                best == null ? "–" : String.format(Locale.ROOT, "%.0f %%", ratio * 100),
                met ? "met" : "**missed**"));
    }
}
