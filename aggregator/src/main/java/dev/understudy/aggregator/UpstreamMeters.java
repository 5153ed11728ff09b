package dev.understudy.aggregator;

import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.match.MatchReason;
import dev.understudy.aggregator.record.RecordCounts;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.replay.AskedCounts;
import dev.understudy.aggregator.replay.ReplayCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The meters of one upstream, {@code understudy.aggregator.*} with the tag {@code upstream}. */
final class UpstreamMeters {
    private static final String PREFIX = "understudy.aggregator.";

    private UpstreamMeters() {}

    static void register(
            MeterRegistry registry, String upstream, RecordCounts recorded, Journal<?> journal, ReplayCounts replayed) {
        Tags tags = Tags.of("upstream", upstream);
        count(registry, "recorded", tags, recorded, RecordCounts::exchanges);
        count(registry, "recorded.background", tags, recorded, RecordCounts::background);
        for (Unrecorded reason : Unrecorded.values()) {
            count(registry, "unrecorded", reason(tags, reason), recorded, counts -> counts.unrecorded(reason));
        }
        Gauge.builder(PREFIX + "journal.bytes", journal, it -> it.counts().bytes())
                .tags(tags)
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(PREFIX + "journal.unused", journal, it -> it.counts().unused())
                .tags(tags)
                .register(registry);
        disk(registry, tags, journal);
        large(registry, tags, journal);
        for (Eviction reason : Eviction.values()) {
            count(
                    registry,
                    "journal.evicted",
                    reason(tags, reason),
                    journal,
                    it -> it.counts().evicted().getOrDefault(reason, 0L));
        }
        for (DebugLimit limit : DebugLimit.values()) {
            count(registry, "debug.limited", reason(tags, limit), replayed, counts -> counts.limited(limit));
        }
        count(registry, "debug.requests", tags, replayed, ReplayCounts::requests);
        count(registry, "debug.replayed", tags, replayed, ReplayCounts::replayed);
        count(registry, "debug.repeated", tags, replayed, ReplayCounts::repeated);
        count(registry, "debug.background", tags, replayed, ReplayCounts::background);
        count(registry, "debug.local", tags, replayed, ReplayCounts::local);
        count(registry, "debug.pushed", tags, replayed, ReplayCounts::pushed);
        count(registry, "debug.waited", tags, replayed, ReplayCounts::waited);
        count(registry, "debug.stubbed", tags, replayed, ReplayCounts::stubbed);
        asked(registry, "debug.live", tags, replayed.live());
        asked(registry, "debug.standin", tags, replayed.standin());
        count(registry, "debug.missed", tags, replayed, ReplayCounts::missed);
        count(registry, "debug.faulted", tags, replayed, ReplayCounts::faulted);
        count(registry, "debug.hampered", tags, replayed, ReplayCounts::hampered);
        for (Fault.Kind kind : Fault.Kind.values()) {
            count(registry, "debug.faults", tags.and("fault", kind.word()), replayed, counts -> counts.faults(kind));
        }
        count(registry, "debug.ambiguous", tags, replayed, ReplayCounts::ambiguous);
        count(registry, "debug.unfit", tags, replayed, ReplayCounts::unfit);
        for (MatchReason basis : MatchReason.values()) {
            Tags by = tags.and("by", basis.name().toLowerCase(Locale.ROOT));
            count(registry, "debug.matched", by, replayed, counts -> counts.matched(basis));
        }
    }

    private static void asked(MeterRegistry registry, String name, Tags tags, AskedCounts counts) {
        count(registry, name, tags, counts, AskedCounts::answered);
        count(registry, name + ".refused", tags, counts, AskedCounts::refused);
        count(registry, name + ".failed", tags, counts, AskedCounts::failed);
    }

    private static void disk(MeterRegistry registry, Tags tags, Journal<?> journal) {
        Gauge.builder(
                        PREFIX + "journal.disk.bytes",
                        journal,
                        it -> it.counts().disk().bytes())
                .tags(tags)
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(
                        PREFIX + "journal.disk.unused",
                        journal,
                        it -> it.counts().disk().unused())
                .tags(tags)
                .register(registry);
        Gauge.builder(
                        PREFIX + "journal.disk.failing",
                        journal,
                        it -> it.counts().disk().trouble().isEmpty() ? 0 : 1)
                .tags(tags)
                .register(registry);
        count(
                registry,
                "journal.disk.written",
                tags,
                journal,
                it -> it.counts().disk().written());
    }

    private static void large(MeterRegistry registry, Tags tags, Journal<?> journal) {
        Gauge.builder(
                        PREFIX + "journal.large.waiting",
                        journal,
                        it -> it.counts().large().waitingBytes())
                .tags(tags)
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(
                        PREFIX + "journal.large.bytes",
                        journal,
                        it -> it.counts().large().bytes())
                .tags(tags)
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder(
                        PREFIX + "journal.large.unused",
                        journal,
                        it -> it.counts().large().unused())
                .tags(tags)
                .register(registry);
    }

    private static Tags reason(Tags tags, Enum<?> reason) {
        return tags.and("reason", reason.name().toLowerCase(Locale.ROOT));
    }

    private static <T> void count(
            MeterRegistry registry, String name, Tags tags, T counted, ToDoubleFunction<T> count) {
        FunctionCounter.builder(PREFIX + name, counted, count).tags(tags).register(registry);
    }
}
