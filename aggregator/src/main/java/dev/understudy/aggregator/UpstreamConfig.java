package dev.understudy.aggregator;

import dev.understudy.aggregator.replay.ReplayPolicy;
import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.config.AcceptSection;
import dev.understudy.relay.config.ProductionSection;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.connect.ProductionConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;

/**
 * One upstream: where production finds it, where it really is, and where the debug JVM finds its recorded replies.
 *
 * @param name in reports and metrics
 * @param listen production's port here
 * @param accept which of production's connections are let in
 * @param upstream the real server
 * @param debugListen the debug JVM's port here
 * @param policy what happens to debug requests without a recorded reply
 */
public record UpstreamConfig(
        String name,
        Protocol protocol,
        InetSocketAddress listen,
        AcceptConfig accept,
        ProductionConfig upstream,
        InetSocketAddress debugListen,
        ReplayPolicy policy) {

    static UpstreamConfig read(Section section) {
        Section production = section.section("production");
        Section debug = section.section("debug");
        return new UpstreamConfig(
                section.required("name", Value.text()),
                section.required("protocol", Value.choice(Protocol.class)),
                production.required("listen", Value.address()),
                production.build(AcceptSection::read, AcceptConfig.defaults()),
                ProductionSection.read(production, "upstream"),
                debug.required("listen", Value.address()),
                new ReplayPolicy(
                        section.optional("wait", Value.duration(), Duration.ofSeconds(5)),
                        section.optional("miss", Value.choice(Miss.class), Miss.FAIL) == Miss.REPEAT_LAST));
    }

    /** The protocols that can be recorded and replayed. */
    public enum Protocol {
        HTTP,
        POSTGRES,
        REDIS;

        /** The name as it stands in a configuration file. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private enum Miss {
        FAIL,
        REPEAT_LAST
    }
}
