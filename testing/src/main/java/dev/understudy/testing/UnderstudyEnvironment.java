package dev.understudy.testing;

import dev.understudy.testing.client.UnderstudyClient;
import dev.understudy.testing.process.TestedCommand;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A service, another build of it beside it, and an understudy between them and a test.
 *
 * <pre>{@code
 * try (UnderstudyEnvironment environment = new UnderstudyEnvironment()
 *         .upstream("rates=http://127.0.0.1:8090")
 *         .production("released.jar", "--server.port=0", "--rates=http://${rates}")
 *         .debug("patched.jar", "--server.port=0", "--rates=http://${rates}")
 *         .start()) {
 *     get(environment.uri().resolve("/prices/7"));
 *     environment.check();
 * }
 * }</pre>
 *
 * <p>Everything runs in processes of its own, on ports that the kernel chose. Settings are made before {@link #start}.
 * The methods after it are safe for any thread.
 */
public final class UnderstudyEnvironment implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("(?i)\\bport\\b(?:\\(s\\))?[ =:]*(\\d{1,5})");

    private enum State {
        NEW,
        STARTED,
        CLOSED
    }

    private final List<UpstreamServer> upstreams = new ArrayList<>();
    private final List<String> settings = new ArrayList<>();
    private @Nullable TestedCommand production;
    private @Nullable TestedCommand debug;
    private String protocol = "http";
    private Pattern port = PORT;
    private @Nullable Path noiseRules;
    private @Nullable Path folder;
    private Duration patience = Duration.ofSeconds(60);
    private State state = State.NEW;
    private @Nullable EnvironmentProcesses processes;

    /**
     * The service as it is.
     *
     * @param words as in {@link TestedCommand}: {@code "service.jar", "--port=0"}, or {@code "127.0.0.1:8081"}
     */
    public UnderstudyEnvironment production(String... words) {
        production = new TestedCommand(List.of(words));
        return this;
    }

    /** The other build of it; the words are as with {@link #production}. */
    public UnderstudyEnvironment debug(String... words) {
        debug = new TestedCommand(List.of(words));
        return this;
    }

    /**
     * A server that the service calls.
     *
     * @param upstream such as {@code orders=postgres://127.0.0.1:5432}
     */
    public UnderstudyEnvironment upstream(String upstream) {
        return upstream(UpstreamServer.parse(upstream));
    }

    /** The same, in its parts. */
    public UnderstudyEnvironment upstream(UpstreamServer upstream) {
        upstreams.add(upstream);
        return this;
    }

    /** What the service speaks: {@code http}, which is usual, {@code redis}, {@code postgres} or {@code tcp}. */
    public UnderstudyEnvironment protocol(String protocol) {
        this.protocol = protocol;
        return this;
    }

    /**
     * Where a service's port stands in its output.
     *
     * @param port finds it as its first group; usual is the number after the word "port"
     */
    public UnderstudyEnvironment port(Pattern port) {
        this.port = port;
        return this;
    }

    /** A file of tolerated differences, as {@code understudy noise export} writes it. */
    public UnderstudyEnvironment noiseRules(Path noiseRules) {
        this.noiseRules = noiseRules;
        return this;
    }

    /** A further setting of the sidecar, such as {@code comparison.max-body=8MiB}. */
    public UnderstudyEnvironment setting(String setting) {
        settings.add(setting);
        return this;
    }

    /** Where logs, settings and the report are kept; a folder below {@code target/understudy} if it isn't set. */
    public UnderstudyEnvironment folder(Path folder) {
        this.folder = folder;
        return this;
    }

    /** How long a program may take to start, and debug to answer what production has answered; usually a minute. */
    public UnderstudyEnvironment patience(Duration patience) {
        this.patience = patience;
        return this;
    }

    /**
     * Starts all of it, and waits until it is ready.
     *
     * @throws IllegalStateException if a program doesn't start; the message has the end of its output
     */
    public synchronized UnderstudyEnvironment start() {
        if (state != State.NEW) {
            throw new IllegalStateException("environment: " + state + " (expected: NEW)");
        }
        if (production == null || debug == null) {
            throw new IllegalStateException("environment: no production or no debug (expected: both)");
        }
        state = State.STARTED;
        Path own = folder == null ? ReportFolder.fresh() : ReportFolder.at(folder);
        processes = new EnvironmentProcesses(own, port, patience);
        try {
            processes.start(
                    production,
                    debug,
                    upstreams,
                    new SidecarSettings(protocol, "127.0.0.1:0", "127.0.0.1:0", rules()),
                    settings);
            return this;
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** Where clients find the service. */
    public InetSocketAddress address() {
        return started().address();
    }

    /** The same as {@code http://host:port}. */
    public URI uri() {
        return URI.create(
                "http://" + address().getHostString() + ":" + address().getPort());
    }

    /** The control ports. */
    public UnderstudyClient client() {
        return started().client();
    }

    /** Where logs, settings and the report are. */
    public Path folder() {
        return started().folder();
    }

    /** {@link #check(Set)} with all rules. */
    public void check() {
        check(EnumSet.allOf(FailureRule.class));
    }

    /**
     * Waits until debug has answered all that production has, and looks at what is new since the last check.
     *
     * @throws AssertionError if something of it breaks a rule; with each place and both values, and the logs' names
     */
    public void check(Set<FailureRule> rules) {
        FailureText.require(
                "debug doesn't do what production does",
                started().problems(rules),
                started().logs());
    }

    /** Writes the report and ends all processes. Does nothing if it was closed, or not started. */
    @Override
    public synchronized void close() {
        if (state == State.STARTED && processes != null) {
            processes.close();
        }
        state = State.CLOSED;
    }

    private @Nullable Path rules() {
        return noiseRules == null ? null : SidecarSettings.readable(noiseRules);
    }

    private synchronized EnvironmentProcesses started() {
        if (state != State.STARTED || processes == null) {
            throw new IllegalStateException("environment: " + state + " (expected: STARTED)");
        }
        return processes;
    }
}
