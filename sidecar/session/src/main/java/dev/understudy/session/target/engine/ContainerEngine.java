package dev.understudy.session.target.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.host.HostCommand;
import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One container engine's command line. It prints only what is needed: no container's environment passes through here.
 * May wait some seconds for the program. For any thread.
 */
final class ContainerEngine {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int MOST_CONTAINERS = 100;
    private static final String SERVICE = "com.docker.compose.service";
    private static final String PROJECT = "com.docker.compose.project";
    private static final String FACTS = "{\"id\":{{json .Id}},\"name\":{{json .Name}},\"image\":{{json .Config.Image}},"
            + "\"pid\":{{json .State.Pid}},\"status\":{{json .State.Status}},"
            + "\"network\":{{json .HostConfig.NetworkMode}},"
            + "\"service\":{{json (index .Config.Labels \"" + SERVICE + "\")}},"
            + "\"project\":{{json (index .Config.Labels \"" + PROJECT + "\")}}}";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String program;

    /** @param program such as docker or podman */
    ContainerEngine(String program) {
        this.program = program;
    }

    String program() {
        return program;
    }

    /**
     * A container and its state.
     *
     * @param status such as running, paused or exited
     */
    record Found(ContainerFacts facts, String status) {}

    /**
     * Finds containers by names or ids; empty if there is none of that name.
     *
     * @throws IOException if there is no such program
     * @throws TargetException if the engine doesn't answer
     */
    List<Found> inspect(List<String> names) throws IOException, TargetException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program, "container", "inspect", "--format", FACTS));
        command.addAll(names.subList(0, Math.min(names.size(), MOST_CONTAINERS)));
        HostCommand.Result result = HostCommand.run(LIMIT, command);
        if (!result.isFine()) {
            String problem = result.lastLine();
            if (problem.toLowerCase(Locale.ROOT).matches(".*no such (container|object).*")) {
                return List.of();
            }
            throw unusable(result);
        }
        List<Found> found = new ArrayList<>();
        for (String line : result.output().lines().limit(2L * MOST_CONTAINERS).toList()) {
            if (line.startsWith("{")) {
                found.add(parse(program, line)
                        .orElseThrow(() -> new TargetException(program + " container inspect: no id, name or pid"
                                + " (expected: Docker 20.10, Podman 4 or newer)")));
            }
        }
        return found;
    }

    /** The ids of all containers of a compose service, running or not. */
    List<String> service(String service) throws IOException, TargetException, InterruptedException {
        HostCommand.Result result = HostCommand.run(
                LIMIT,
                List.of(
                        program,
                        "ps",
                        "--all",
                        "--no-trunc",
                        "--filter",
                        "label=" + SERVICE + "=" + service,
                        "--format",
                        "{{.ID}}"));
        if (!result.isFine()) {
            throw unusable(result);
        }
        return result.output()
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("[0-9a-f]{64}"))
                .limit(MOST_CONTAINERS)
                .toList();
    }

    private TargetException unusable(HostCommand.Result result) {
        String why = result.code() < 0 ? "no reply within " + LIMIT.toSeconds() + " s" : result.lastLine();
        return new TargetException(program + " can't be used: " + why.substring(0, Math.min(why.length(), 300))
                + " (expected: an engine that runs, and the right to use it: its group, or root)");
    }

    /** Reads a line of facts; empty if what names a container isn't in it. */
    static Optional<Found> parse(String program, String line) {
        try {
            JsonNode json = JSON.readTree(line);
            String id = text(json, "id");
            String name = text(json, "name");
            JsonNode pid = json.path("pid");
            if (!id.matches("[0-9a-f]{64}") || name.isEmpty() || !pid.canConvertToLong()) {
                return Optional.empty();
            }
            return Optional.of(new Found(
                    new ContainerFacts(
                            program,
                            id,
                            name.startsWith("/") ? name.substring(1) : name,
                            text(json, "image"),
                            pid.longValue(),
                            text(json, "network"),
                            text(json, "service"),
                            text(json, "project")),
                    text(json, "status")));
        } catch (JsonProcessingException noJson) {
            return Optional.empty();
        }
    }

    private static String text(JsonNode json, String name) {
        String text = json.path(name).isTextual() ? json.path(name).textValue() : "";
        return text.substring(0, Math.min(text.length(), 300));
    }
}
