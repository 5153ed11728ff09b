package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.bottleneck.Bottleneck.QueueGrowth;
import dev.understudy.observatory.bottleneck.Bottleneck.ResourceMatch;
import dev.understudy.observatory.event.ExchangeColumns;
import dev.understudy.observatory.sample.SampleSeries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds very short bottlenecks after the fact (seed 004, chapter 3).
 *
 * <pre>
 * ExchangeColumns ─▶ TierQueue ─▶ QueueWindows ─▶ QueueBaseline ─▶ QueuePeak ─▶ QueueOrigin ─▶ Bottleneck
 *        └─────────▶ SlowExchanges ───────────────────────────────────┘            ▲
 * SampleSeries ────▶ WindowRanks ─▶ ResourceTest ─▶ ResourceMatch ─────────────────┘
 * </pre>
 *
 * <p>Pure: reads no files and no clock, and chance has a fixed seed, so that the same input gives the same report.
 */
public final class BottleneckSearch {
    private static final long SEED = 0x5eed;
    private static final int MOST_MATCHES = 5;
    private static final int LEAST_PLACES = 999;
    private static final int MOST_PLACES = 100_000;

    private final BottleneckRules rules;
    private final List<TierQueue> queues = new ArrayList<>();
    private final List<QueueWindows> windows = new ArrayList<>();
    private final List<QueueBaseline> baselines = new ArrayList<>();
    private final List<SlowExchanges> slow = new ArrayList<>();

    private BottleneckSearch(BottleneckRules rules) {
        this.rules = rules;
    }

    /**
     * Searches.
     *
     * @param tiers in the order from the client: what waits for a tier comes before it; at least one isn't empty
     * @param resources what may have been saturated, in any order
     * @throws IllegalArgumentException if there is no exchange, or there are too many windows; the message names the
     *     way out
     */
    public static BottleneckReport in(
            List<ExchangeColumns> tiers, List<SampleSeries> resources, BottleneckRules rules) {
        return new BottleneckSearch(rules).search(tiers, resources);
    }

    private BottleneckReport search(List<ExchangeColumns> tiers, List<SampleSeries> resources) {
        measure(tiers);
        List<QueuePeak> peaks = QueuePeak.in(baselines, windows.get(0).count(), rules);
        List<Finding> found = new ArrayList<>();
        for (QueuePeak peak : peaks) {
            Finding finding = finding(peak);
            if (finding.delay.count() >= rules.leastSlow()) {
                found.add(finding);
            }
        }
        found.sort(Comparator.comparingLong((Finding finding) -> finding.delay.delayMicros())
                .reversed());
        List<Finding> worst = found.subList(0, Math.min(rules.most(), found.size()));
        explain(worst, peaks, resources);
        return new BottleneckReport(
                rules,
                windows,
                worst.stream().map(Finding::bottleneck).toList(),
                peaks.size(),
                found.size() - worst.size(),
                slow.stream().map(SlowExchanges::size).toList());
    }

    private void measure(List<ExchangeColumns> tiers) {
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (ExchangeColumns tier : tiers) {
            TierQueue queue = new TierQueue(tier);
            queues.add(queue);
            from = queue.isEmpty() ? from : Math.min(from, queue.firstMicros());
            to = queue.isEmpty() ? to : Math.max(to, queue.lastMicros());
        }
        if (from > to) {
            throw new IllegalArgumentException("there is no exchange in any tier");
        }
        long width = rules.windowMicros();
        long origin = Math.floorDiv(from, width) * width;
        long count = (to - origin) / width + 1;
        if (count > BottleneckRules.MOST_WINDOWS) {
            throw new IllegalArgumentException(count + " windows from the first exchange to the last (expected: <= "
                    + BottleneckRules.MOST_WINDOWS + "): read a shorter time, or take longer windows");
        }
        for (int i = 0; i < tiers.size(); i++) {
            QueueWindows measured = queues.get(i).windows(origin, width, (int) count);
            measured.addResponseTimes(tiers.get(i));
            windows.add(measured);
            baselines.add(new QueueBaseline(measured, rules.baselineWindows()));
            slow.add(SlowExchanges.of(tiers.get(i), rules));
        }
    }

    private Finding finding(QueuePeak peak) {
        QueueOrigin origin = new QueueOrigin(queues, baselines, windows.get(0), peak, rules);
        List<QueueGrowth> growth = origin.growth();
        long end = windows.get(0).startMicros(peak.last()) + rules.windowMicros();
        int delayed = 0;
        SlowExchanges.Sum delay = slow.get(0).between(origin.onsetMicros(), end);
        while (delayed < origin.tier() && delay.count() < rules.leastSlow()) {
            delay = slow.get(++delayed).between(origin.onsetMicros(), end);
        }
        return new Finding(peak, origin, growth, delayed, delay);
    }

