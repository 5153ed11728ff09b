package dev.understudy.sidecar;

import dev.understudy.divergence.wire.Protocol;
import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.config.AcceptSection;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.ProductionSection;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.loop.Transport;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.tee.Sampling;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The sidecar's settings, as {@code sidecar.example.yaml} explains them.
 *
 * @param listeners at least one, with different names and addresses
 * @param maxBody bytes of a reply's body that are kept for the comparison
 * @param link which aggregator is told what is being served
 * @param drain how long connections may go on at the end before they are reset
 * @param transport how the kernel is asked about sockets, if it has it: EPOLL or IO_URING
 */
public record SidecarConfig(
        List<ListenerConfig> listeners,
        WindowConfig window,
        int maxBody,
        ControlConfig control,
        TelemetryConfig telemetry,
        RecordConfig record,
        LinkConfig link,
        Duration drain,
        Transport transport) {
    private static final int LARGEST_BODY = 256 << 20;
    private static final long LEAST_DISK = 16L << 20;

    public SidecarConfig {
        listeners = List.copyOf(listeners);
    }

    /** One that can't record and tells no aggregator, on epoll. */
    SidecarConfig(
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
                control,
                telemetry,
                RecordConfig.defaults(),
                LinkConfig.none(),
                drain,
                Transport.EPOLL);
    }

    /** The same, with windows of at most {@code memory} bytes. */
    SidecarConfig within(long memory) {
        return new SidecarConfig(
                listeners, window.within(memory), maxBody, control, telemetry, record, link, drain, transport);
    }

    /** In which order requests reach the debug JVM. */
    public enum Order {
        /** Production's happens-before across all connections. */
        CAUSAL,
        /** Each connection for itself. */
        CONNECTION
    }

    /** What becomes of a lane that has no more room. */
    public enum Overflow {
        /** What it holds is lost, and its connection isn't copied any further. */
        CLOSE,
        /** Whole requests are left out until there is room again; not with protocol tcp. */
        SHED
    }

    private enum OnOff {
        ON,
        OFF
    }

    /** How a listener's bytes are framed. */
    public enum Framing {
        HTTP(Protocol.HTTP),
        REDIS(Protocol.REDIS),
        TCP(Protocol.TCP);

        private final Protocol protocol;

        Framing(Protocol protocol) {
            this.protocol = protocol;
        }

        Protocol protocol() {
            return protocol;
        }
    }

    /**
     * One listener.
     *
     * @param debug none if it only relays
     * @param production its connect time-out is debug's, too
     * @param recorded whether it is recorded from the start
     */
    public record ListenerConfig(
            String name,
            InetSocketAddress listen,
            ProductionConfig production,
            List<DebugTarget> debug,
            Framing protocol,
            Order order,
            AcceptConfig accept,
            TeeConfig tee,
            boolean recorded) {
        public ListenerConfig {
            listen = new InetSocketAddress(listen.getHostString(), listen.getPort());
            if (listen.isUnresolved()) {
                throw new IllegalArgumentException("listen: " + listen.getHostString() + " (expected: a known host)");
            }
            debug = List.copyOf(debug);
            InetSocketAddress here = listen;
            if (isProduction(listen, production) || debug.stream().anyMatch(target -> same(here, target.address()))) {
                throw new IllegalArgumentException("listen: " + listen.getHostString() + ":" + listen.getPort()
                        + " (expected: neither production's address nor debug's)");
            }
            for (DebugTarget target : debug) {
                if (isProduction(target.address(), production)) {
                    throw new IllegalArgumentException("debug: "
                            + target.address().getHostString() + ":"
                            + target.address().getPort()
                            + " (expected: not production's address)");
                }
            }
        }

        /** One that isn't recorded from the start. */
        ListenerConfig(
                String name,
                InetSocketAddress listen,
                ProductionConfig production,
                List<DebugTarget> debug,
                Framing protocol,
                Order order,
                AcceptConfig accept,
                TeeConfig tee) {
            this(name, listen, production, debug, protocol, order, accept, tee, false);
        }

        /** How long production, or debug, may take to accept. */
        public Duration connectTimeout() {
            return production.connectTimeout();
        }

        private static boolean isProduction(InetSocketAddress address, ProductionConfig production) {
            return address.getPort() != 0
                    && production.addresses().contains(new Address.Inet(address.getHostString(), address.getPort()));
        }

        private static boolean same(InetSocketAddress a, InetSocketAddress b) {
            return a.getPort() != 0
                    && a.getPort() == b.getPort()
                    && a.getHostString().equals(b.getHostString());
        }
    }

    /**
     * The debug window.
     *
     * @param laneMemory bytes that one connection's lane may hold
     * @param memory bytes that all lanes together may hold
     * @param replyTimeout how long an exchange may stand still on the debug side, once its request was handed over
     * @param orderWait how long others wait for one exchange, on the debug JVM's own clock
     * @param connectWait how long bytes wait for a debug JVM that can't be reached
     * @param overflow what happens when memory and disk are full
     * @param diskDirectory where bytes wait that find no room in memory, or "" for nowhere
     * @param disk bytes that may wait there
     */
    public record WindowConfig(
            long laneMemory,
            long memory,
            Duration replyTimeout,
            Duration orderWait,
            Duration connectWait,
            Overflow overflow,
            String diskDirectory,
            long disk) {
        public WindowConfig {
            if (laneMemory > memory) {
                throw new IllegalArgumentException(
                        "lane-memory: " + laneMemory + " (expected: at most memory, " + memory + ")");
            }
            if (disk < LEAST_DISK) {
                throw new IllegalArgumentException("disk: " + disk + " (expected: at least 16MiB)");
            }
        }

        private WindowConfig within(long most) {
            return new WindowConfig(
                    Math.min(laneMemory, most),
                    Math.min(memory, most),
                    replyTimeout,
                    orderWait,
                    connectWait,
                    overflow,
                    diskDirectory,
                    disk);
        }

        /** A window in memory only. */
        WindowConfig(long laneMemory, long memory, Duration replyTimeout, Duration orderWait, Duration connectWait) {
            this(laneMemory, memory, replyTimeout, orderWait, connectWait, Overflow.CLOSE, "", 4L << 30);
        }

        static WindowConfig defaults() {
            return new WindowConfig(
                    16L << 20, 256L << 20, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(60));
        }
    }

    /**
     * Where traces and metrics go.
     *
     * @param otlp base address of an OTLP/HTTP receiver, or ""
     * @param traces whether each exchange is a trace, told to the debug JVM in a {@code traceparent}
     */
    public record TelemetryConfig(String otlp, String service, boolean traces) {
        static TelemetryConfig defaults() {
            return new TelemetryConfig("", "understudy-sidecar", true);
        }
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
        return new SidecarConfig(
                listeners,
                top.section("window").build(SidecarConfig::window, WindowConfig.defaults()),
                maxBody(top.section("comparison")),
                ControlConfig.read(top, 9090),
                top.section("telemetry").build(SidecarConfig::telemetry, TelemetryConfig.defaults()),
                record,
                link(top.section("aggregator"), listeners),
                top.optional("drain", Value.duration(), Duration.ofSeconds(10)),
                transport(top, listeners));
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
                Framing.HTTP,
                Order.CAUSAL,
                AcceptConfig.defaults().atMost(1),
                TeeConfig.defaults());
        return sections.stream()
                .map(section -> {
                    ListenerConfig listener = section.build(SidecarConfig::listener, otherwise);
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
    }

    private static ListenerConfig listener(Section section) {
        ListenerConfig listener = readListener(section);
        Sampling sampling = listener.tee().sampling();
        if (listener.protocol() != Framing.REDIS && !sampling.keys().isEmpty()) {
            section.problem("sample.keys: " + sampling.keys() + " (expected: none, unless protocol is redis)");
        }
        if (listener.protocol() != Framing.HTTP && !(sampling.paths().isEmpty() && sampling.header() == null)) {
            section.problem("sample: by paths or a header (expected: neither, unless protocol is http)");
        }
        return listener;
    }

    private static ListenerConfig readListener(Section section) {
        return new ListenerConfig(
                section.required("name", Value.text()),
                section.required("listen", Value.address()),
                ProductionSection.read(section, "production"),
                DebugTarget.read(section),
                section.optional("protocol", Value.choice(Framing.class), Framing.HTTP),
                section.optional("order", Value.choice(Order.class), Order.CAUSAL),
                AcceptSection.read(section),
                TeeConfig.read(section),
                section.optional("record", Value.choice(OnOff.class), OnOff.OFF) == OnOff.ON);
    }

    private static WindowConfig window(Section section) {
        WindowConfig defaults = WindowConfig.defaults();
        return new WindowConfig(
                section.optional("lane-memory", Value.bytes(), defaults.laneMemory()),
                section.optional("memory", Value.bytes(), defaults.memory()),
                section.optional("reply-timeout", Value.duration(), defaults.replyTimeout()),
                section.optional("order-wait", Value.duration(), defaults.orderWait()),
                section.optional("connect-wait", Value.duration(), defaults.connectWait()),
                section.optional("overflow", Value.choice(Overflow.class), defaults.overflow()),
                section.optional("disk-directory", Value.anyText(), defaults.diskDirectory()),
                section.optional("disk", Value.bytes(), defaults.disk()));
    }

    private static LinkConfig link(Section section, List<ListenerConfig> listeners) {
        LinkConfig link = LinkConfig.read(section);
        boolean known = listeners.stream()
                .flatMap(listener -> listener.debug().stream())
                .anyMatch(target -> target.name().equals(link.debug()));
        if (!link.debug().isEmpty() && !known) {
            section.problem("debug: " + link.debug() + " (expected: the name of a listener's debug JVM)");
        }
        return link;
    }

    private static int maxBody(Section section) {
        long bytes = section.optional("max-body", Value.bytes(), 1L << 20);
        if (bytes > LARGEST_BODY) {
            section.problem("max-body: " + bytes + " (expected: at most 256MiB)");
        }
        return (int) Math.min(bytes, LARGEST_BODY);
    }

    private static TelemetryConfig telemetry(Section section) {
        TelemetryConfig defaults = TelemetryConfig.defaults();
        return new TelemetryConfig(
                section.optional("otlp", Value.httpUrlOrEmpty(), defaults.otlp()),
                section.optional("service", Value.text(), defaults.service()),
                section.optional("traces", Value.flag(), defaults.traces()));
    }
}
