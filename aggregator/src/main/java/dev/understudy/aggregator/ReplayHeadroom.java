package dev.understudy.aggregator;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.relay.lane.JvmMemory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps journals to half of the heap, lanes to a quarter of the JVM's memory, and debug connections to an eighth of it,
 * so that production's calls find theirs.
 */
final class ReplayHeadroom {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayHeadroom.class);

    private ReplayHeadroom() {}

    /** The settings with bounds that fit; says so if they had to be cut. */
    static AggregatorConfig fit(AggregatorConfig config, JvmMemory jvm) {
        long journal = jvm.heap() / 2 / config.upstreams().size();
        long lanes = jvm.scarcer() / 4;
        long debug = jvm.scarcer() / 8;
        boolean fits = config.journal().memory() <= journal
                && config.lanes().memory() <= lanes
                && config.debugConnections().memory() <= debug;
        return fits
                ? config
                : config.within(
                        cut("journal.memory", config.journal().memory(), journal, jvm)
                                ? config.journal().with(journal)
                                : config.journal(),
                        cut("lanes.memory", config.lanes().memory(), lanes, jvm)
                                ? config.lanes().with(lanes)
                                : config.lanes(),
                        cut(
                                        "debug-connections.memory",
                                        config.debugConnections().memory(),
                                        debug,
                                        jvm)
                                ? config.debugConnections().withMemory(debug)
                                : config.debugConnections());
    }

    /** Whether that is more than there is room for. */
    private static boolean cut(String setting, long wanted, long room, JvmMemory jvm) {
        if (wanted <= room) {
            return false;
        }
        LOG.warn(
                "{}: {} MiB is more than this JVM has room for ({}): it is cut to {} MiB; lower it, or raise -Xmx or"
                        + " -XX:MaxDirectMemorySize, of a recorder process in tap.recorder-java-options",
                setting,
                wanted >> 20,
                jvm,
                room >> 20);
        return true;
    }
}
