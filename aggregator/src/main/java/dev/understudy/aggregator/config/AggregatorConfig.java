package dev.understudy.aggregator.config;

import dev.understudy.aggregator.fault.FaultRule;
import dev.understudy.aggregator.tls.DebugTls;
import dev.understudy.divergence.mask.SecretRules;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.RedactSetting;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import dev.understudy.relay.control.ControlConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything an aggregator is told.
 *
 * @param upstreams at least one
 * @param journal how much may be kept
 * @param lanes bounds of what is on its way from the relay to the recorders
 * @param debugConnections bounds of what the debug JVM's connections may take
 * @param faults what debug requests are made to suffer from the start
 * @param debugTls what is needed to speak TLS with debug clients that want it
 * @param otlp base address of an OTLP/HTTP receiver for metrics, or {@code ""}
 * @param service the OpenTelemetry {@code service.name}
 * @param redact what isn't shown besides what never is
 * @param drain how long production's connections may go on at the end before they are reset
 * @param tap how what is relayed gets to the recorders
 */
public record AggregatorConfig(
        List<UpstreamConfig> upstreams,
        JournalConfig journal,
        LaneConfig lanes,
        DebugConnectionConfig debugConnections,
        ControlConfig control,
        List<FaultRule> faults,
        DebugTlsConfig debugTls,
        String otlp,
        String service,
        SecretRules redact,
        Duration drain,
        TapConfig tap) {
    public static final int CONTROL_PORT = 9091;

    /** What is recorded late is guessed by the debug side, and a ring that isn't read in time ends recordings. */
    private static final int RECORDER_NICE = 0;

    public AggregatorConfig {
        upstreams = List.copyOf(upstreams);
        faults = List.copyOf(faults);
    }

    /** The same, with these faults besides its own, or in their place where the names are the same. */
    public AggregatorConfig withFaults(List<FaultRule> more) {
        Map<String, FaultRule> named = new LinkedHashMap<>();
        Stream.concat(faults.stream(), more.stream()).forEach(rule -> named.put(rule.name(), rule));
        List<FaultRule> all = List.copyOf(named.values());
        return new AggregatorConfig(
                upstreams, journal, lanes, debugConnections, control, all, debugTls, otlp, service, redact, drain, tap);
    }

    /** Whether production's connections are relayed by a process of their own. */
    public boolean isSplit() {
        return tap.carrier() == TapConfig.Carrier.RING
                && upstreams.stream().anyMatch(upstream -> upstream.listen() != null);
    }

    /** How rules about faults of these upstreams are read. */
    public FaultSettings faultSettings() {
        return settings(upstreams);
    }

    private static FaultSettings settings(List<UpstreamConfig> upstreams) {
        Map<String, UpstreamConfig.Protocol> protocols = new TreeMap<>();
        upstreams.forEach(upstream -> protocols.put(upstream.name(), upstream.protocol()));
        return new FaultSettings(protocols);
    }

    /** The same, with other bounds. */
    public AggregatorConfig within(JournalConfig journals, LaneConfig ofLanes, DebugConnectionConfig connections) {
        return new AggregatorConfig(
                upstreams,
                journals,
                ofLanes,
                connections,
                control,
                faults,
                debugTls,
                otlp,
                service,
                redact,
                drain,
                tap);
    }

    /**
     * Reads a file, with environment variables and flags on top.
     *
     * @param sets {@code path=value} each
     * @throws ConfigException with all problems, when there is one
     */
    public static AggregatorConfig read(Path file, Map<String, String> environment, List<String> sets) {
        Problems problems = new Problems();
        Overrides overrides = new Overrides(environment, sets, problems);
        return YamlFile.read(file, overrides, problems, AggregatorConfig::read);
    }

    private static AggregatorConfig read(Section top) {
        List<Section> sections = top.sections("upstreams");
        if (sections.isEmpty()) {
            top.problem("upstreams: none (expected: at least one)");
        }
        List<UpstreamConfig> upstreams =
                sections.stream().map(UpstreamConfig::read).toList();
        reportTwins(sections, upstreams);
        LiveSection.checkStandins(sections, upstreams);
        ControlConfig control = ControlConfig.read(top, CONTROL_PORT);
        Section telemetry = top.section("telemetry");
        return new AggregatorConfig(
                upstreams,
                top.section("journal").build(JournalConfig::read, JournalConfig.DEFAULT),
                LaneConfig.read(top.section("lanes")),
                DebugConnectionConfig.read(top.section("debug-connections")),
                control,
                settings(upstreams).list(top),
                DebugTlsConfig.read(top.section("debug-tls")),
                telemetry.optional("otlp", Value.httpUrlOrEmpty(), ""),
                telemetry.optional("service", Value.text(), "understudy-aggregator"),
                new SecretRules(RedactSetting.read(top), RedactSetting.values(top, SecretRules::value)),
                top.optional("drain", Value.duration(), Duration.ofSeconds(3)),
                TapConfig.read(top.section("tap"), "recorder", RECORDER_NICE));
    }

    /** Two upstreams can have neither one name nor one port; port 0 is a free one each time. */
    private static void reportTwins(List<Section> sections, List<UpstreamConfig> upstreams) {
        Set<String> names = new HashSet<>();
        Map<InetSocketAddress, String> ports = new HashMap<>();
        for (int i = 0; i < upstreams.size(); i++) {
            UpstreamConfig upstream = upstreams.get(i);
            if (!names.add(upstream.name())) {
                sections.get(i).problem("name: " + upstream.name() + " (expected: a name of its own)");
            }
            for (InetSocketAddress port : upstream.ports()) {
                String other = port.getPort() == 0 ? null : ports.putIfAbsent(port, upstream.name());
                if (other != null) {
                    sections.get(i).problem("listen: " + port + " (expected: not also a port of " + other + ")");
                }
            }
        }
    }

    /**
     * TLS at the debug ports.
     *
     * @param folder where the authority that vouches for them is kept; null if it is made anew at each start
     * @param names further names and addresses by which debug clients reach the ports
     */
    public record DebugTlsConfig(@Nullable Path folder, List<String> names) {
        private static final Value<String> NAME =
                new Value<>("a host name or an address", DebugTls::checkedName, "localhost");

        public DebugTlsConfig {
            names = List.copyOf(names);
        }

        private static DebugTlsConfig read(Section section) {
            return new DebugTlsConfig(
                    section.has("folder")
                            ? section.required("folder", new Value<>("a folder", Path::of, Path.of("tls")))
                            : null,
                    section.listed("names", NAME));
        }
    }

    /**
     * How much is kept per upstream.
     *
     * @param memory bytes
     * @param age how long an exchange may be used
     * @param diskDirectory where replies wait that memory has no room for, and what a restart finds again; "" for
     *     nowhere
     * @param disk bytes that may wait there
     * @param large bytes of replies on disk that are too large for memory; 0 for none, and then they aren't recorded
     * @param largeFrom bytes from which a reply is such a one, or less if it doesn't fit into memory's part
     */
    public record JournalConfig(
            long memory, Duration age, String diskDirectory, long disk, long large, long largeFrom) {
        private static final long LEAST_DISK = 16L << 20;
        private static final long LEAST_LARGE = 64L << 10;
        private static final JournalConfig DEFAULT =
                new JournalConfig(256L << 20, Duration.ofHours(1), "", 4L << 30, 2L << 30, 1L << 20);

        public JournalConfig {
            if (disk < LEAST_DISK) {
                throw new IllegalArgumentException("disk: " + disk + " (expected: at least 16MiB)");
            }
            if (large != 0 && large < LEAST_DISK) {
                throw new IllegalArgumentException("large: " + large + " (expected: 0, or at least 16MiB)");
            }
            if (largeFrom < LEAST_LARGE) {
                throw new IllegalArgumentException("large-from: " + largeFrom + " (expected: at least 64KiB)");
            }
        }

        public JournalConfig with(long lessMemory) {
            return new JournalConfig(lessMemory, age, diskDirectory, disk, large, largeFrom);
        }

        private static JournalConfig read(Section section) {
            return new JournalConfig(
                    section.optional("memory", Value.bytes(), DEFAULT.memory),
                    section.optional("age", Value.duration(), DEFAULT.age),
                    section.optional("disk-directory", Value.anyText(), DEFAULT.diskDirectory),
                    section.optional("disk", Value.bytes(), DEFAULT.disk),
                    section.optional("large", Value.bytesOrNone(), DEFAULT.large),
                    section.optional("large-from", Value.bytes(), DEFAULT.largeFrom));
        }
    }

    /**
     * How much may be on its way from the relay into the journals.
     *
     * @param laneMemory bytes of one connection between relay and recorder
     * @param memory bytes of all connections, including the exchanges that aren't complete yet
     */
    public record LaneConfig(long laneMemory, long memory) {
        /** The same within {@code less} bytes. */
        public LaneConfig with(long less) {
            return new LaneConfig(Math.min(laneMemory, less), less);
        }

        private static LaneConfig read(Section section) {
            return new LaneConfig(
                    section.optional("lane-memory", Value.bytes(), 16L << 20),
                    section.optional("memory", Value.bytes(), 128L << 20));
        }
    }
}
