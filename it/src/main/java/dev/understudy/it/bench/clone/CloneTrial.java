package dev.understudy.it.bench.clone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A service with so much state, clients that never stop asking it, and a debug session in the midst of that.
 *
 * @param understudy the command
 * @param megabytes of the service's live heap
 * @param writes megabytes a second that the service writes to disk
 * @param exchanges that are to have a verdict at least
 */
public record CloneTrial(Path understudy, int megabytes, int writes, long exchanges) {
    private static final int CLIENTS = 4;

    /** Few enough requests that a copy of little weight keeps up on two cores. */
    private static final long PAUSE_MILLIS = 5;

    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Runs it. */
    Cloned run(Path folder) throws IOException, InterruptedException {
        int port = FreePorts.next();
        try (Tool service = start(Files.createDirectories(folder.resolve("service")), port);
                Clients clients = new Clients(port, CLIENTS, PAUSE_MILLIS)) {
            LockSupport.parkNanos(WARM_UP_NANOS);
            clients.longestSeconds();
            try (DebugRun run = new DebugRun(
                    understudy,
                    Files.createDirectories(folder.resolve("session")),
                    service.handle().pid(),
                    port)) {
                double live = run.awaitLive();
                double waited = clients.longestSeconds();
                double compared = run.awaitVerdicts(1);
                run.awaitVerdicts(exchanges);
                JsonNode verdicts = run.verdicts();
                return new Cloned(
                        run.suspensionSeconds(),
                        waited,
                        run.imageMebibytes(),
                        live,
                        compared,
                        clients.asked(),
                        clients.failed(),
                        verdicts.path("SAME").asLong()
                                + verdicts.path("EQUIVALENT").asLong(),
                        verdicts.path("DIFFERENT").asLong(),
                        verdicts.path("NOT_COMPARED").asLong());
            }
        }
    }

    private static String classes() {
        return StatefulServer.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
    }

    /** As what starts services does: in a session of its own. */
    private Tool start(Path folder, int port) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "setsid",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-Xmx" + (megabytes + megabytes / 2 + 64) + "m", "-XX:+UseSerialGC"));
        command.addAll(List.of("-Dsun.net.httpserver.nodelay=true", "-cp", classes()));
        command.addAll(List.of(
                StatefulServer.class.getName(), "" + port, Integer.toString(megabytes), Integer.toString(writes)));
        return Tool.start(folder, command).awaitPort(port);
    }
}
