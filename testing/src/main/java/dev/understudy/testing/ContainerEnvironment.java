package dev.understudy.testing;

import dev.understudy.testing.client.UnderstudyClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

/**
 * The same as {@link UnderstudyEnvironment}, for containers of Testcontainers 2.
 *
 * <pre>{@code
 * try (ContainerEnvironment environment = new ContainerEnvironment()
 *         .upstream("orders", "postgres", new PostgreSQLContainer("postgres:15"))
 *         .production(new GenericContainer<>("shop:1").withExposedPorts(8080).withEnv("DB_HOST", "orders"))
 *         .debug(new GenericContainer<>("shop:2").withEnv("DB_HOST", "orders"))
 *         .start()) {
 *     get(environment.uri().resolve("/prices/7"));
 *     environment.check();
 * }
 * }</pre>
 *
 * <p>Both services find an upstream by its name, at its own port. Debug is on a network on which there is nothing but
 * the aggregator's debug ports. Settings are made before {@link #start}. The methods after it are safe for any thread.
 */
public final class ContainerEnvironment implements AutoCloseable {
    private final List<ContainerUpstream> upstreams = new ArrayList<>();
    private final List<String> settings = new ArrayList<>();
    private @Nullable GenericContainer<?> production;
    private @Nullable GenericContainer<?> debug;
    private String image = Objects.requireNonNullElse(System.getenv("UNDERSTUDY_JRE_IMAGE"), "eclipse-temurin:17-jre");
    private String protocol = "http";
    private int port;
    private @Nullable Path noiseRules;
    private @Nullable Path folder;
    private Duration patience = Duration.ofSeconds(60);
    private boolean isClosed;
    private @Nullable EnvironmentContainers containers;

    /** The service as it is, running or not. What isn't running is started, and stopped with the environment. */
    public ContainerEnvironment production(GenericContainer<?> production) {
        this.production = production;
        return this;
    }

    /** Another build of it, not running. Its network, published ports and wait strategy are the environment's. */
    public ContainerEnvironment debug(GenericContainer<?> debug) {
        this.debug = debug;
        return this;
    }

    /**
     * A server that the service calls, running or not.
     *
     * @param name the host name by which both services call it, such as {@code orders}
     * @param protocol {@code http}, {@code postgres}, {@code mysql}, {@code redis} or {@code tcp}
     * @param server it listens at its first exposed port
     */
    public ContainerEnvironment upstream(String name, String protocol, GenericContainer<?> server) {
        upstreams.add(new ContainerUpstream(name, protocol, server));
        return this;
    }

    /** What the service speaks: {@code http}, which is usual, {@code redis}, {@code postgres} or {@code tcp}. */
    public ContainerEnvironment protocol(String protocol) {
        this.protocol = protocol;
        return this;
    }

    /** The service's port; production's first exposed one if it isn't set. */
    public ContainerEnvironment port(int port) {
        this.port = port;
        return this;
    }

    /** An image with a JRE 17 for the programs; {@code UNDERSTUDY_JRE_IMAGE} or Temurin's if it isn't set. */
    public ContainerEnvironment image(String image) {
        this.image = image;
        return this;
    }

    /** A file of tolerated differences, as {@code understudy noise export} writes it. */
    public ContainerEnvironment noiseRules(Path noiseRules) {
        this.noiseRules = SidecarSettings.readable(noiseRules);
        return this;
    }

    /** A further setting of the sidecar, such as {@code comparison.max-body=8MiB}. */
    public ContainerEnvironment setting(String setting) {
        settings.add(setting);
        return this;
    }

    /** Where logs and the report are kept; a folder below {@code target/understudy} if it isn't set. */
    public ContainerEnvironment folder(Path folder) {
        this.folder = folder;
        return this;
    }

    /** How long debug may take to answer what production has answered; usually a minute. */
    public ContainerEnvironment patience(Duration patience) {
        this.patience = patience;
        return this;
    }

    /**
     * Starts all of it, and waits until it is ready; debug's input waits for debug by itself.
     *
     * @throws IllegalStateException if it was started before, or something is missing
     */
    public synchronized ContainerEnvironment start() {
        if (containers != null || isClosed) {
            throw new IllegalStateException("environment: started before (expected: a new one)");
        }
        if (production == null || debug == null) {
            throw new IllegalStateException("environment: no production or no debug (expected: both)");
        }
        if (debug.getContainerId() != null) {
            throw new IllegalStateException(
                    "debug: runs already (expected: not yet, since its network is made for it)");
        }
        int own = port == 0 && !production.getExposedPorts().isEmpty()
                ? production.getExposedPorts().get(0)
                : port;
        if (own == 0) {
            throw new IllegalStateException("production: no exposed port (expected: one, or port(…))");
        }
        Path kept = folder == null ? ReportFolder.fresh() : ReportFolder.at(folder);
        containers = new EnvironmentContainers(kept, image, patience);
        try {
            containers.start(production, debug, own, upstreams, protocol, noiseRules, settings);
            return this;
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** Where clients find the service: {@code http://host:port}. */
    public URI uri() {
        return started().uri();
    }

    /** The control ports. */
    public UnderstudyClient client() {
        return started().client();
    }

    /** Where logs and the report are. */
    public Path folder() {
        return started().folder();
    }

    /** {@link #check(Set)} with all rules. */
    public void check() {
        check(EnumSet.allOf(FailureRule.class));
    }

    /**
     * Waits until debug has answered all that production has, and looks at what is new since the last check. {@link
     * FailureRule#REACHED} can't be broken here.
     *
     * @throws AssertionError if something of it breaks a rule; with each place and both values, and the logs' names
     */
    public void check(Set<FailureRule> rules) {
        FailureText.require(
                "debug doesn't do what production does",
                started().problems(rules),
                started().logs());
    }

    /** Writes the report, and stops what {@link #start} has started. */
    @Override
    public synchronized void close() {
        if (containers != null && !isClosed) {
            containers.close();
        }
        isClosed = true;
    }

    private synchronized EnvironmentContainers started() {
        if (containers == null || isClosed) {
            throw new IllegalStateException("environment: not running (expected: started, and not closed)");
        }
        return containers;
    }
}
