package dev.understudy.session.ledger;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Removes containers, images and networks of container engines that have the session's label, and no others. */
final class EngineRemoval {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Set<String> ENGINES = Set.of("docker", "podman");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:/-]*");

    private final String session;

    EngineRemoval(String session) {
        this.session = session;
    }

    /** Removes one thing, unless it isn't there. */
    void remove(Kind kind, String engine, String name) throws IOException, RemovalException, InterruptedException {
        if (!ENGINES.contains(engine) || !NAME.matcher(name).matches()) {
            throw RemovalException.foreign("its entry has " + engine + " " + name
                    + " (expected: docker or podman, and a name): it was damaged");
        }
        String type = kind.name().toLowerCase(Locale.ROOT);
        String labels = kind == Kind.NETWORK ? ".Labels" : ".Config.Labels";
        HostCommand.Result label = HostCommand.run(
                LIMIT,
                List.of(
                        engine,
                        type,
                        "inspect",
                        "--format",
                        "{{index " + labels + " \"" + Removals.LABEL + "\"}}",
                        name));
        if (!label.isFine()) {
            String reason = label.output().toLowerCase(Locale.ROOT);
            if (reason.contains("no such") || reason.contains("not found") || reason.contains("not known")) {
                return;
            }
            throw new RemovalException(engine + ": " + label.lastLine());
        }
        if (!label.lastLine().equals(session)) {
            throw RemovalException.foreign("its label " + Removals.LABEL + " is \"" + label.lastLine()
                    + "\" (expected: " + session + "): it isn't this session's");
        }
        List<String> command = new ArrayList<>(List.of(engine, type, "rm"));
        if (kind != Kind.NETWORK) {
            command.add("--force");
        }
        command.add(name);
        HostCommand.Result removed = HostCommand.run(LIMIT, command);
        if (!removed.isFine()) {
            throw new RemovalException(engine + ": " + removed.lastLine());
        }
    }
}
