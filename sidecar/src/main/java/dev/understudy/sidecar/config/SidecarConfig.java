package dev.understudy.sidecar.config;

import dev.understudy.divergence.content.protobuf.ProtobufSchema;
import dev.understudy.divergence.mask.SecretRules;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.RedactSetting;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.loop.Transport;
import dev.understudy.sidecar.handshake.AgentKey;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.resync.ResyncConfig;
import dev.understudy.sidecar.source.SourceRoots;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The sidecar's settings, as {@code sidecar.example.yaml} explains them.
 *
 * @param listeners at least one, with different names and addresses
 * @param maxBody bytes of a reply's body that are kept for the comparison
 * @param keptVerdicts how many verdicts of each kind are kept
 * @param keptExchanges how many exchanges are kept for the console, as far as their memory goes
 * @param noise what may differ
 * @param learnNoise whether what differs by nature is learned
 * @param protobuf the messages that bodies may hold
 * @param redact what isn't shown besides what never is; agents get the names
 * @param suspects which exchanges fail
 * @param experiments whether failing requests may be sent to the copy once more
 * @param sharedProbes whether each agent has a part of the methods, where there are several, instead of all
 * @param sources where the console finds the source of suspects
 * @param agentKey what agents find out with that their JVM is a debug one
 * @param link which aggregator is told what is being served
 * @param resync when a debug JVM is brought back into production's state, and how
 * @param drain how long connections may go on at the end before they are reset
 * @param tap how what is relayed gets to the lanes
 * @param transport how the kernel is asked about sockets, if it has it: EPOLL or IO_URING
 */
