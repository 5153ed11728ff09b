package dev.understudy.aggregator;

import dev.understudy.relay.lane.JvmMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps journals to half of the heap, and lanes to a quarter of the JVM's memory, so that production's calls find theirs. */
final class Headroom {
    private static final Logger LOG = LoggerFactory.getLogger(Headroom.class);

    private Headroom() {}

    /** The settings with journals and lanes that fit; says so if they had to be cut. */
    static AggregatorConfig fit(AggregatorConfig config, JvmMemory jvm) {
        long journal = jvm.heap() / 2 / config.upstreams().size();
        long lanes = jvm.scarcer() / 4;
        AggregatorConfig fitting = config;
        if (config.journal().memory() > journal) {
            cut("journal.memory", config.journal().memory(), journal, jvm);
            fitting = fitting.withJournals(journal);
        }
        if (config.lanes().memory() > lanes) {
            cut("lanes.memory", config.lanes().memory(), lanes, jvm);
            fitting = fitting.withLanes(lanes);
        }
        return fitting;
    }

    private static void cut(String setting, long wanted, long room, JvmMemory jvm) {
        LOG.warn(
                "{}: {} MiB is more than this JVM has room for ({}): it is cut to {} MiB; lower it, or raise -Xmx or"
                        + " -XX:MaxDirectMemorySize",
                setting,
                wanted >> 20,
                jvm,
                room >> 20);
    }
}
