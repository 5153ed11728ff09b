package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.ListenerConfig;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Turns of {@code protocol: tcp} and what an agent observed of them. */
class SidecarRawSuspectsTest {
    @Test
    void turns_areLabelled_byTheBytesThatTheDebugJvmRead() throws Exception {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        AtomicInteger said = new AtomicInteger();
        try (PlainServer production = PlainServer.open(answering("answer\n", new AtomicInteger()));
                PlainServer debug = PlainServer.open(socket -> {
                    port.complete(socket.getPort());
                    answering("anvwer\n", said).play(socket);
                });
                Stage stage = Stage.open(
                        production.address(), debug.address(), Stage.WINDOW, ListenerConfig.Framing.TCP, "");
                Socket client = stage.connect()) {
            assertThat(PlainServer.readUntil(client, "\n")).isEqualTo("hello\n");
            // debug has spoken by the time when the client speaks on, so that nobody's patience ends
            waitFor(said, 1);
            ask(client, "1\n", "ok\n");
            waitFor(said, 2);
            ask(client, "two\n", "answer\n");
            waitFor(said, 3);
            ask(client, "3\n", "ok\n");
            stage.awaitStatus("a difference", s -> s.at("/verdicts/DIFFERENT").asInt() == 1);

            stage.observed(port.join(), 0, 2);
            assertThat(stage.control("/v1/suspects").at("/exchanges/successful").asInt())
                    .isEqualTo(1);
            stage.observed(port.join(), 2, 6);
            stage.observed(port.join(), 0, 6);
            JsonNode suspects = stage.control("/v1/suspects");
            assertThat(suspects.at("/exchanges/successful").asInt())
                    .as("the first led to the one that failed: %s", suspects)
                    .isZero();
            assertThat(suspects.at("/exchanges/failing").asInt())
                    .as(suspects.toString())
                    .isEqualTo(1);
            assertThat(suspects.at("/exchanges/waiting").asInt())
                    .as("read together: no turn of ours: %s", suspects)
                    .isEqualTo(1);
        }
    }

    private static PlainServer.Script answering(String two, AtomicInteger said) {
        return socket -> {
            PlainServer.write(socket, "hello\n");
            said.incrementAndGet();
            for (String asked = PlainServer.readUntil(socket, "\n");
                    asked.endsWith("\n");
                    asked = PlainServer.readUntil(socket, "\n")) {
                PlainServer.write(socket, asked.startsWith("two") ? two : "ok\n");
                said.incrementAndGet();
            }
        };
    }

    private static void waitFor(AtomicInteger said, int count) {
        await().until(() -> said.get() == count);
    }

    private static void ask(Socket client, String request, String last) throws Exception {
        PlainServer.write(client, request);
        assertThat(PlainServer.readUntil(client, last)).endsWith(last);
    }
}