public record SidecarConfig(
        List<ListenerConfig> listeners,
        WindowConfig window,
        int maxBody,
        int keptVerdicts,
        int keptExchanges,
        List<NoiseRule> noise,
        boolean learnNoise,
        ProtobufSchema protobuf,
        SecretRules redact,
        ControlConfig control,
        TelemetryConfig telemetry,
        RecordConfig record,
        LabelRule suspects,
        Experiments experiments,
        boolean sharedProbes,
        SourceRoots sources,
        AgentKey agentKey,
        LinkConfig link,
        ResyncConfig resync,
        Duration drain,
        TapConfig tap,
        Transport transport) {
    private static final int LANE_NICE = 19;

    /** Which methods agents look at. */
    private enum Probes {
        /** Each at all. */
        EACH,
        /** Each at a part. */
        SHARED
    }

    private static final int LARGEST_BODY = 256 << 20;
    private static final int KEPT_VERDICTS = 200;
    private static final int KEPT_EXCHANGES = 100_000;
    private static final int LEAST_EXCHANGES = 1_000;
    private static final int MOST_EXCHANGES = 1_000_000;
    /** The largest {@code keptVerdicts}. */
    public static final int MOST_VERDICTS = 10_000;

    public SidecarConfig {
        listeners = List.copyOf(listeners);
        noise = List.copyOf(noise);
    }

    /** One that can't record and tells no aggregator, on epoll. */
    public SidecarConfig(
            List<ListenerConfig> listeners,
            WindowConfig window,
            int maxBody,
            ControlConfig control,
            TelemetryConfig telemetry,
            Duration drain) {
        this(
                listeners,
                window,
                maxBody,
                KEPT_VERDICTS,
                KEPT_EXCHANGES,
                List.of(),
                true,
                ProtobufSchema.NONE,
                SecretRules.NONE,
                control,
                telemetry,
                RecordConfig.defaults(),
                LabelRule.defaults(),
                Experiments.ASK,
                false,
                new SourceRoots(List.of()),
                AgentKey.NONE,
                LinkConfig.none(),
                ResyncConfig.none(),
                drain,
                TapConfig.defaults(LANE_NICE),
                Transport.EPOLL);
    }

    /** The same, with windows of at most {@code memory} bytes. */
    public SidecarConfig within(long memory) {
        return new SidecarConfig(
                listeners,
                window.within(memory),
                maxBody,
                keptVerdicts,
                keptExchanges,
                noise,
                learnNoise,
                protobuf,
                redact,
                control,
                telemetry,
                record,
                suspects,
                experiments,
                sharedProbes,
                sources,
                agentKey,
                link,
                resync,
                drain,
                tap,
                transport);
    }

    /**
     * Reads a file, and what stands above it.
     *
     * @throws dev.understudy.relay.config.ConfigException with everything that is wrong
     */
    public static SidecarConfig read(Path file, Overrides overrides, Problems problems) {
        return YamlFile.read(file, overrides, problems, SidecarConfig::read);
    }

    private static SidecarConfig read(Section top) {
        RecordConfig record = top.section("record").build(RecordConfig::read, RecordConfig.defaults());
        List<ListenerConfig> listeners = listeners(top, record);
        Section comparison = top.section("comparison");
        return new SidecarConfig(
                listeners,
                top.section("window").build(WindowConfig::read, WindowConfig.defaults()),
                maxBody(comparison),
                comparison.optional("keep-verdicts", Value.integer(1, MOST_VERDICTS), KEPT_VERDICTS),
                comparison.optional("keep-exchanges", exchanges(), KEPT_EXCHANGES),
                NoiseFile.read(comparison),
                comparison.optional("learn-noise", Value.flag(), true),
                DescriptorFile.read(comparison.section("protobuf")),
                new SecretRules(RedactSetting.read(top), RedactSetting.values(top, SecretRules::value)),
                ControlConfig.read(top, 9090),
                top.section("telemetry").build(TelemetryConfig::read, TelemetryConfig.defaults()),
                record,
                top.section("suspects")
                        .build(section -> SuspectsSection.read(section, LabelRule.defaults()), LabelRule.defaults()),
                top.optional("experiments", Value.choice(Experiments.class), Experiments.ASK),
                top.optional("probes", Value.choice(Probes.class), Probes.EACH) == Probes.SHARED,
                SourcesSetting.read(top),
                AgentsSection.read(top.section("agents")),
                link(top.section("aggregator"), listeners),
                resync(top.section("resync"), listeners),
                top.optional("drain", Value.duration(), Duration.ofSeconds(10)),
                TapConfig.read(top.section("tap"), "lane", LANE_NICE),
                transport(top, listeners));
    }

    private static Value<Integer> exchanges() {
        return Value.integer(LEAST_EXCHANGES, MOST_EXCHANGES);
    }

    private static Transport transport(Section top, List<ListenerConfig> listeners) {
        Value<Transport> either = new Value<>(
                "epoll or io_uring",
                raw -> Stream.of(Transport.EPOLL, Transport.IO_URING)
                        .filter(transport -> transport.word().equals(raw))
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new),
                Transport.EPOLL);
        Transport wanted = top.optional("transport", either, Transport.EPOLL);
        if (wanted == Transport.IO_URING
                && listeners.stream().anyMatch(listener -> listener.production().transparent())) {
            top.problem("transport: io_uring (expected: epoll, as long as a listener is transparent)");
            return Transport.EPOLL;
        }
        return wanted;
    }

    private static List<ListenerConfig> listeners(Section top, RecordConfig record) {
        List<Section> sections = top.sections("listeners");
        if (sections.isEmpty()) {
            top.problem("listeners: none (expected: at least one)");
        }
        Set<String> names = new HashSet<>();
        Set<InetSocketAddress> addresses = new HashSet<>();
        ListenerConfig otherwise = new ListenerConfig(
                "placeholder",
                InetSocketAddress.createUnresolved("127.0.0.1", 0),
                ProductionConfig.of(new Address.Inet("127.0.0.1", 1)),
                List.of(),
                ListenerConfig.Framing.HTTP,
                ListenerConfig.Order.CAUSAL,
                AcceptConfig.defaults().atMost(1),
                TeeConfig.defaults());
        List<ListenerConfig> listeners = sections.stream()
                .map(section -> {
                    ListenerConfig listener = section.build(ListenerConfig::read, otherwise);
                    boolean read = !listener.equals(otherwise);
                    if (read && !names.add(listener.name())) {
                        section.problem("name: " + listener.name() + " (expected: a name no other listener has)");
                    }
                    if (read && listener.listen().getPort() != 0 && !addresses.add(listener.listen())) {
                        section.problem("listen: " + listener.listen().getHostString() + ":"
                                + listener.listen().getPort() + " (expected: an address no other listener has)");
                    }
                    if (read && listener.recorded() && record.directory().isEmpty()) {
                        section.problem("record: on (expected: off, as long as record.directory names none)");
                    }
                    return listener;
                })
                .toList();
        List<ListenerConfig> accepted = new ArrayList<>();
        Set<String> askedFor = new HashSet<>();
        for (ListenerConfig listener : listeners) {
            Behind behind = listener.behind();
            ListenerConfig front = behind == null
                    ? null
                    : listeners.stream()
                            .filter(other -> isInFront(other, behind))
                            .findFirst()
                            .orElse(null);
            if (behind != null && front == null) {
                sections.get(accepted.size())
                        .problem("behind: " + behind.listener()
                                + " (expected: the name of a listener with tls that isn't behind another one itself)");
            }
            if (behind != null) {
                for (String name : behind.serverNames().names()) {
                    if (!askedFor.add(behind.listener() + " " + name)) {
                        sections.get(accepted.size())
                                .problem("server-names: " + name + " (expected: a name no other listener behind "
                                        + behind.listener() + " has)");
                    }
                }
            }
            accepted.add(front == null ? listener : listener.acceptedBy(front));
        }
        return accepted;
    }

    private static boolean isInFront(ListenerConfig other, Behind behind) {
        return other.name().equals(behind.listener()) && other.accept().tls() != null;
    }

    private static LinkConfig link(Section section, List<ListenerConfig> listeners) {
        LinkConfig link = LinkConfig.read(section);
        known(section, link.debug(), listeners);
        return link;
    }

    /** What one debug JVM doesn't get, others at the same listener don't get either. */
    private static ResyncConfig resync(Section section, List<ListenerConfig> listeners) {
        ResyncConfig resync = section.build(ResyncConfig::read, ResyncConfig.none());
        known(section, resync.debug(), listeners);
        if (resync.isPossible()
                && listeners.stream().anyMatch(listener -> listener.debug().size() > 1)) {
            section.problem("a listener has several debug JVMs (expected: one each, for resync)");
        }
        return resync;
    }

    private static void known(Section section, String debug, List<ListenerConfig> listeners) {
        boolean known = listeners.stream()
                .flatMap(listener -> listener.debug().stream())
                .anyMatch(target -> target.name().equals(debug));
        if (!debug.isEmpty() && !known) {
            section.problem("debug: " + debug + " (expected: the name of a listener's debug JVM)");
        }
    }

    private static int maxBody(Section section) {
        long bytes = section.optional("max-body", Value.bytes(), 1L << 20);
        if (bytes > LARGEST_BODY) {
            section.problem("max-body: " + bytes + " (expected: at most 256MiB)");
        }
        return (int) Math.min(bytes, LARGEST_BODY);
    }
}
