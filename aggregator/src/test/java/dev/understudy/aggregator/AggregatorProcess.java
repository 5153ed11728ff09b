package dev.understudy.aggregator;

import dev.understudy.aggregator.command.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** A real aggregator in a process of its own, or in two, with one upstream. */
final class AggregatorProcess implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final String production;
    final String debug;
    private final String control;
    private final Path log;
    private final Process process;
    private final BufferedReader output;

    private AggregatorProcess(Path folder, String settings, String carrier, String... flags) throws IOException {
        Path config = Files.writeString(folder.resolve("aggregator.yaml"), settings);
        log = folder.resolve("log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--config",
                config.toString(),
                "--set",
                "tap.carrier=" + carrier));
        process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        output = process.inputReader(StandardCharsets.UTF_8);
        String ready = output.readLine();
        Matcher matcher = Pattern.compile("production=(\\S+) debug=(\\S+), control=(\\S+)")
                .matcher(String.valueOf(ready));
        assertThat(matcher.find()).as("%s%n%s", ready, log()).isTrue();
        production = matcher.group(1);
        debug = matcher.group(2);
        control = matcher.group(3);
    }

    /** With these settings, of one upstream, and these flags of its JVM. */
    static AggregatorProcess with(Path folder, String settings, String... flags) throws IOException {
        return new AggregatorProcess(folder, settings, "inline", flags);
    }

    /** With these settings, of one upstream, in two processes. */
    static AggregatorProcess inTwo(Path folder, String settings) throws IOException {
        return new AggregatorProcess(folder, settings, "ring", "-XX:TieredStopAtLevel=1", "-Xmx64m");
    }

    /** With a small journal on disk in {@code folder}, which is found there by the next one. */
    static AggregatorProcess start(Path folder, String protocol, int upstreamPort) throws IOException {
        String settings = """
                upstreams:
                  - name: prices/eu
                    protocol: %s
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:%d }
                    debug: { listen: 127.0.0.1:0 }
                    wait: 30s
                    calls: [{ form: '*', wait: 1ms }]
                journal: { memory: 2MiB, disk-directory: %s, disk: 64MiB }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                """.formatted(protocol, upstreamPort, folder.resolve("journals"));
        return new AggregatorProcess(folder, settings, "inline", "-XX:TieredStopAtLevel=1");
    }

    String status() throws Exception {
        return get("/v1/status");
    }

    String get(String path) throws Exception {
        URI uri = URI.create("http://" + control + path);
        return CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    void post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + control + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> reply = CLIENT.send(request, BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    }

    /** The first number of this name in its status. */
    long number(String name) throws Exception {
        return number(status(), name);
    }

    /** Exchanges that nobody has taken, and that are on disk. */
    long onDisk() throws Exception {
        return number(status().replaceAll("(?s).*\"disk\"", ""), "unused");
    }

    static long number(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
        assertThat(matcher.find()).as("%s in %s", name, json).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    /** Bytes of memory of the whole process. */
    long resident() throws IOException {
        String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
        Matcher matcher = Pattern.compile("VmRSS:\\s+(\\d+) kB").matcher(status);
        assertThat(matcher.find()).as(status).isTrue();
        return Long.parseLong(matcher.group(1)) << 10;
    }

    /** The recorder process, unless there is none just now. */
    Optional<ProcessHandle> recorder() {
        return process.toHandle().children().findFirst();
    }

    /** Sends the recorder process a signal; says which process that was. */
    long signalRecorder(String name) throws IOException, InterruptedException {
        long recorder = recorder().orElseThrow().pid();
        signal(name, recorder);
        return recorder;
    }

    static void signal(String name, long pid) throws IOException, InterruptedException {
        List<String> command = List.of("kill", "-" + name, Long.toString(pid));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    /** What it prints from now on, once it has ended. */
    List<String> lastLines() {
        return output.lines().toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    void stop() throws InterruptedException {
        process.toHandle().destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        output.close();
    }
}
