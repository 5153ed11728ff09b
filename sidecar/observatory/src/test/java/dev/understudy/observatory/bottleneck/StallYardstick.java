package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.bottleneck.Bottleneck.ResourceMatch;
import java.util.Locale;

/** Counts what was found of the stalls of a simulation. */
final class StallYardstick {
    int injected;
    int found;
    int rightTier;
    int rightResource;
    int falseAlarms;
    int falseResources;

    void add(StallSimulation run, BottleneckReport report) {
        boolean[] used = new boolean[report.bottlenecks().size()];
        for (StallSimulation.Injection injection : run.injections) {
            injected++;
            Bottleneck hit = null;
            for (int i = 0; i < used.length; i++) {
                Bottleneck candidate = report.bottlenecks().get(i);
                long start = StallSimulation.epochMicros() + injection.startMicros();
                long end = StallSimulation.epochMicros() + injection.endMicros();
                if (candidate.startMicros() < end + 50_000 && candidate.endMicros() > start) {
                    used[i] = true;
                    hit = hit == null ? candidate : hit;
                }
            }
            if (hit == null) {
                continue;
            }
            found++;
            String tier = StallSimulation.TIERS[injection.tier()];
            rightTier += hit.origin().equals(tier) ? 1 : 0;
            if (hit.isExplained(report.rules().level())) {
                ResourceMatch best = hit.resources().get(0);
                rightResource += best.source().equals(tier) && best.metric().equals(injection.cause()) ? 1 : 0;
                falseResources += best.source().equals(tier) && best.metric().equals(injection.cause()) ? 0 : 1;
            }
        }
        for (boolean real : used) {
            falseAlarms += real ? 0 : 1;
        }
    }

    double share(int of) {
        return injected == 0 ? 1 : (double) of / injected;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d stalls: found %.1f %%, right tier %.1f %%, right resource %.1f %%, wrong one %.1f %%; %d false",
                injected,
                100 * share(found),
                100 * share(rightTier),
                100 * share(rightResource),
                100 * share(falseResources),
                falseAlarms);
    }
}
