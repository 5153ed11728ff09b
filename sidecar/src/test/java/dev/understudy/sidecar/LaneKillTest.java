package dev.understudy.sidecar;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** The lane process is killed and stopped again and again under load: clients get every byte of every reply. */
@Tag("process")
final class LaneKillTest {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 3;

    @TempDir
    Path folder;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger answered = new AtomicInteger();

    @Test
    void lanesThatDieAndStand_costProductionNothing() throws Exception {
        try (PlainServer production = PlainServer.open(LaneKillTest::answer);
                PlainServer debug = PlainServer.open(LaneKillTest::answer);
                SidecarProgram sidecar = SidecarProgram.start(settings(production, debug))) {
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int n = 0; n < CLIENTS; n++) {
                int first = n;
                clients.add(CompletableFuture.runAsync(
                        () -> ask(sidecar.port("shop"), first), work -> new Thread(work, "client").start()));
            }
            for (int round = 0; round < ROUNDS; round++) {
                long stopped = lanes(sidecar);
                signal("STOP", stopped);
                awaitMoreReplies();
                signal("CONT", stopped);
                awaitMoreReplies();
                signal("KILL", stopped);
                awaitMoreReplies();
                await("another lane process").until(() -> {
                    long now = lanes(sidecar);
                    return now >= 0 && now != stopped;
                });
            }
            over.set(true);
            for (CompletableFuture<Void> client : clients) {
                client.join();
            }
        }
    }

    private void awaitMoreReplies() {
        int before = answered.get();
        await("replies").until(() -> answered.get() > before + 200);
    }

    private void ask(int port, int first) {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout(10_000);
            for (int n = first; !over.get(); n += CLIENTS) {
                PlainServer.write(client, "GET /" + n + " HTTP/1.1\r\nHost: shop\r\n\r\n");
                String wanted = reply(n);
                String got = new String(client.getInputStream().readNBytes(wanted.length()), StandardCharsets.US_ASCII);
                assertThat(got).isEqualTo(wanted);
                answered.incrementAndGet();
            }
        } catch (IOException failed) {
            throw new AssertionError("a client noticed", failed);
        }
    }

    private static void answer(Socket socket) throws IOException {
        for (String head = head(socket); head.startsWith("GET /"); head = head(socket)) {
            PlainServer.write(socket, reply(Integer.parseInt(head.substring(5, head.indexOf(' ', 5)))));
        }
    }

    private static String head(Socket socket) throws IOException {
        return PlainServer.readUntil(socket, "\r\n\r\n");
    }

    /** Each has a length and a letter of its own. */
    private static String reply(int number) {
        String body = String.valueOf((char) ('a' + number % 26)).repeat(1 + number * 37 % 9000);
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private Path settings(PlainServer production, PlainServer debug) throws IOException {
        return Files.writeString(
                folder.resolve("sidecar.yaml"),
                "listeners: [{name: shop, listen: '127.0.0.1:0', protocol: http, production: '127.0.0.1:"
                        + production.address().getPort() + "', debug: '127.0.0.1:"
                        + debug.address().getPort() + "'}]\n"
                        + "tap: {carrier: ring, ring: 256KiB, directory: '" + folder.resolve("tap")
                        + "', lane-nice: 0, lane-java-options: '-Xmx128m -XX:TieredStopAtLevel=1'}\n"
                        + "control: {listen: '127.0.0.1:0'}\ndrain: 1s\n");
    }

    private static long lanes(SidecarProgram sidecar) {
        return sidecar.process
                .toHandle()
                .children()
                .mapToLong(ProcessHandle::pid)
                .findFirst()
                .orElse(-1);
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .inheritIO()
                .start()
                .waitFor();
    }
}
