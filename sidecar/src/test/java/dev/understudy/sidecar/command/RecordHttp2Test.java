package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.GrpcShop;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** HTTP/2, recorded from a real gRPC client: its streams are exchanges for {@code inspect} and {@code replay}, too. */
final class RecordHttp2Test {
    @TempDir
    Path folder;

    private Path recorded() throws Exception {
        Path file = folder.resolve("calls.understudy");
        try (GrpcShop production = new GrpcShop(0, "no more")) {
            RecordingProxy proxy = RecordingProxy.open(address(production), file);
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", proxy.port())
                    .usePlaintext()
                    .build();
            for (int n = 0; n < 6; n++) {
                assertThat(ClientCalls.blockingUnaryCall(channel, GrpcShop.ONCE, CallOptions.DEFAULT, n))
                        .isEqualTo(n);
            }
            ClientCalls.blockingServerStreamingCall(channel, GrpcShop.PIECES, CallOptions.DEFAULT, 7)
                    .forEachRemaining(piece -> assertThat(piece).isBetween(7, 11));
            channel.shutdown().awaitTermination(60, TimeUnit.SECONDS);
            assertThat(proxy.stop().code()).isZero();
        }
        return file;
    }

    private static String address(GrpcShop shop) {
        return "127.0.0.1:" + shop.address().getPort();
    }

    @Test
    void sameServer_givesTheSameAnswer_streamByStream() throws Exception {
        Path file = recorded();
        try (GrpcShop same = new GrpcShop(0, "no more")) {
            Ran replayed = Ran.run("replay", file.toString(), "--to", address(same), "--speed", "max");
            assertThat(replayed.code()).as(replayed.toString()).isZero();
            assertThat(replayed.out()).contains("1 connections replayed", "7 SAME", "0 waits in vain");
            assertThat(same.heard).hasSize(7).contains("once 5", "pieces 7");
        }
    }

    @Test
    void upToOneStream_thatOnesReplyAloneIsCompared() throws Exception {
        Path file = recorded();
        try (GrpcShop same = new GrpcShop(0, "no more");
                SaidToServer said = new SaidToServer(same.address())) {
            String[] replay = {"replay", file.toString(), "--to", said.address(), "--speed", "max", "--exchange", "3"};
            Ran replayed = Ran.run(replay);
            assertThat(replayed.code()).as(replayed.toString()).isZero();
            assertThat(replayed.out()).contains(" exchange 3, POST ", "1 SAME", "0 waits in vain");
            assertThat(said.requests()).isEqualTo(3);
            assertThat(same.heard).containsExactly("once 0", "once 1", "once 2");
        }
    }

    @Test
    void otherServer_isToldWithTheCallThatDiffers() throws Exception {
        Path file = recorded();
        try (GrpcShop other = new GrpcShop(1, "no more")) {
            Ran replayed = Ran.run("replay", file.toString(), "--to", address(other), "--speed", "max");
            assertThat(replayed.code()).as(replayed.toString()).isEqualTo(1);
            assertThat(replayed.out())
                    .contains("7 DIFFERENT", "0 waits in vain")
                    .contains("POST /shop.Orders/once: ", "POST /shop.Orders/pieces: Difference[path=body.messages[3]");
        }
    }

    @Test
    void archive_hasAnEntryForEachStream() throws Exception {
        Path har = folder.resolve("calls.har");
        Ran inspected = Ran.run("inspect", recorded().toString(), "--har", har.toString());
        assertThat(inspected.code()).as(inspected.toString()).isZero();

        JsonNode entries = new ObjectMapper().readTree(har.toFile()).at("/log/entries");
        assertThat(entries).hasSize(7);
        JsonNode last = entries.get(6);
        assertThat(last.at("/request/url").asText()).endsWith("/shop.Orders/pieces");
        assertThat(last.at("/request/httpVersion").asText()).isEqualTo("HTTP/2");
        assertThat(last.at("/request/headersSize").asInt()).as("not known").isEqualTo(-1);
        assertThat(last.at("/request/bodySize").asInt()).isPositive();
        assertThat(last.at("/response/status").asInt()).isEqualTo(200);
        assertThat(last.at("/response/content/mimeType").asText()).isEqualTo("application/grpc");
        assertThat(last.at("/response/bodySize").asInt())
                .isGreaterThan(entries.get(0).at("/response/bodySize").asInt());
        assertThat(last.at("/time").asDouble()).isPositive();
    }
}
