package dev.understudy.session.clone.container;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.session.clone.CloneException;
import dev.understudy.session.host.HostCommand;
import dev.understudy.session.target.ContainerFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A running container as its low-level runtime knows it, runc or crun. Engines such as Docker and Podman start theirs
 * by one of these.
 *
 * @param program the runtime
 * @param bundle where its specification is
 * @param rootfs its root file system on this machine, as it is now
 * @param pid its first process, as this machine counts
 */
public record RuntimeContainer(String program, Path bundle, Path rootfs, long pid) {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Where engines of root have the states of their containers. */
    private static final List<Map.Entry<String, String>> PLACES = List.of(
            Map.entry("runc", "/run/docker/runtime-runc/moby"),
            Map.entry("runc", "/run/containerd/runc/moby"),
            Map.entry("runc", "/run/runc"),
            Map.entry("crun", "/run/docker/runtime-crun/moby"),
            Map.entry("crun", "/run/crun"));

    /**
     * Finds the container.
     *
     * @throws CloneException if no runtime knows it, or its files can't be seen from here; with the way out
     */
    public static RuntimeContainer find(ContainerFacts container) throws CloneException, InterruptedException {
        for (Map.Entry<String, String> place : PLACES) {
            if (Files.isDirectory(Path.of(place.getValue(), container.id()))) {
                return of(place.getKey(), place.getValue(), container);
            }
        }
        throw new CloneException("no runc or crun of this machine's root has container " + container.name()
                + " (expected: Docker or Podman of root with one of these); start the service by the session:"
                + " understudy debug -- COMMAND");
    }

    private static RuntimeContainer of(String program, String root, ContainerFacts container)
            throws CloneException, InterruptedException {
        try {
            HostCommand.Result state =
                    HostCommand.run(LIMIT, List.of(program, "--root", root, "state", container.id()));
            if (!state.isFine()) {
                throw new CloneException(program + " state: " + state.lastLine() + "; run this as root");
            }
            RuntimeContainer found = parse(program, state.output());
            if (found.pid != container.pid()) {
                throw new CloneException("container " + container.name() + " was started anew: choose it once more");
            }
            found.requireVisibleFiles();
            return found;
        } catch (IOException missing) {
            throw new CloneException(
                    program + ": not found; it is what the container runs by: put it on the PATH", missing);
        }
    }

    /** Reads what a runtime prints of a container. */
    static RuntimeContainer parse(String program, String state) throws CloneException {
        try {
            JsonNode json = new ObjectMapper().readTree(state.substring(Math.max(0, state.indexOf('{'))));
            String bundle = json.path("bundle").asText();
            String rootfs = json.path("rootfs").asText();
            long pid = json.path("pid").asLong();
            if (!bundle.startsWith("/") || !rootfs.startsWith("/") || pid <= 0) {
                throw new CloneException(
                        program + " state: no bundle, rootfs or pid (expected: runc 1.0, crun 1.0 or" + " later)");
            }
            return new RuntimeContainer(program, Path.of(bundle), Path.of(rootfs), pid);
        } catch (JsonProcessingException | InvalidPathException damaged) {
            throw new CloneException(program + " state: " + firstLine(damaged) + " (expected: its JSON)", damaged);
        }
    }

    private static String firstLine(Exception damaged) {
        return String.valueOf(damaged.getMessage()).lines().findFirst().orElse("nothing");
    }

    /** An engine may have mounted them where this process doesn't see them. */
    private void requireVisibleFiles() throws CloneException {
        try {
            Path own = Path.of("/proc", Long.toString(pid), "root");
            if (Files.getAttribute(rootfs, "unix:ino").equals(Files.getAttribute(own, "unix:ino"))
                    && Files.getAttribute(rootfs, "unix:dev").equals(Files.getAttribute(own, "unix:dev"))) {
                return;
            }
        } catch (IOException unseen) {
            throw new CloneException(rootfs + ": can't be seen from here; run this as root, outside of containers");
        }
        throw new CloneException(rootfs + " isn't the container's root directory here: its engine mounted it in a"
                + " place of its own (systemd's PrivateMounts=); run this where the engine runs");
    }
}
