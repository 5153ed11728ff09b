package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** HTTP/2 with a real gRPC client and real servers: each stream is an exchange with a verdict of its own. */
final class SidecarHttp2ComparisonTest {
    private static final int ROUNDS = 20;

    @TempDir
    Path folder;

    private Trial start(int moreInDebug, String troubleInDebug, String descriptors) throws IOException {
        return new Trial(new GrpcShop(0, "no more"), new GrpcShop(moreInDebug, troubleInDebug), descriptors);
    }

    @Test
    void callsOfAllKinds_areTheSame() throws Exception {
        try (Trial trial = start(0, "no more", "")) {
            for (int n = 0; n < ROUNDS; n++) {
                assertThat(trial.once(n)).isEqualTo(n);
                assertThat(trial.pieces(n)).hasSize(5);
                assertThat(trial.several(true, 1, 2, n)).containsExactly(n + 3);
                assertThat(trial.several(false, 1, 2, n)).containsExactly(1, 3, n + 3);
            }

            trial.stage.awaitVerdicts("SAME", 4 * ROUNDS);
            JsonNode status = trial.stage.status();
            String all = status.toPrettyString();
            assertThat(status.at("/unframedConnections").asInt()).as(all).isZero();
            assertThat(status.at("/losses")).as(all).isEmpty();
            assertThat(status.at("/fidelity").asText()).as(all).startsWith("faithful: 80 of 80 exchanges");
            assertThat(trial.debug.heard).hasSize(4 * ROUNDS);
            assertThat(trial.stage.verdicts("SAME").findValuesAsText("request"))
                    .contains("POST /shop.Orders/once", "POST /shop.Orders/pieces")
                    .contains("POST /shop.Orders/sum", "POST /shop.Orders/talk");
            assertThat(trial.stage.controlText("/metrics").body())
                    .as("waits that were given up")
                    .contains("understudy_order_overtaken_total 0.0");
        }
    }

    @Test
    void manyCallsAtOnce_areEachComparedWithTheirOwn() throws Exception {
        try (Trial trial = start(0, "no more", "")) {
            List<CompletableFuture<List<Integer>>> calls = new ArrayList<>();
            for (int n = 0; n < 60; n++) {
                calls.add(trial.call(n % 2 == 0, 1, n));
            }
            for (CompletableFuture<List<Integer>> call : calls) {
                call.get(60, TimeUnit.SECONDS);
            }

            trial.stage.awaitVerdicts("SAME", 60);
        }
    }

    @Test
    void fieldThatDiffers_isNamedByTheDescriptors() throws Exception {
        Path descriptors = Files.write(folder.resolve("shop.desc"), GrpcShop.descriptors());
        try (Trial trial = start(1, "no more", descriptors.toString())) {
            trial.once(7);
            trial.assertDifference("body.messages[0].id", "7", "8");
        }
    }

    @Test
    void fieldThatDiffers_inALaterMessage_hasItsNumberWithoutDescriptors() throws Exception {
        try (Trial trial = start(1, "no more", "")) {
            trial.pieces(7);
            trial.assertDifference("body.messages[3][\"#1\"][0]", "10", "11");
        }
    }

    @Test
    void trailersThatDiffer_areADifference() throws Exception {
        try (Trial trial = start(0, "nothing more", "")) {
            StatusRuntimeException refused =
                    catchThrowableOfType(StatusRuntimeException.class, () -> trial.pieces(GrpcShop.FAILING));
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
            trial.assertDifference("trailer.grpc-message", "no more", "nothing more");
        }
    }

    @Test
    void callThatItsClientGivesUp_isNotCompared_andTheNextOneIs() throws Exception {
        try (Trial trial = start(0, "no more", "")) {
            Context.CancellableContext context = Context.current().withCancellation();
            Context before = context.attach();
            try {
                Iterator<Integer> pieces = ClientCalls.blockingServerStreamingCall(
                        trial.channel, GrpcShop.PIECES, CallOptions.DEFAULT, GrpcShop.ENDLESS);
                for (int n = 0; n < 5; n++) {
                    pieces.next();
                }
                await().until(() -> trial.debug.heard.contains("pieces " + GrpcShop.ENDLESS));
            } finally {
                context.detach(before);
                context.cancel(null);
            }

            trial.stage.awaitNotCompared("CLIENT_CLOSED", 1);
            assertThat(trial.once(3)).isEqualTo(3);
            trial.stage.awaitStatus("the next one", s -> s.at("/verdicts/SAME").asInt() == 1);
            assertThat(trial.stage.status().at("/losses")).isEmpty();
        }
    }

