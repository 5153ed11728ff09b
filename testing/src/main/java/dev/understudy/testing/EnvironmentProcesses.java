package dev.understudy.testing;

import dev.understudy.testing.client.UnderstudyClient;
import dev.understudy.testing.process.ChildProcess;
import dev.understudy.testing.process.DebugConnections;
import dev.understudy.testing.process.ProgramArchive;
import dev.understudy.testing.process.TestedCommand;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one environment: first the aggregator, then both services, which need its ports, and last the
 * sidecar, which needs theirs.
 *
 * <p>Guarded by {@link UnderstudyEnvironment} while it starts; after that it is only read, and closed once.
 */
final class EnvironmentProcesses implements AutoCloseable {
    private static final Pattern AGGREGATOR = Pattern.compile("understudy aggregator ready:(.*) control=(\\S+)");
    private static final Pattern UPSTREAM = Pattern.compile(" (\\S+) production=(\\S+) debug=(\\S+),");
    private static final Pattern SIDECAR =
            Pattern.compile("understudy sidecar ready: service=(\\S+):(\\d+) control=(\\S+)");
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final Path folder;
    private final Pattern port;
    private final Duration patience;
    private final String token = HexFormat.of().formatHex(new SecureRandom().generateSeed(16));
    private final Deque<ChildProcess> children = new ArrayDeque<>();
    private final Thread atExit = new Thread(this::endAll, "understudy-testing-exit");
    private final Map<String, String> productionUpstreams = new LinkedHashMap<>();
    private final Map<String, String> debugUpstreams = new LinkedHashMap<>();
    private @Nullable URI aggregator;
    private @Nullable DebugConnections connections;
    private @Nullable UnderstudyClient client;
    private @Nullable InetSocketAddress address;
    private @Nullable EnvironmentCheck check;

    /**
     * Starts nothing yet.
     *
     * @param port finds a service's port in its output
     */
    EnvironmentProcesses(Path folder, Pattern port, Duration patience) {
        this.folder = folder;
        this.port = port;
        this.patience = patience;
    }

    /**
     * Starts all of them, and waits for each.
     *
     * @param settings the sidecar's
     */
    void start(
            TestedCommand production,
            TestedCommand debug,
            List<UpstreamServer> upstreams,
            SidecarSettings settings,
            List<String> sets) {
        Runtime.getRuntime().addShutdownHook(atExit);
        Path programs = ProgramArchive.unpack(ReportFolder.root());
        if (!upstreams.isEmpty()) {
            startAggregator(programs, upstreams);
        }
        String productionAddress = serve("production", production, productionUpstreams);
        String debugAddress = serve("debug", debug, debugUpstreams);
        if (!debug.isAddress()) {
            connections = new DebugConnections(children.getLast().pid(), forbidden(upstreams));
        }
        Path file =
                ReportFolder.write(folder, "sidecar.yaml", settings.text(productionAddress, debugAddress, aggregator));
        List<String> arguments = new ArrayList<>(List.of("sidecar", "--config", file.toString()));
        sets.forEach(set -> arguments.addAll(List.of("--set", set)));
        MatchResult ready = run("sidecar", programs, arguments).await(SIDECAR, patience);
        address = new InetSocketAddress(ready.group(1), Integer.parseInt(ready.group(2)));
        client = new UnderstudyClient(URI.create("http://" + ready.group(3)), aggregator, token);
        DebugConnections looks = connections;
        check = new EnvironmentCheck(client, () -> looks == null ? Set.of() : looks.take(), patience);
    }

    private void startAggregator(Path programs, List<UpstreamServer> upstreams) {
        StringBuilder settings = new StringBuilder("upstreams:\n");
        for (UpstreamServer upstream : upstreams) {
            settings.append("""
                      - name: %s
                        protocol: %s
                        production: { listen: "127.0.0.1:0", upstream: "%s" }
                        debug: { listen: "127.0.0.1:0" }
                    """.formatted(upstream.name(), upstream.protocol(), upstream.address()));
        }
        settings.append("control: { listen: \"127.0.0.1:0\" }\ntap: { carrier: inline }\ndrain: 100ms\n");
        Path file = ReportFolder.write(folder, "aggregator.yaml", settings.toString());
        MatchResult ready = run("aggregator", programs, List.of("--config", file.toString()))
                .await(AGGREGATOR, patience);
        aggregator = URI.create("http://" + ready.group(2));
        Matcher each = UPSTREAM.matcher(ready.group(1));
        while (each.find()) {
            productionUpstreams.put(each.group(1), each.group(2));
            debugUpstreams.put(each.group(1), each.group(3));
        }
    }

    private String serve(String name, TestedCommand service, Map<String, String> upstreams) {
        if (service.isAddress()) {
            return service.address();
        }
        ChildProcess child = ChildProcess.start(name, folder.resolve(name + ".log"), service.line(upstreams), Map.of());
        children.add(child);
        return "127.0.0.1:" + child.await(port, patience).group(1);
    }

    private ChildProcess run(String program, Path programs, List<String> arguments) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(JVM);
        line.addAll(List.of("-jar", ProgramArchive.jar(programs, program).toString()));
        line.addAll(arguments);
        Map<String, String> environment = Map.of(
                "UNDERSTUDY_CONTROL_TOKEN",
                token,
                "UNDERSTUDY_AGGREGATOR_TOKEN",
                token,
                "UNDERSTUDY_RUN",
                folder.resolve("run").toString());
        ChildProcess child = ChildProcess.start(program, folder.resolve(program + ".log"), line, environment);
        children.add(child);
        return child;
    }

    /** Where debug must have no connection. */
    private Set<InetSocketAddress> forbidden(List<UpstreamServer> upstreams) {
        Set<InetSocketAddress> forbidden = new HashSet<>();
        upstreams.forEach(upstream -> forbidden.add(new InetSocketAddress(upstream.host(), upstream.port())));
        for (String own : productionUpstreams.values()) {
            int colon = own.lastIndexOf(':');
            forbidden.add(new InetSocketAddress(own.substring(0, colon), Integer.parseInt(own.substring(colon + 1))));
        }
        return forbidden;
    }

    Path folder() {
        return folder;
    }

    InetSocketAddress address() {
        return ready(address);
    }

    UnderstudyClient client() {
        return ready(client);
    }

    List<String> problems(Set<FailureRule> rules) {
        return ready(check).problems(rules);
    }

    private static <T> T ready(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("environment: not ready (expected: after start)");
        }
        return part;
    }

    /** Where the logs are, and the end of debug's. */
    String logs() {
        StringBuilder text = new StringBuilder("logs and report: ").append(folder);
        children.stream()
                .filter(child -> child.log().endsWith("debug.log"))
                .forEach(child -> text.append("\n\nthe last lines of ").append(child.tail()));
        return text.toString();
    }

    @Override
    public void close() {
        try {
            if (client != null) {
                ReportFolder.save(client, folder);
            }
        } finally {
            endAll();
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException exiting) {
                // it runs, or has run
            }
        }
    }

    private synchronized void endAll() {
        if (connections != null) {
            connections.close();
        }
        children.forEach(ChildProcess::stop);
        while (!children.isEmpty()) {
            children.removeLast().close();
        }
    }
}
