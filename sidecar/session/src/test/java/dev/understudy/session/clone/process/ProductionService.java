package dev.understudy.session.clone.process;

import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.host.HostCommand;
import dev.understudy.session.target.TargetProcess;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A running {@link StatefulService}, which is production in a test. */
final class ProductionService implements AutoCloseable {
    final Path folder;
    final int port;
    final Process process;
    final TargetProcess target;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private ProductionService(Path folder, int port, Process process, List<String> command) {
        this.folder = folder;
        this.port = port;
        this.process = process;
        Map<String, String> status = ProcFile.values(ProcFile.of(process.pid(), "status"));
        target = new TargetProcess(
                process.pid(),
                ProcFile.startTicks(process.pid()),
                (int) ProcFile.number(status.get("Uid")),
                (int) ProcFile.number(status.get("Gid")),
                command,
                folder);
    }

    /** Starts one as a service is: a session of its own, no terminal. */
    static ProductionService start(Path folder, int megabytes, String... prefix) throws Exception {
        List<String> words = new ArrayList<>(List.of(prefix));
        if (!words.contains("setsid")) {
            words.add(0, "setsid");
        }
        return start(folder, megabytes, words, true);
    }

    static ProductionService start(Path folder, int megabytes, List<String> prefix, boolean toFile) throws Exception {
        Files.createDirectories(folder);
        Path classes = folder.resolve("classes");
        copyClasses(classes);
        int port = freePort();
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx" + (megabytes * 2 + 64) + "m", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-Dsun.net.httpserver.nodelay=true", "-cp", classes.toString()));
        command.addAll(List.of(StatefulService.class.getName(), "" + port, folder.toString(), "" + megabytes));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectInput(new File("/dev/null"));
        if (toFile) {
            builder.redirectOutput(folder.resolve("out").toFile());
        }
        Process process = builder.start();
        for (int i = 0; i < 1500 && !Files.exists(folder.resolve("ready")); i++) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new IOException("production didn't start: " + Files.readString(folder.resolve("out")));
            }
        }
        return new ProductionService(folder, port, process, command);
    }

    /** Classes where any user may read them. */
    private static void copyClasses(Path classes) throws Exception {
        Path from = Path.of(StatefulService.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path folder = Path.of(StatefulService.class.getPackageName().replace('.', '/'));
        Files.createDirectories(classes.resolve(folder));
        try (var files = Files.newDirectoryStream(from.resolve(folder), "StatefulService*.class")) {
            for (Path file : files) {
                Files.copy(
                        file, classes.resolve(folder).resolve(file.getFileName().toString()));
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The service, where something else was started that started it. */
    TargetProcess child() {
        long pid = process.children().findFirst().orElseThrow().pid();
        return new TargetProcess(
                pid, ProcFile.startTicks(pid), target.uid(), target.gid(), target.command(), target.workingDirectory());
    }

    /** Reads what it prints, as a supervisor does. */
    void drain() {
        Thread reader = new Thread(() -> {
            try {
                process.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
            } catch (IOException ended) {
                // with production
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    /** Requests it from this machine's network; the connection stays open. */
    String get(String path) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        HttpResponse.BodyHandlers.ofString(UTF_8))
                .body();
    }

    /** Requests what listens at its port in another network. */
    String getIn(String namespace, String path) throws Exception {
        HostCommand.Result result = HostCommand.run(
                Duration.ofSeconds(40),
                List.of(
                        "nsenter",
                        "--net=/run/netns/" + namespace,
                        "curl",
                        "-sS",
                        "--retry",
                        "20",
                        "--retry-delay",
                        "1",
                        "--retry-connrefused",
                        "-m",
                        "30",
                        "http://127.0.0.1:" + port + path));
        assertThat(result.isFine()).as(result.output()).isTrue();
        return result.output();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }
}
