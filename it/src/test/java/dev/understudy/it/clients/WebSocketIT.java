package dev.understudy.it.clients;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.stage.TeeStage;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The JDK's WebSocket client through the sidecar: after the 101 it is bytes, carried to both sides and not compared.
 */
@Tag("any-jdk")
class WebSocketIT {
    /** Around every place where a frame's length is written otherwise, and beyond any single read. */
    private static final List<Integer> SIZES = List.of(0, 1, 124, 125, 126, 127, 65_534, 65_535, 65_536, 1_500_000);

    private static final int SECONDS = 60;
    private static final long SEED = 101;

    @TempDir
    Path folder;

    @Test
    void messagesOfAllSizes_comeBack_andReachDebugAsTheyReachProduction() throws Exception {
        try (WebSocketServer production = new WebSocketServer();
                WebSocketServer debug = new WebSocketServer();
                TeeStage stage = TeeStage.open(folder, "http", production.port(), debug.port())) {
            Ear ear = new Ear();
            WebSocket client = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + stage.port() + "/echo"), ear)
                    .get(SECONDS, TimeUnit.SECONDS);
            Random random = new Random(SEED);
            for (int size : SIZES) {
                byte[] message = new byte[size];
                random.nextBytes(message);
                assertComesBack(client, ear, message, true);
                for (int i = 0; i < size; i++) {
                    message[i] = (byte) (' ' + random.nextInt(90));
                }
                assertComesBack(client, ear, message, false);
            }
            client.sendClose(WebSocket.NORMAL_CLOSURE, "done").get(SECONDS, TimeUnit.SECONDS);
            assertThat(ear.closed.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);

            JsonNode status = stage.settled();
            assertThat(production.messages().length()).isEqualTo(8 * SIZES.size());
            await("debug's messages")
                    .atMost(SECONDS, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(debug.messages()).isEqualTo(production.messages()));
            String all = status.toPrettyString();
            assertThat(status.at("/losses")).as(all).isEmpty();
            assertThat(status.at("/fidelity").asText()).as(all).startsWith("faithful");
            assertThat(status.at("/verdicts/DIFFERENT").asInt()).as(all).isZero();
            assertThat(status.at("/unframedConnections").asInt()).as(all).isEqualTo(1);
            assertThat(status.at("/notCompared/UNFRAMED").asInt()).as(all).isEqualTo(1);
        }
    }

    /** In one frame and in two. */
    private static void assertComesBack(WebSocket client, Ear ear, byte[] message, boolean binary) throws Exception {
        for (int cut : List.of(0, message.length / 3)) {
            if (binary) {
                ByteBuffer bytes = ByteBuffer.wrap(message);
                if (cut > 0) {
                    client.sendBinary(bytes.slice(0, cut), false).get(SECONDS, TimeUnit.SECONDS);
                }
                client.sendBinary(bytes.slice(cut, message.length - cut), true).get(SECONDS, TimeUnit.SECONDS);
            } else {
                String text = new String(message, StandardCharsets.US_ASCII);
                if (cut > 0) {
                    client.sendText(text.substring(0, cut), false).get(SECONDS, TimeUnit.SECONDS);
                }
                client.sendText(text.substring(cut), true).get(SECONDS, TimeUnit.SECONDS);
            }
            Heard heard = ear.messages.poll(SECONDS, TimeUnit.SECONDS);
            assertThat(heard).as("%d bytes, seed %d", message.length, SEED).isNotNull();
            assertThat(heard.binary).isEqualTo(binary);
            assertThat(heard.bytes).isEqualTo(message);
        }
    }

    private record Heard(boolean binary, byte[] bytes) {}

    /** Puts a message's pieces together. Called by one thread at a time. */
    private static final class Ear implements WebSocket.Listener {
        final BlockingQueue<Heard> messages = new LinkedBlockingQueue<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();
        private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();

        @Override
        public @Nullable CompletionStage<?> onBinary(WebSocket client, ByteBuffer data, boolean last) {
            byte[] piece = new byte[data.remaining()];
            data.get(piece);
            heard(client, true, piece, last);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket client, CharSequence data, boolean last) {
            heard(client, false, data.toString().getBytes(StandardCharsets.US_ASCII), last);
            return null;
        }

        private void heard(WebSocket client, boolean binary, byte[] piece, boolean last) {
            pieces.writeBytes(piece);
            if (last) {
                messages.add(new Heard(binary, pieces.toByteArray()));
                pieces.reset();
            }
            client.request(1);
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket client, int code, String reason) {
            closed.complete(code);
            return null;
        }

        @Override
        public void onError(WebSocket client, Throwable failure) {
            closed.completeExceptionally(failure);
        }
    }
}
