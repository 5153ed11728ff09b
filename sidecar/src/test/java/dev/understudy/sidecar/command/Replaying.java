package dev.understudy.sidecar.command;

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
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What tests of replaying single exchanges share: a server of lines, its client, an agent's word, and the file that was
 * recorded.
 */
final class Replaying {
    private Replaying() {}

    /**
     * Answers each line, one connection after the other.
     *
     * @param asked is given the lines
     * @param port is set to that of the client
     */
    static ServerSocket lines(Queue<String> asked, AtomicInteger port, UnaryOperator<String> answers)
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

    /** Says that, and waits for that. */
    static void ask(Socket client, String what, String until) throws IOException {
        client.getOutputStream().write(what.getBytes(StandardCharsets.ISO_8859_1));
        StringBuilder reply = new StringBuilder();
        while (reply.indexOf(until) < 0) {
            int next = client.getInputStream().read();
            assertThat(next).as(reply.toString()).isNotNegative();
            reply.append((char) next);
        }
    }

    /**
     * An agent tells of one exchange.
     *
     * @param which its span, or port and bytes, as fields of JSON
     * @param held the predicates that held in it, of which 16 is a call of {@code A#b}
     */
    static void observed(String control, String which, String held) throws IOException, InterruptedException {
        String batch = "{\"name\":\"a\",\"run\":1,\"closed\":[],\"methods\":{\"1\":\"A#b\"},\"exchanges\":[{" + which
                + ",\"whole\":true,\"held\":[" + held + "]}]}";
        HttpRequest post = HttpRequest.newBuilder(URI.create(control + "/v1/observations"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(batch))
                .build();
        HttpClient.newHttpClient().send(post, BodyHandlers.discarding());
    }

    /** The file that a sidecar has recorded in {@code folder}. */
    static Path recording(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("recordings"))) {
            return files.findFirst().orElseThrow();
        }
    }

    /** Replays a file as fast as it can be. */
    static Ran replay(Path file, String to, String... which) throws Exception {
        Stream<String> line = Stream.of("replay", file.toString(), "--speed", "max", "--to", to);
        return Ran.run(Stream.concat(line, Stream.of(which)).toArray(String[]::new));
    }
}
