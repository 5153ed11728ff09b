package dev.understudy.testing;

import com.github.dockerjava.api.DockerClient;
import dev.understudy.testing.client.UnderstudyClient;
import dev.understudy.testing.process.LogText;
import dev.understudy.testing.process.ProgramArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.MountableFile;

/**
 * The containers of one environment, on three networks.
 *
 * <pre>
 *   upstreams   servers · aggregator
 *   stage       aggregator · production · sidecar, and their published ports
 *   debug       aggregator's debug ports · debug · sidecar, which listens on nothing there; no way out, not to the host
 * </pre>
 *
 * <p>Guarded by {@link ContainerEnvironment} while it starts; after that it is only read, and closed once.
 */
final class EnvironmentContainers implements AutoCloseable {
    private static final int FRONT = 8080;
    private static final int CONTROL = 9090;

    /** Aliases; a program listens on its own of one network, and so on no other. */
    private static final String AGGREGATOR = "aggregator-of-stage";

    private static final String AGGREGATOR_OF_DEBUG = "aggregator-of-debug";
    private static final String SIDECAR = "sidecar-of-stage";

    private final Path folder;
    private final String image;
    private final Duration patience;
    private final String token = HexFormat.of().formatHex(new SecureRandom().generateSeed(16));
    private final DockerClient docker = DockerClientFactory.lazyClient();
    /** Of a container's networks, ports are published on the one whose name is first in the alphabet. */
    private final Network stage = named("understudy-a-" + UUID.randomUUID());

    private final Network servers = named("understudy-b-" + UUID.randomUUID());
    private final Network sealed = Network.builder()
            .createNetworkCmdModifier(create -> create.withInternal(true)
                    // without an address of the host on it, the host's own servers aren't reached either
                    .withOptions(Map.of("com.docker.network.bridge.inhibit_ipv4", "true")))
            .build();
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private @Nullable UnderstudyClient client;
    private @Nullable URI uri;
    private @Nullable EnvironmentCheck check;

    private static Network named(String name) {
        return Network.builder()
                .createNetworkCmdModifier(create -> create.withName(name))
                .build();
    }

    /** Starts nothing yet. */
    EnvironmentContainers(Path folder, String image, Duration patience) {
        this.folder = folder;
        this.image = image;
        this.patience = patience;
        List.of(servers, stage, sealed).forEach(network -> undo.push(network::close));
    }

    void start(
            GenericContainer<?> production,
            GenericContainer<?> debug,
            int port,
            List<ContainerUpstream> upstreams,
            String protocol,
            @Nullable Path noiseRules,
            List<String> sets) {
        Path programs = ProgramArchive.unpack(ReportFolder.root());
        for (ContainerUpstream upstream : upstreams) {
            join(upstream.name(), upstream.server(), servers, upstream.alias());
        }
        URI aggregator = null;
        if (!upstreams.isEmpty()) {
            ProgramContainer started = aggregator(programs, upstreams);
            aggregator = URI.create("http://" + started.getHost() + ":" + started.getMappedPort(CONTROL));
        }
        join("production", production, stage, "production");
        seal(debug);
        ProgramContainer sidecar = sidecar(programs, port, protocol, noiseRules, sets, aggregator != null);
        uri = URI.create("http://" + sidecar.getHost() + ":" + sidecar.getMappedPort(FRONT));
        client = new UnderstudyClient(
                URI.create("http://" + sidecar.getHost() + ":" + sidecar.getMappedPort(CONTROL)), aggregator, token);
        check = new EnvironmentCheck(client, Set::of, patience);
    }

    private ProgramContainer aggregator(Path programs, List<ContainerUpstream> upstreams) {
        StringBuilder text = new StringBuilder("upstreams:\n");
        List<String> names = new ArrayList<>();
        for (ContainerUpstream upstream : upstreams) {
            names.add(upstream.name());
            text.append("""
                      - name: %s
                        protocol: %s
                        production: { listen: "%s:%d", upstream: "%s:%d" }
                        debug: { listen: "%s:%d" }
                    """.formatted(
                            upstream.name(),
                            upstream.protocol(),
                            AGGREGATOR,
                            upstream.port(),
                            upstream.alias(),
                            upstream.port(),
                            AGGREGATOR_OF_DEBUG,
                            upstream.port()));
        }
        text.append("control: { listen: \"" + AGGREGATOR + ":" + CONTROL
                + "\" }\ntap: { carrier: inline }\ndrain: 100ms\n");
        List<String> debugNames = new ArrayList<>(names);
        names.add(AGGREGATOR);
        debugNames.add(AGGREGATOR_OF_DEBUG);
        ProgramContainer container = program("aggregator", programs, text.toString())
                .withNetwork(stage)
                .withNetworkAliases(names.toArray(String[]::new))
                .on(servers, "aggregator-of-upstreams")
                .on(sealed, debugNames.toArray(String[]::new))
                .withExposedPorts(CONTROL);
        run("aggregator", container);
        return container;
    }

