package dev.understudy.observatory.command;

import dev.understudy.observatory.bottleneck.Bottleneck;
import dev.understudy.observatory.bottleneck.Bottleneck.QueueGrowth;
import dev.understudy.observatory.bottleneck.Bottleneck.ResourceMatch;
import dev.understudy.observatory.bottleneck.BottleneckReport;
import dev.understudy.observatory.bottleneck.QueueWindows;
import dev.understudy.observatory.bottleneck.WindowRanks;
import dev.understudy.observatory.sample.SampleSeries;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Prints bottlenecks for people: a list, with a picture of each. */
final class BottleneckText {
    private static final int AROUND = 4;

    private final BottleneckReport report;
    private final List<SampleSeries> samples;
    private final PrintWriter out;

    BottleneckText(BottleneckReport report, List<SampleSeries> samples, PrintWriter out) {
        this.report = report;
        this.samples = samples;
        this.out = out;
    }

    void print() {
        int rank = 1;
        for (Bottleneck bottleneck : report.bottlenecks()) {
            print(rank++, bottleneck);
        }
        if (report.leftOut() > 0) {
            out.println("and " + report.leftOut() + " more that delayed less: see --most");
        }
    }

    private void print(int rank, Bottleneck bottleneck) {
        line(
                "#%d  %s  %d ms  began in %s (%.0f %% of the rise)",
                rank,
                time(bottleneck.startMicros()),
                (bottleneck.endMicros() - bottleneck.startMicros()) / 1000,
                bottleneck.origin(),
                100 * bottleneck.share());
        line(
                "    %d exchanges of %s took %.3f s longer in all, the longest %d ms",
                bottleneck.slow(),
                bottleneck.delayedTier(),
                bottleneck.delayMicros() / 1e6,
                bottleneck.longestMicros() / 1000);
        int from = Math.max(0, bottleneck.firstWindow() - AROUND);
        int to = Math.min(report.windows().get(0).count() - 1, bottleneck.lastWindow() + AROUND);
        int width = bottleneck.tiers().stream()
                .mapToInt(tier -> tier.tier().length())
                .max()
                .orElse(0);
        for (int i = 0; i < bottleneck.tiers().size(); i++) {
            QueueGrowth tier = bottleneck.tiers().get(i);
            QueueWindows windows = report.windows().get(i);
            line(
                    "    %-" + Math.max(1, width) + "s │%s│ queue %.1f, then %d  %s",
                    tier.tier(),
                    BottleneckPicture.of(windows::mostQueue, from, to, tier.most()),
                    tier.usual(),
                    tier.most(),
                    part(tier, bottleneck));
        }
        printResponseTimes(bottleneck, from, to, width);
        printCause(bottleneck, from, to, width);
        out.println();
    }

    /** Point-in-time response times: the longest of the exchanges that ended in each window. */
    private void printResponseTimes(Bottleneck bottleneck, int from, int to, int width) {
        for (QueueWindows windows : report.windows()) {
            if (windows.tier().equals(bottleneck.delayedTier())) {
                int most = 0;
                for (int window = from; window <= to; window++) {
                    most = Math.max(most, windows.longestMicros(window));
                }
                line(
                        "    %-" + Math.max(1, width) + "s │%s│ response times of %s, at most %d ms",
                        "",
                        BottleneckPicture.of(windows::longestMicros, from, to, most),
                        windows.tier(),
                        most / 1000);
            }
        }
    }

    private static String part(QueueGrowth tier, Bottleneck bottleneck) {
        long after = (tier.onsetMicros() - bottleneck.startMicros()) / 1000;
        String when = String.format(Locale.ROOT, "%+d ms", after);
        return switch (tier.part()) {
            case ORIGIN -> "origin, " + when;
            case PUSHED_BACK -> "pushed back, " + when;
            case AFTERWARDS -> "grew at " + when + ", not the cause";
            case CALM -> "calm";
        };
    }

    private void printCause(Bottleneck bottleneck, int from, int to, int width) {
        double level = report.rules().level();
        if (samples.isEmpty()) {
            return;
        }
        if (bottleneck.tried() == 0) {
            out.println("    no resource was sampled then");
        } else if (bottleneck.isExplained(level)) {
            ResourceMatch cause = bottleneck.resources().get(0);
            float[] values = values(cause);
            double most = 0;
            for (int window = from; window <= to; window++) {
                most = Math.max(most, Float.isNaN(values[window]) ? 0 : values[window]);
            }
            line(
                    "    %-" + Math.max(1, width) + "s │%s│ %s %s, at most %.3g",
                    "",
                    BottleneckPicture.of(window -> values[window], from, to, most),
                    cause.source(),
                    cause.metric(),
                    most);
            out.println("    resource: " + text(cause, bottleneck.tried()));
            for (ResourceMatch other :
                    bottleneck.resources().subList(1, bottleneck.resources().size())) {
                if (other.corrected() <= level) {
                    out.println("    or:       " + text(other, bottleneck.tried()));
                }
            }
        } else {
            out.println("    no resource explains it"
                    + (bottleneck.isTooShort(level)
                            ? ": the run is too short to tell one of " + bottleneck.tried() + " from chance"
                            : ""));
            if (!bottleneck.resources().isEmpty()) {
                out.println("    nearest:  " + text(bottleneck.resources().get(0), bottleneck.tried()));
            }
        }
    }

    private static String text(ResourceMatch match, int tried) {
        return String.format(
                Locale.ROOT,
                "%s %s, score %.1f (1 is usual), rank correlation %.2f,%n"
                        + "              %d windows ahead; chance %.2g of %d tried",
                match.source(),
                match.metric(),
                match.score(),
                match.correlation(),
                match.lagWindows(),
                match.corrected(),
                tried);
    }

    private float[] values(ResourceMatch match) {
        for (SampleSeries series : samples) {
            if (series.source().equals(match.source()) && series.metric().equals(match.metric())) {
                return WindowRanks.values(series, report.windows().get(0));
            }
        }
        return new float[report.windows().get(0).count()];
    }

    private void line(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }

    static String time(long micros) {
        return Instant.ofEpochSecond(
                        Math.floorDiv(micros, 1_000_000), Math.floorMod(micros, 1_000_000) / 1000 * 1_000_000L)
                .toString();
    }
}