    /** Ends of gRPC's C core send metadata to each other as a NUL and the bytes. */
    @Test
    void metadataInBytes_isCompared_andSoIsWhatFollows() throws Exception {
        try (PlainServer production = PlainServer.open(socket -> serve(socket, "x-details-bin", "\0\b\5ok"));
                PlainServer debug = PlainServer.open(socket -> serve(socket, "x-details-bin", "\0\b\5ok"));
                Stage other = Stage.open(production.address(), debug.address())) {
            call(other, 5);

            other.awaitVerdicts("SAME", 5);
            assertThat(other.status().at("/unframedConnections").asInt()).isZero();
        }
    }

    @Test
    void metadataInBytes_thatDiffers_isADifference() throws Exception {
        try (PlainServer production = PlainServer.open(socket -> serve(socket, "x-details-bin", "\0\b\5ok"));
                PlainServer debug = PlainServer.open(socket -> serve(socket, "x-details-bin", "\0\b\6ok"));
                Stage other = Stage.open(production.address(), debug.address())) {
            call(other, 5);

            other.awaitVerdicts("SAME", 4);
            other.awaitVerdicts("DIFFERENT", 1);
            assertThat(other.verdicts("DIFFERENT").toString()).contains("x-details-bin");
        }
    }

    @Test
    void replyThatCantBeRead_isNotComparedByItself() throws Exception {
        try (PlainServer production = PlainServer.open(socket -> serve(socket, "x-odd", "\0\1"));
                PlainServer debug = PlainServer.open(socket -> serve(socket, "x-odd", "\0\1"));
                Stage other = Stage.open(production.address(), debug.address())) {
            call(other, 5);

            other.awaitVerdicts("SAME", 4);
            other.awaitNotCompared("UNFRAMED", 1);
            assertThat(other.status().at("/unframedConnections").asInt()).isZero();
        }
    }

    private static void call(Stage stage, int calls) throws IOException {
        try (Socket client = stage.connect()) {
            client.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            DataInputStream in = new DataInputStream(client.getInputStream());
            for (int n = 0; n < calls; n++) {
                client.getOutputStream().write(headers(2 * n + 1, true, "\u0082\u0086\u0084"));
                assertThat(frame(in)).isEqualTo(2 * n + 1);
                assertThat(frame(in)).isEqualTo(2 * n + 1);
            }
        }
    }

    /** Answers each request by a head and trailers; those of the third have this field. */
    private static void serve(Socket socket, String name, String value) throws IOException {
        socket.getInputStream().skipNBytes(24);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        String odd = "\0" + (char) name.length() + name + (char) value.length() + value;
        for (int stream = frame(in); stream > 0; stream = frame(in)) {
            socket.getOutputStream().write(headers(stream, false, "\u0088"));
            socket.getOutputStream().write(headers(stream, true, "\0\13grpc-status\0010" + (stream == 5 ? odd : "")));
        }
    }

