package dev.understudy.observatory.command;

import dev.understudy.observatory.bottleneck.Bottleneck;
import dev.understudy.observatory.bottleneck.Bottleneck.QueueGrowth;
import dev.understudy.observatory.bottleneck.Bottleneck.ResourceMatch;
import dev.understudy.observatory.bottleneck.BottleneckReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Bottlenecks as a JSON document; its fields are in {@code docs/guides/slow-request.md}. */
final class BottleneckJson {
    private BottleneckJson() {}

    static Map<String, Object> of(BottleneckReport report, List<Map<String, Object>> tiers, List<String> notes) {
        return fields(
                "windowMillis", report.rules().windowMicros() / 1000.0,
                "windows", report.windows().get(0).count(),
                "from", BottleneckText.time(report.windows().get(0).startMicros(0)),
                "tiers", tiers,
                "notes", notes,
                "peaks", report.peaks(),
                "leftOut", report.leftOut(),
                "bottlenecks",
                        report.bottlenecks().stream()
                                .map(bottleneck ->
                                        bottleneck(bottleneck, report.rules().level()))
                                .toList());
    }

    private static Map<String, Object> bottleneck(Bottleneck found, double level) {
        return fields(
                "start", BottleneckText.time(found.startMicros()),
                "top", BottleneckText.time(found.topMicros()),
                "end", BottleneckText.time(found.endMicros()),
                "millis", (found.endMicros() - found.startMicros()) / 1000.0,
                "origin", found.origin(),
                "originShare", found.share(),
                "delayedTier", found.delayedTier(),
                "slowExchanges", found.slow(),
                "delayMillis", found.delayMicros() / 1000.0,
                "longestMillis", found.longestMicros() / 1000.0,
                "tiers", found.tiers().stream().map(BottleneckJson::growth).toList(),
                "explained", found.isExplained(level),
                "tooShort", found.isTooShort(level),
                "tried", found.tried(),
                "places", found.places(),
                "resources",
                        found.resources().stream().map(BottleneckJson::match).toList());
    }

    private static Map<String, Object> growth(QueueGrowth tier) {
        Map<String, Object> fields = fields(
                "name", tier.tier(),
                "part", tier.part().name().toLowerCase(Locale.ROOT),
                "usualQueue", tier.usual(),
                "mostQueue", tier.most());
        if (tier.part() != QueueGrowth.Part.CALM) {
            fields.put("onset", BottleneckText.time(tier.onsetMicros()));
        }
        return fields;
    }

    private static Map<String, Object> match(ResourceMatch match) {
        return fields(
                "source", match.source(),
                "metric", match.metric(),
                "score", match.score(),
                "correlation", match.correlation(),
                "lagWindows", match.lagWindows(),
                "chance", match.chance(),
                "corrected", match.corrected());
    }

    static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }
}
