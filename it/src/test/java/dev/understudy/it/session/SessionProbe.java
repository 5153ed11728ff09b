package dev.understudy.it.session;

import dev.understudy.it.stage.Child;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a user sees of a debug session: its lines, its control ports, the service, and what it leaves. */
final class SessionProbe {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern SESSION = Pattern.compile("session ([0-9a-f]{8})");
    private static final Pattern ENVIRONMENT = Pattern.compile("for other commands: \\. (\\S+)");
    private static final Pattern LIVE = Pattern.compile("\\d+ exchanges  (\\d+) SAME  (\\d+) EQUIVALENT ");

    private SessionProbe() {}

    static List<String> line(String... options) {
        return Stream.concat(Stream.of("./understudy", "debug"), Stream.of(options))
                .toList();
    }

    static String awaitLive(Child session) {
        await("the session")
                .atMost(PATIENCE)
                .until(() -> session.output().contains("for other commands: ")
                        || !session.process().isAlive());
        assertThat(session.process().isAlive()).as(session.output()).isTrue();
        Matcher id = SESSION.matcher(session.output());
        assertThat(id.find()).as(session.output()).isTrue();
        return id.group(1);
    }

    /** What the control port of the session's sidecar answers. */
    static String control(Child session, String path) throws IOException {
        return port(session, "CONTROL", path);
    }

    /** What the control port of its aggregator answers. */
    static String aggregator(Child session, String path) throws IOException {
        return port(session, "AGGREGATOR", path);
    }

    private static String port(Child session, String which, String path) throws IOException {
        Matcher environment = ENVIRONMENT.matcher(session.output());
        assertThat(environment.find()).as(session.output()).isTrue();
        return output(
                "sh",
                "-c",
                ". %1$s; curl -sS -H \"Authorization: Bearer $UNDERSTUDY_%2$s_TOKEN\" \"$UNDERSTUDY_%2$s_URL%3$s\""
                        .formatted(environment.group(1), which, path));
    }

    /** How many replies the last line counts as the same. */
    static long compared(Child session) {
        Matcher lines = LIVE.matcher(session.output());
        long last = 0;
        while (lines.find()) {
            last = Long.parseLong(lines.group(1)) + Long.parseLong(lines.group(2));
        }
        return last;
    }

    static void assertNothingIsLeft(String id) throws Exception {
        assertThat(output("iptables-save")).doesNotContain(id);
        assertThat(output("ip", "netns", "list")).doesNotContain(id);
        assertThat(output("ip", "link")).doesNotContain(id);
        assertThat(Path.of("/run/understudy", id)).doesNotExist();
        assertThat(Path.of("/dev/shm/understudy-" + id)).doesNotExist();
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains("understudy-" + id)))
                .isEmpty();
    }

    static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    static String ask(int port, String path) throws IOException {
        return ask("127.0.0.1", port, path);
    }

    /** Over a connection of its own, as a new client: Java's own would keep it, and begin on it once more. */
    static String ask(String host, int port, String path) throws IOException {
        try (Socket client = new Socket(host, port)) {
            client.setSoTimeout((int) PATIENCE.toMillis());
            String request = "GET " + path + " HTTP/1.1\r\nHost: till\r\nConnection: close\r\n\r\n";
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String reply = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(reply).startsWith("HTTP/1.1 200 ");
            return reply.substring(reply.indexOf("\r\n\r\n")).strip();
        }
    }
}
