package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.PATIENCE;
import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A sidecar whose process has no file descriptor left: clients come first. */
@Tag("process")
final class DescriptorsTest {
    private static final int LIMIT = 300;
    private static final int FIRST = 40;

    private final AtomicBoolean begun = new AtomicBoolean();

    @TempDir
    Path folder;

    @Test
    void debugSide_givesItsSocketsBack_whenClientsNeedThem_andRecovers() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (PlainServer production = PlainServer.open(DescriptorsTest::answer);
                PlainServer debug = PlainServer.open(this::answerOnceAtFirst);
                SidecarProgram sidecar = SidecarProgram.start(
                        settings(production, debug),
                        program -> program.command()
                                .addAll(0, List.of("bash", "-c", "ulimit -n " + LIMIT + "; exec \"$@\"", "-")))) {
            warmUp(sidecar);
            for (int n = 0; n < FIRST; n++) {
                Socket client = connect(sidecar);
                ask(client);
                clients.add(client);
            }
            awaitStatus(sidecar, "/lanes/connected", FIRST);
            int others = descriptors(sidecar) - 3 * FIRST;
            int most = (LIMIT - others) / 2;

            // each that is reset for want of a second descriptor comes again, as clients do
            await("as many clients as if there were no debug side: " + most)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> {
                        Socket client = connect(sidecar);
                        if (answered(client)) {
                            clients.add(client);
                        } else {
                            askControl(sidecar);
                            client.close();
                        }
                        return clients.size() >= most - 6;
                    });
            for (Socket client : clients) {
                ask(client);
            }
            await("copies that got no socket")
                    .ignoreExceptions()
                    .until(() ->
                            status(sidecar).at("/losses/NO_DESCRIPTORS/events").asInt() > 0);
            for (Socket client : clients.subList(FIRST, clients.size())) {
                client.close();
            }
            clients.subList(FIRST, clients.size()).clear();

            await("debug connections again").until(() -> {
                for (Socket client : clients) {
                    ask(client);
                }
                return status(sidecar).at("/lanes/connected").asInt() == FIRST;
            });
            JsonNode status = status(sidecar);
            assertThat(status.at("/rejoinedConnections").asInt())
                    .as(status.toPrettyString())
                    .isPositive();
            assertThat(status.at("/losses/DEBUG_UNREACHABLE").isMissingNode())
                    .as(status.toPrettyString())
                    .isTrue();
            assertThat(sidecar.log())
                    .contains("shop can't accept", "accepts again")
                    .doesNotContain("OutOfMemory", "\tat ");
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private Path settings(PlainServer production, PlainServer debug) throws IOException {
        return Files.writeString(
                folder.resolve("sidecar.yaml"),
                "listeners: [{name: shop, listen: '127.0.0.1:0', protocol: http, production: '127.0.0.1:"
                        + production.address().getPort() + "', debug: '127.0.0.1:"
                        + debug.address().getPort() + "'}]\n"
                        + "window: {connect-wait: 2s, disk-directory: '"
                        + Files.createDirectories(folder.resolve("window")) + "'}\n"
                        + "tap: {carrier: inline}\nrecord: {directory: '"
                        + Files.createDirectories(folder.resolve("recordings")) + "'}\n"
                        + "control: {listen: '127.0.0.1:0', anonymous: admin}\ndrain: 100ms\n");
    }

    private static void answer(Socket socket) throws IOException {
        while (PlainServer.readUntil(socket, "\r\n\r\n").endsWith("\r\n\r\n")) {
            PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        }
    }

    private void answerOnceAtFirst(Socket socket) throws IOException {
        if (begun.getAndSet(true)) {
            answer(socket);
        } else {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        }
    }

    /**
     * A class that is loaded from a folder needs a descriptor, too: here is a debug connection that ends and begins
     * again.
     */
    private static void warmUp(SidecarProgram sidecar) throws IOException {
        try (Socket client = connect(sidecar)) {
            ask(client);
            awaitStatus(sidecar, "/lanes/connected", 0);
            ask(client);
            awaitStatus(sidecar, "/verdicts/SAME", 2);
        }
        awaitStatus(sidecar, "/lanes/open", 0);
    }

    private static void ask(Socket client) throws IOException {
        client.setSoTimeout((int) PATIENCE.toMillis());
        PlainServer.write(client, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
        assertThat(PlainServer.readUntil(client, "{}")).endsWith("Content-Length: 2\r\n\r\n{}");
    }

    private static boolean answered(Socket client) {
        try {
            PlainServer.write(client, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
            return PlainServer.readUntil(client, "{}").endsWith("{}");
        } catch (IOException reset) {
            return false;
        }
    }

    /** There may be no descriptor for it, which is to be said in one line at most. */
    private static void askControl(SidecarProgram sidecar) throws IOException {
        new Socket(InetAddress.getLoopbackAddress(), sidecar.port("control")).close();
    }

    private static Socket connect(SidecarProgram sidecar) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), sidecar.port("shop"));
        client.setSoTimeout(3000);
        return client;
    }

    private static int descriptors(SidecarProgram sidecar) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + sidecar.process.pid() + "/fd"))) {
            return (int) open.count();
        }
    }

    private static void awaitStatus(SidecarProgram sidecar, String what, int count) {
        await(what).until(() -> status(sidecar).at(what).asInt() == count);
    }

    private static JsonNode status(SidecarProgram sidecar) throws IOException {
        URI status = URI.create("http://" + sidecar.address("control") + "/v1/status");
        return new ObjectMapper().readTree(status.toURL().openStream()).at("/listeners/0");
    }
}
