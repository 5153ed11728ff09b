package dev.understudy.observatory.command;

import dev.understudy.observatory.event.ExchangeColumns;
import dev.understudy.observatory.event.SourceCounts;
import dev.understudy.observatory.event.TierNesting;
import dev.understudy.observatory.event.TierSource;
import dev.understudy.observatory.sample.SampleReader;
import dev.understudy.observatory.sample.SampleSeries;
import dev.understudy.observatory.sample.SampleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tiers and samples as they were read, with what a reader should know of them. Confined to one thread. */
final class BottleneckSources {
    /** A resource may be used up a moment before the first request that waits. */
    private static final long MARGIN = 1_000_000;

    private final Map<String, ExchangeColumns> tiers = new LinkedHashMap<>();
    private final List<SampleSeries> samples = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final int most;

    /** @param most exchanges that a tier may have */
    BottleneckSources(int most) {
        this.most = most;
    }

    /** Reads a source of a tier, whose clock is so much later in truth. */
    void tier(TierOption option, Duration shift) throws IOException {
        String name = option.tier();
        Path source = option.source();
        ExchangeColumns tier = tiers.computeIfAbsent(name, added -> new ExchangeColumns(added, most));
        long micros = shift.toNanos() / 1000;
        SourceCounts counts = TierSource.read(
                name,
                source,
                exchange -> tier.add(
                        exchange.route(),
                        exchange.startMicros() + micros,
                        exchange.endMicros() + micros,
                        exchange.sure()));
        for (String note : counts.notes()) {
            notes.add(name + ", " + source + ": " + note);
        }
        if (counts.exchanges() == 0) {
            notes.add(name + ", " + source + ": there is no exchange in it");
        }
    }

    /**
     * Reads samples of the time of the tiers, which have to be read and checked before.
     *
     * @param machine what the sources' names begin with, so that those of two machines differ; empty for one machine
     */
    void samples(Path folder, String machine) throws IOException {
        long[] run = {Long.MAX_VALUE, Long.MIN_VALUE};
        for (ExchangeColumns tier : tiers()) {
            long[] span = span(tier);
            run[0] = Math.min(run[0], span[0]);
            run[1] = Math.max(run[1], span[1]);
        }
        SampleSet set = SampleReader.read(folder, run[0] - MARGIN, run[1] + MARGIN, SampleReader.MOST_VALUES);
        for (SampleSeries series : set.series()) {
            samples.add(new SampleSeries(machine + series.source(), series.metric(), series.micros(), series.values()));
        }
        set.badFiles().forEach((file, problem) -> notes.add(folder.resolve(file) + ": left out, " + problem));
        if (set.badLines() > 0) {
            notes.add(folder + ": " + set.badLines() + " lines left out, for example " + set.firstBadLines());
        }
        if (set.series().isEmpty()) {
            notes.add(folder + ": no sample is between " + text(run));
        }
    }

    /** The tiers in their order; those without exchanges are left out. */
    List<ExchangeColumns> tiers() {
        return tiers.values().stream().filter(tier -> tier.size() > 0).toList();
    }

    List<SampleSeries> samples() {
        return List.copyOf(samples);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * Looks whether all tiers are of the same time.
     *
     * @throws IOException if two tiers have no moment in common, or there is no exchange
     */
    void check() throws IOException {
        List<ExchangeColumns> all = tiers();
        if (all.isEmpty()) {
            throw new IOException("there is no exchange in any source: were they recorded under load?");
        }
        List<long[]> spans = all.stream().map(BottleneckSources::span).toList();
        for (int behind = 1; behind < all.size(); behind++) {
            for (int front = 0; front < behind; front++) {
                if (!overlap(spans.get(front), spans.get(behind))) {
                    throw new IOException(
                            "the tiers " + all.get(front).tier() + " (" + text(spans.get(front)) + ") and "
                                    + all.get(behind).tier() + " (" + text(spans.get(behind))
                                    + ") have no moment in common: were they recorded together?");
                }
            }
            nesting(all.get(behind - 1), all.get(behind));
        }
    }

    private void nesting(ExchangeColumns front, ExchangeColumns behind) {
        TierNesting nesting = TierNesting.of(front, behind);
        if (!nesting.isRight()) {
            notes.add(String.format(
                    Locale.ROOT,
                    "only %.0f %% of the exchanges of %s lie within one of %s: clocks apart, or wrong order%s",
                    100 * nesting.inside(),
                    nesting.behind(),
                    nesting.front(),
                    nesting.offsetMicros() == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "; with --shift %s=%dms, %.0f %% would",
                                    nesting.behind(),
                                    nesting.offsetMicros() / 1000,
                                    100 * nesting.insideThen())));
        }
    }

    private static long[] span(ExchangeColumns tier) {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < tier.size(); i++) {
            first = Math.min(first, tier.startMicros(i));
            last = Math.max(last, tier.endMicros(i));
        }
        return new long[] {first, last};
    }

    private static boolean overlap(long[] a, long[] b) {
        return a[0] <= b[1] && b[0] <= a[1];
    }

    static String text(long[] span) {
        return BottleneckText.time(span[0]) + " to " + BottleneckText.time(span[1]);
    }
}