    private ProgramContainer sidecar(
            Path programs, int port, String protocol, @Nullable Path noiseRules, List<String> sets, boolean isLinked) {
        Path inside = noiseRules == null ? null : Path.of("/etc/understudy/noise.yaml");
        String text = new SidecarSettings(protocol, SIDECAR + ":" + FRONT, SIDECAR + ":" + CONTROL, inside)
                .text(
                        "production:" + port,
                        "debug:" + port,
                        isLinked ? URI.create("http://" + AGGREGATOR + ":" + CONTROL) : null);
        ProgramContainer container = program("sidecar", programs, text)
                .withNetwork(stage)
                .withNetworkAliases(SIDECAR)
                .on(sealed, "sidecar-of-debug")
                .withExposedPorts(FRONT, CONTROL);
        if (noiseRules != null) {
            container.withCopyToContainer(MountableFile.forHostPath(noiseRules), "/etc/understudy/noise.yaml");
        }
        List<String> line = new ArrayList<>(List.of(container.getCommandParts()));
        sets.forEach(set -> line.addAll(List.of("--set", set)));
        container.setCommandParts(line.toArray(String[]::new));
        run("sidecar", container);
        return container;
    }

    private ProgramContainer program(String name, Path programs, String settings) {
        ReportFolder.write(folder, name + ".yaml", settings);
        return new ProgramContainer(image, name, programs, settings, token);
    }

    /** Starts a container that doesn't run, and puts it on a network by a name. */
    private void join(String name, GenericContainer<?> container, Network network, String alias) {
        if (container.getContainerId() == null) {
            container.withNetwork(network).withNetworkAliases(alias);
            run(name, container);
            return;
        }
        String id = container.getContainerId();
        ProgramContainer.connect(docker, id, network, List.of(alias));
        undo.push(() -> docker.disconnectFromNetworkCmd()
                .withContainerId(id)
                .withNetworkId(network.getId())
                .withForce(true)
                .exec());
    }

    /** Starts debug where nothing reaches it from outside: no published port, and no wait strategy that uses one. */
    private void seal(GenericContainer<?> debug) {
        debug.setExposedPorts(new ArrayList<>());
        debug.withNetwork(sealed).withNetworkAliases("debug");
        debug.waitingFor(new NoContainerWait());
        run("debug", debug);
    }

    private void run(String name, GenericContainer<?> container) {
        Path log = folder.resolve(name + ".log");
        ReportFolder.write(folder, name + ".log", "");
        container.withLogConsumer(frame -> append(log, frame.getBytes()));
        undo.push(container::stop);
        container.start();
    }

    private static void append(Path log, byte @Nullable [] bytes) {
        if (bytes == null) {
            return;
        }
        try {
            Files.write(log, bytes, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException(log + ": can't be written: " + failed, failed);
        }
    }

    URI uri() {
        return started(uri);
    }

    UnderstudyClient client() {
        return started(client);
    }

    Path folder() {
        return folder;
    }

    List<String> problems(Set<FailureRule> rules) {
        return started(check).problems(rules);
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("environment: not started");
        }
        return part;
    }

    /** Where the logs are, and the end of debug's. */
    String logs() {
        return "logs and report: " + folder + "\n\nthe last lines of " + LogText.tail(folder.resolve("debug.log"));
    }

    @Override
    public void close() {
        if (client != null) {
            ReportFolder.save(client, folder);
        }
        RuntimeException problem = null;
        while (!undo.isEmpty()) {
            try {
                undo.pop().run();
            } catch (RuntimeException failed) {
                problem = failed;
            }
        }
        if (problem != null) {
            throw problem;
        }
    }

    private static final class NoContainerWait extends AbstractWaitStrategy {
        @Override
        protected void waitUntilReady() {
            // its input waits for it
        }
    }
}
