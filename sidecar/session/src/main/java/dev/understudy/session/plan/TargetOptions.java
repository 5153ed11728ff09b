package dev.understudy.session.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that name what is debugged, as a mixin of a command. */
public final class TargetOptions {
    /** What the settings {@code protocol} of sidecar and aggregator can be. */
    static final Set<String> PROTOCOLS = Set.of("http", "mysql", "none", "postgres", "redis", "tcp");

    @ArgGroup(exclusive = true, multiplicity = "0..1", heading = "%nWhat is debugged: one of%n")
    private @Nullable Form form;

    @Option(
            names = "--protocol",
            paramLabel = "PORT=NAME",
            description =
                    "What is spoken at a port of the target, or of an upstream: http, postgres, mysql, redis or tcp; "
                            + "none leaves it alone. Without it, that is guessed.")
    private Map<Integer, String> protocols = new TreeMap<>();

    @Option(
            names = "--probe-upstreams",
            description = "Connects to each upstream at most three times to find out its protocol: waits for MySQL's"
                    + " greeting, sends PostgreSQL's SSLRequest, and Redis's PING. Without it, no upstream is connected"
                    + " to.")
    private boolean probesUpstreams;

    @Option(
            names = "--upstream",
            paramLabel = "HOST:PORT[=HOW]",
            description = "A server that the service connects to, and that nothing shows: of a running one whose pool"
                    + " is empty now, or of a command. Its calls are recorded, and answer the copy. URLs on a"
                    + " command's line needn't be named. HOW is replayed (default), or live: the copy's reads over"
                    + " http and redis reach the real server where nothing recorded fits.")
    private List<String> upstreams = new ArrayList<>();

    /** Exactly one of them. */
    static final class Form {
        @Option(names = "--pid", paramLabel = "PID", description = "A running JVM, by its process id on this machine.")
        @Nullable
        Long pid;

        @Option(
                names = "--container",
                paramLabel = "NAME",
                description =
                        "A running container of Docker or Podman. Its copy has the same runtime, in another network.")
        @Nullable
        String container;

        @Option(
                names = "--compose",
                paramLabel = "SERVICE",
                description = "The only running container of a compose service, likewise.")
        @Nullable
        String compose;

        @Parameters(
                paramLabel = "COMMAND",
                arity = "1..*",
                description =
                        "A command that starts a JVM, behind --: the service and its copy are both started by it. It"
                                + " ends with the session.")
        @Nullable
        List<String> command;
    }

    /** The process; null if something else names the target. */
    @Nullable
    Long pid() {
        return form == null ? null : form.pid;
    }

    /** The container; null if something else names the target. */
    @Nullable
    String container() {
        return form == null ? null : form.container;
    }

    /** The compose service; null if something else names the target. */
    @Nullable
    String compose() {
        return form == null ? null : form.compose;
    }

    /** The command to start; empty if something else names the target. */
    List<String> command() {
        return form == null || form.command == null ? List.of() : form.command;
    }

    /** Protocols that were chosen, by port. */
    public Map<Integer, String> protocols() {
        return protocols;
    }

    List<String> upstreams() {
        return upstreams;
    }

    boolean probesUpstreams() {
        return probesUpstreams;
    }
}
