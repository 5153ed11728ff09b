package dev.understudy.sidecar.command;

import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A turn of bytes that belong to no exchange, by what {@code suspects} says of it. */
@Timeout(120)
final class ReplayTurnTest {
    private static final int ROUNDS = 12;

    @TempDir
    Path folder;

    @Test
    void theExampleOfASuspect_isReplayedUpToItsTurn() throws Exception {
        String printed;
        AtomicInteger debugPort = new AtomicInteger();
        Queue<String> told = new ConcurrentLinkedQueue<>();
        try (ServerSocket production = lines(new ConcurrentLinkedQueue<>(), new AtomicInteger(), line -> line + " ok");
                ServerSocket debug = lines(told, debugPort, line -> line + (line.startsWith("odd") ? " no" : " ok"));
                Sidecar sidecar = sidecar(production, debug)) {
            String control = "http://127.0.0.1:" + sidecar.controlAddress().getPort();
            Ran.run("record", "start", "lines", "--url", control);
            int port = sidecar.addresses().values().iterator().next().getPort();
            for (List<String> words : List.of(List.of("calm "), List.of("even ", "odd "))) {
                int said = 0;
                try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    for (int n = 0; n < words.size() * ROUNDS; n++) {
                        String line = words.get(n % words.size()) + (1 + n / words.size());
                        ask(client, line + "\n", line + " ok\n");
                        await().until(() -> told.contains(line));
                        int to = said + line.length() + 1;
                        observed(control, debugPort.get(), said, to, line.startsWith("odd") ? "16" : "");
                        said = to;
                    }
                }
            }
            await().untilAsserted(() ->
                    assertThat(Ran.run("suspects", "--url", control)).asString().contains("A#b"));
            printed = Ran.run("suspects", "--url", control).out();
            Ran.run("record", "stop", "lines", "--url", control);
        }
        Matcher example = Pattern.compile("replay FILE (--connection \\d+ --exchange @\\S+) --to")
                .matcher(printed);
        assertThat(example.find()).as(printed).isTrue();
        String[] which = example.group(1).split(" ");

        Queue<String> again = new ConcurrentLinkedQueue<>();
        try (ServerSocket other = lines(again, new AtomicInteger(), line -> line + " ok")) {
            Ran same = replay(other, which);
            assertThat(same.code()).as(same.toString()).isZero();
            assertThat(again).last().asString().startsWith("odd ");
            int round = Integer.parseInt(
                    again.stream().reduce((a, b) -> b).orElseThrow().substring(4));
            assertThat(again).as("no further than that").hasSize(2 * round);
            assertThat(printed).contains("tcp odd, ");
            assertThat(Ran.run("inspect", recording(), "--requests").out())
                    .contains("  " + which[3] + "  odd, " + ("odd " + round + "\n").length() + " bytes\n");

            again.clear();
            Ran elsewhere = replay(other, which[0], which[1], "--exchange", "@1");
            assertThat(elsewhere.err()).contains("has no exchange @1 among its " + 2 * ROUNDS);
            Ran behind = replay(other, which[0], which[1], "--exchange", which[3] + "+1");
            assertThat(behind.err()).contains("has no exchange ");
            assertThat(again).as("nothing was sent").isEmpty();
        }
    }

    private Sidecar sidecar(ServerSocket production, ServerSocket debug) throws IOException {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: lines, listen: '127.0.0.1:0', protocol: tcp, production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}
                control: {listen: '127.0.0.1:0'}
                record: {directory: '%s'}
                drain: 100ms
                """.formatted(
                        production.getLocalPort(), debug.getLocalPort(), folder.resolve("recordings")));
        Problems problems = new Problems();
        return Sidecar.start(SidecarConfig.read(settings, new Overrides(Map.of(), List.of(), problems), problems));
    }

    private Ran replay(ServerSocket to, String... which) throws Exception {
        Stream<String> line =
                Stream.of("replay", recording(), "--speed", "max", "--to", "127.0.0.1:" + to.getLocalPort());
        return Ran.run(Stream.concat(line, Stream.of(which)).toArray(String[]::new));
    }

    private String recording() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("recordings"))) {
            return files.findFirst().orElseThrow().toString();
        }
    }

    private static void ask(Socket client, String what, String until) throws IOException {
        client.getOutputStream().write(what.getBytes(StandardCharsets.ISO_8859_1));
        StringBuilder reply = new StringBuilder();
        while (reply.indexOf(until) < 0) {
            int next = client.getInputStream().read();
            assertThat(next).as(reply.toString()).isNotNegative();
            reply.append((char) next);
        }
    }

    private static void observed(String control, int port, int from, int to, String held) throws Exception {
        String batch = "{\"name\":\"a\",\"run\":1,\"closed\":[],\"methods\":{\"1\":\"A#b\"},\"exchanges\":[{\"port\":"
                + port + ",\"from\":" + from + ",\"to\":" + to + ",\"whole\":true,\"held\":[" + held + "]}]}";
        HttpRequest post = HttpRequest.newBuilder(URI.create(control + "/v1/observations"))
                .POST(HttpRequest.BodyPublishers.ofString(batch))
                .build();
        HttpClient.newHttpClient().send(post, BodyHandlers.discarding());
    }

    /** Answers each line, one connection after the other. */
    private static ServerSocket lines(Queue<String> asked, AtomicInteger port, UnaryOperator<String> answers)
            throws IOException {
        ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept();
                        BufferedReader in = new BufferedReader(
                                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
                    port.set(socket.getPort());
                    for (String line = in.readLine(); line != null; line = in.readLine()) {
                        asked.add(line);
                        socket.getOutputStream().write((answers.apply(line) + "\n").getBytes(StandardCharsets.UTF_8));
                    }
                } catch (IOException closed) {
                    // the next one, or none
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }
}