    /** Tries one resource after the other, so that no more than one is held in windows. */
    private void explain(List<Finding> found, List<QueuePeak> peaks, List<SampleSeries> resources) {
        if (found.isEmpty() || resources.isEmpty()) {
            return;
        }
        boolean[] taken = new boolean[windows.get(0).count()];
        for (QueuePeak peak : peaks) {
            for (int window = Math.max(0, peak.first() - rules.lags()); window <= peak.last(); window++) {
                taken[window] = true;
            }
        }
        List<WindowRanks> ranks = windows.stream().map(WindowRanks::of).toList();
        int places = (int) Math.max(LEAST_PLACES, Math.min(MOST_PLACES, 20 * resources.size() / rules.level()));
        for (Finding finding : found) {
            QueueWindows of = windows.get(0);
            finding.test = new ResourceTest(
                    windows.get(finding.origin.highest()),
                    ranks.get(finding.origin.highest()),
                    Math.max(0, of.at(finding.origin.onsetMicros())),
                    Math.max(0, Math.min(of.count() - 1, of.at(finding.origin.peakMicros()))),
                    taken,
                    rules.lags(),
                    places,
                    SEED + finding.peak.first());
        }
        for (SampleSeries resource : resources) {
            WindowRanks ranked = WindowRanks.of(resource, windows.get(0));
            for (Finding finding : found) {
                finding.attempt(resource, ranked);
            }
        }
    }

    /** A peak on its way to a bottleneck. */
    private final class Finding {
        private final QueuePeak peak;
        private final QueueOrigin origin;
        private final List<QueueGrowth> growth;
        private final int delayed;
        private final SlowExchanges.Sum delay;
        private final List<ResourceMatch> matches = new ArrayList<>();
        private @Nullable ResourceTest test;

        Finding(QueuePeak peak, QueueOrigin origin, List<QueueGrowth> growth, int delayed, SlowExchanges.Sum delay) {
            this.peak = peak;
            this.origin = origin;
            this.growth = growth;
            this.delayed = delayed;
            this.delay = delay;
        }

        void attempt(SampleSeries resource, WindowRanks ranked) {
            ResourceTest tried = test;
            int lag = tried == null || ranked.isConstant() ? -1 : tried.lag(ranked);
            if (tried != null && lag >= 0) {
                double score = tried.scoreAt(ranked, lag);
                double chance = tried.chance(ranked, score);
                double correlation = tried.correlation(ranked, lag);
                matches.add(new ResourceMatch(
                        resource.source(), resource.metric(), score, correlation, lag, chance, chance));
            }
        }

        Bottleneck bottleneck() {
            int tier = origin.tier();
            ResourceTest tried = test;
            return new Bottleneck(
                    peak.first(),
                    peak.last(),
                    origin.onsetMicros(),
                    origin.peakMicros(),
                    windows.get(0).startMicros(peak.last()) + rules.windowMicros(),
                    queues.get(tier).tier(),
                    origin.share(tier),
                    growth,
                    queues.get(delayed).tier(),
                    delay.count(),
                    delay.delayMicros(),
                    delay.longestMicros(),
                    ranked(),
                    matches.size(),
                    tried == null ? 0 : tried.places());
        }

        /** Those first that are hardly chance, by score; then the others, the least likely chance first. */
        private List<ResourceMatch> ranked() {
            List<ResourceMatch> byChance = new ArrayList<>(matches);
            byChance.sort(Comparator.comparingDouble(ResourceMatch::chance));
            List<ResourceMatch> corrected = new ArrayList<>();
            double atLeast = 0;
            for (int i = 0; i < byChance.size(); i++) {
                ResourceMatch match = byChance.get(i);
                atLeast = Math.max(atLeast, Math.min(1, match.chance() * (byChance.size() - i)));
                corrected.add(new ResourceMatch(
                        match.source(),
                        match.metric(),
                        match.score(),
                        match.correlation(),
                        match.lagWindows(),
                        match.chance(),
                        atLeast));
            }
            // in a short run several are the best there can be: then those first that rise and fall with the queue
            corrected.sort(Comparator.comparing((ResourceMatch match) -> match.corrected() > rules.level())
                    .thenComparing(match -> match.corrected() > rules.level() ? match.chance() : -match.score())
                    .thenComparing(match -> -match.correlation()));
            return corrected.subList(0, Math.min(MOST_MATCHES, corrected.size()));
        }
    }
}
