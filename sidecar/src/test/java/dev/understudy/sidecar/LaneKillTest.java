package dev.understudy.sidecar;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
        try (SplitStage stage = SplitStage.open(folder, LaneKillTest::answer, "256KiB")) {
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int n = 0; n < CLIENTS; n++) {
                int first = n;
                clients.add(CompletableFuture.runAsync(
                        () -> ask(stage, first), work -> new Thread(work, "client").start()));
            }
            for (int round = 0; round < ROUNDS; round++) {
                long lanes = stage.signalLanes("STOP");
                awaitMoreReplies();
                SplitStage.signal("CONT", lanes);
                awaitMoreReplies();
                SplitStage.signal("KILL", lanes);
                awaitMoreReplies();
                await("another lane process")
                        .until(() -> stage.lanes()
                                .filter(next -> next.pid() != lanes)
                                .isPresent());
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

    private void ask(SplitStage stage, int first) {
        try (Socket client = stage.connect()) {
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
}
