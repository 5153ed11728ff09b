package dev.understudy.aggregator;

import dev.understudy.aggregator.http.stub.StubFolder;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.replay.ReplayPolicy;
import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.config.AcceptSection;
import dev.understudy.relay.config.ProductionSection;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.connect.ProductionConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One upstream: where production finds it, where it really is, and where the debug JVM finds its recorded replies.
 *
 * @param name in reports and metrics
 * @param listen production's port here
 * @param accept which of production's connections are let in
 * @param upstream the real server
 * @param debugListen the debug JVM's port here
 * @param policy what happens to debug requests without a recorded reply
 * @param stubs what answers them; none except over HTTP, where it is wanted
 */
public record UpstreamConfig(
        String name,
        Protocol protocol,
        InetSocketAddress listen,
        AcceptConfig accept,
        ProductionConfig upstream,
        InetSocketAddress debugListen,
        ReplayPolicy policy,
        Stubs stubs) {
    private static final Logger log = LoggerFactory.getLogger(UpstreamConfig.class);

    static UpstreamConfig read(Section section) {
        Section production = section.section("production");
        Section debug = section.section("debug");
        Protocol protocol = section.required("protocol", Value.choice(Protocol.class));
        Miss miss = section.optional("miss", Value.choice(Miss.class), Miss.FAIL);
        return new UpstreamConfig(
                section.required("name", Value.text()),
                protocol,
                production.required("listen", Value.address()),
                production.build(AcceptSection::read, AcceptConfig.defaults()),
                ProductionSection.read(production, "upstream"),
                debug.required("listen", Value.address()),
                new ReplayPolicy(
                        section.optional("wait", Value.duration(), Duration.ofSeconds(5)), miss == Miss.REPEAT_LAST),
                stubs(section, protocol, miss));
    }

    private static Stubs stubs(Section section, Protocol protocol, Miss miss) {
        if (miss != Miss.STUB) {
            if (section.has("stubs")) {
                section.problem("stubs: set (expected: none, unless miss is stub)");
            }
            return Stubs.NONE;
        }
        Path path = section.required("stubs", new Value<>("a file or folder of stubs", Path::of, Path.of("")));
        if (protocol != Protocol.HTTP) {
            section.problem("miss: stub (expected: fail or repeat-last, as stubs are for http)");
            return Stubs.NONE;
        }
        StubFolder.Loaded loaded = StubFolder.load(path);
        loaded.problems().forEach(problem -> section.problem("stubs: " + problem));
        loaded.notes().forEach(note -> log.info("stubs: {}", note));
        return loaded.stubs();
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
        REPEAT_LAST,
        STUB
    }
}