    /** The stream of the next frame; -1 at the end. */
    private static int frame(DataInputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return -1;
        }
        int length = first << 16 | in.readUnsignedShort();
        in.skipNBytes(2);
        int stream = in.readInt();
        in.skipNBytes(length);
        return stream;
    }

    private static byte[] headers(int stream, boolean last, String block) {
        byte[] bytes = block.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(9 + bytes.length)
                .putInt(bytes.length << 8 | 1)
                .put((byte) (last ? 5 : 4))
                .putInt(stream)
                .put(bytes)
                .array();
    }

    /** Nothing is lost of what can't be understood: production gets it, and so does debug. */
    @Test
    void headersThatCannotBeRead_endTheComparingOfTheirConnection() throws Exception {
        byte[] said = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\1\1\5\0\0\0\1\0and what nobody understands"
                .getBytes(StandardCharsets.ISO_8859_1);
        PlainServer.Script answer = socket -> {
            socket.getInputStream().readNBytes(said.length);
            PlainServer.write(socket, "heard");
            PlainServer.readAll(socket);
        };
        try (PlainServer production = PlainServer.open(answer);
                PlainServer debug = PlainServer.open(answer);
                Stage other = Stage.open(production.address(), debug.address())) {
            try (Socket client = other.connect()) {
                client.getOutputStream().write(said);
                assertThat(client.getInputStream().readNBytes(5)).asString().isEqualTo("heard");
            }
            other.awaitNotCompared("UNFRAMED", 1);
            assertThat(other.verdicts("NOT_COMPARED").get(0).get("request").asText())
                    .startsWith("(bytes: HTTP/2: ");
            JsonNode status = other.awaitStatus(
                    "all bytes", s -> s.at("/fidelity").asText().contains(said.length + " unframed bytes"));
            assertThat(status.at("/losses")).as(status.toPrettyString()).isEmpty();
        }
    }

    /** A production, its debug copy, a sidecar before them, and a client. */
    private final class Trial implements AutoCloseable {
        final GrpcShop production;
        final GrpcShop debug;
        final Stage stage;
        final ManagedChannel channel;

        Trial(GrpcShop production, GrpcShop debug, String descriptors) throws IOException {
            this.production = production;
            this.debug = debug;
            Path file = Files.writeString(folder.resolve("sidecar.yaml"), """
                    listeners: [{name: orders, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: \
                    '127.0.0.1:%d'}]
                    control: {listen: '127.0.0.1:0', anonymous: admin}
                    comparison: {protobuf: {descriptors: '%s'}}
                    """.formatted(
                            production.address().getPort(), debug.address().getPort(), descriptors));
            Problems problems = new Problems();
            stage = Stage.of(SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems));
            channel = NettyChannelBuilder.forAddress(
                            "127.0.0.1", stage.address().getPort())
                    .usePlaintext()
                    .build();
        }

        @Override
        public void close() {
            channel.shutdownNow();
            stage.close();
            production.close();
            debug.close();
        }

        private void assertDifference(String path, String production, String debug) {
            stage.awaitVerdicts("DIFFERENT", 1);
            JsonNode verdict = stage.verdicts("DIFFERENT").get(0);
            JsonNode first = verdict.at("/differences/0");
            assertThat(first.at("/path").asText()).as(verdict.toPrettyString()).isEqualTo(path);
            assertThat(first.at("/production").asText()).isEqualTo(production);
            assertThat(first.at("/debug").asText()).isEqualTo(debug);
        }

        private int once(int id) {
            return ClientCalls.blockingUnaryCall(channel, GrpcShop.ONCE, CallOptions.DEFAULT, id);
        }

        private List<Integer> pieces(int id) {
            List<Integer> all = new ArrayList<>();
            ClientCalls.blockingServerStreamingCall(channel, GrpcShop.PIECES, CallOptions.DEFAULT, id)
                    .forEachRemaining(all::add);
            return all;
        }

        private List<Integer> several(boolean sum, int... ids) throws Exception {
            return call(sum, ids).get(60, TimeUnit.SECONDS);
        }

        private CompletableFuture<List<Integer>> call(boolean sum, int... ids) {
            Answers answers = new Answers();
            StreamObserver<Integer> asked = sum
                    ? ClientCalls.asyncClientStreamingCall(channel.newCall(GrpcShop.SUM, CallOptions.DEFAULT), answers)
                    : ClientCalls.asyncBidiStreamingCall(channel.newCall(GrpcShop.TALK, CallOptions.DEFAULT), answers);
            for (int id : ids) {
                asked.onNext(id);
            }
            asked.onCompleted();
            return answers.all;
        }
    }

    /** Called by one thread at a time. */
    private static final class Answers implements StreamObserver<Integer> {
        final CompletableFuture<List<Integer>> all = new CompletableFuture<>();
        private final List<Integer> heard = new ArrayList<>();

        @Override
        public void onNext(Integer answer) {
            heard.add(answer);
        }

        @Override
        public void onError(Throwable failure) {
            all.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            all.complete(heard);
        }
    }
}
