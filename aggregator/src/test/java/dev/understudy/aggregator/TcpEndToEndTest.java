package dev.understudy.aggregator;

import dev.understudy.relay.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Protocols that nobody here knows, over real sockets. */
class TcpEndToEndTest {

    @Test
    void mailServer_isPlayedToTheDebugSideAndAskedByProductionOnly() throws Exception {
        try (MailServer server = new MailServer();
                Aggregator aggregator = TestAggregator.open("tcp", server.port(), "wait: 30s")) {
            List<String> real = mail(aggregator.productionAddress("test"), "bob");
            List<String> copied = mail((InetSocketAddress) aggregator.debugAddress("test"), "bob");

            assertThat(copied).isEqualTo(real).contains("250 mail 1 for bob", "221 bye", "end");
            assertThat(server.connections.get()).isEqualTo(1);
            assertThat(TestAggregator.status(aggregator))
                    .contains("\"protocol\":\"tcp\"", "\"replayed\":4", "\"missed\":0", "\"unframed\":{}");
        }
    }

    @Test
    void debugThatSaysSomethingElse_isResetAndReported() throws Exception {
        try (MailServer server = new MailServer();
                Aggregator aggregator = TestAggregator.open("tcp", server.port(), "wait: 30s")) {
            mail(aggregator.productionAddress("test"), "bob");
            List<String> copied = mail((InetSocketAddress) aggregator.debugAddress("test"), "eve");

            assertThat(copied).containsExactly("220 ready", "250 hello", "reset");
            assertThat(TestAggregator.get(aggregator, "/v1/misses"))
                    .contains("connection 1, byte 9", "sent 0x65, production 0x62");
        }
    }

    @Test
    void byCount_playsOnAndCountsGuesses() throws Exception {
        try (MailServer server = new MailServer();
                Aggregator aggregator = TestAggregator.open("tcp", server.port(), "wait: 30s", "mismatch: by-count")) {
            mail(aggregator.productionAddress("test"), "bob");
            List<String> copied = mail((InetSocketAddress) aggregator.debugAddress("test"), "eve");

            assertThat(copied).containsExactly("220 ready", "250 hello", "250 mail 1 for bob", "221 bye", "end");
            assertThat(TestAggregator.status(aggregator)).contains("\"missed\":1", "\"ambiguous\":2");
        }
    }

    @Test
    void debugSideThatIsFirst_waitsForProductionAndForTheSameConnection() throws Exception {
        try (MailServer server = new MailServer();
                Aggregator aggregator = TestAggregator.open("tcp", server.port(), "wait: 30s")) {
            CompletableFuture<List<String>> early = CompletableFuture.supplyAsync(
                    () -> mailOrThrow((InetSocketAddress) aggregator.debugAddress("test"), "bob"));
            Eventually.await(() -> TestAggregator.status(aggregator).contains("\"connections\":1,\"open\":1"));
            List<String> real = mail(aggregator.productionAddress("test"), "bob");

            assertThat(early.get()).isEqualTo(real);
        }
    }

    @Test
    void connectionWithoutATwin_isResetAndCounted() throws Exception {
        try (MailServer server = new MailServer();
                Aggregator aggregator = TestAggregator.open("tcp", server.port(), "wait: 10ms")) {
            assertThat(mail((InetSocketAddress) aggregator.debugAddress("test"), "bob"))
                    .containsExactly("reset");
            assertThat(TestAggregator.get(aggregator, "/v1/misses")).contains("hasn't opened as many connections");
            assertThat(server.connections.get()).isZero();
        }
    }

    @Test
    @Tag("process")
    void memcached_isPlayed() throws Exception {
        int port = Ports.free();
        boolean there = Files.isExecutable(Path.of("/usr/bin/memcached"));
        assumeThat(there || "required".equals(System.getProperty("understudy.programs")))
                .as("memcached is installed")
                .isTrue();
        Process memcached = new ProcessBuilder(
                        "memcached", "-u", "root", "-l", "127.0.0.1", "-p", Integer.toString(port), "-U", "0")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (Aggregator aggregator = TestAggregator.open("tcp", port, "wait: 30s")) {
            Eventually.await(() -> accepts(port));
            List<String> real = cache(aggregator.productionAddress("test"));
            List<String> copied;
            try {
                copied = cache((InetSocketAddress) aggregator.debugAddress("test"));
            } catch (IOException e) {
                throw new IOException(TestAggregator.get(aggregator, "/v1/misses"), e);
            }

            assertThat(copied).isEqualTo(real).contains("STORED", "VALUE big 0 300000", "11", "NOT_FOUND");
            assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0");
        } finally {
            memcached.destroy();
            memcached.waitFor();
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static List<String> cache(InetSocketAddress address) throws IOException {
        List<String> heard = new ArrayList<>();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            socket.setSoTimeout(60_000);
            BufferedReader in = reader(socket);
            say(socket, "set n 0 0 2\r\n10\r\n");
            heard.add(in.readLine());
            say(socket, "set big 0 0 300000\r\n" + "x".repeat(300_000) + "\r\n");
            heard.add(in.readLine());
            say(socket, "get big\r\n");
            for (int i = 0; i < 3; i++) {
                heard.add(in.readLine());
            }
            say(socket, "incr n 1\r\n");
            heard.add(in.readLine());
            say(socket, "delete none\r\n");
            heard.add(in.readLine());
            say(socket, "quit\r\n");
            heard.add(String.valueOf(in.readLine()));
        }
        return heard;
    }

    private static List<String> mailOrThrow(InetSocketAddress address, String to) {
        try {
            return mail(address, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a client hears that delivers a mail, up to the end of the connection. */
    private static List<String> mail(InetSocketAddress address, String to) throws IOException {
        List<String> heard = new ArrayList<>();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
            socket.setSoTimeout(60_000);
            BufferedReader in = reader(socket);
            heard.add(in.readLine());
            say(socket, "HELO\n");
            heard.add(in.readLine());
            say(socket, "TO  " + to + "\n");
            heard.add(in.readLine());
            say(socket, "QUIT\n");
            heard.add(in.readLine());
            heard.add(in.readLine() == null ? "end" : "more");
        } catch (IOException e) {
            heard.add("reset");
        }
        return heard.stream()
                .map(line -> line == null ? "reset" : line)
                .distinct()
                .toList();
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static void say(Socket socket, String said) throws IOException {
        socket.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /** Speaks first, answers line by line, and hangs up. */
    private static final class MailServer implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AtomicInteger connections = new AtomicInteger();

        MailServer() throws IOException {
            Thread thread = new Thread(this::accept, "mail-server");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return server.getLocalPort();
        }

        private void accept() {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    serve(socket, connections.incrementAndGet());
                } catch (IOException over) {
                    // the client's end, or ours
                }
            }
        }

        private static void serve(Socket socket, int number) throws IOException {
            BufferedReader in = reader(socket);
            say(socket, "220 ready\n");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("HELO")) {
                    say(socket, "250 hello\n");
                } else if (line.startsWith("TO  ")) {
                    say(socket, "250 mail " + number + " for " + line.substring(4) + "\n");
                } else {
                    say(socket, "221 bye\n");
                    return;
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
