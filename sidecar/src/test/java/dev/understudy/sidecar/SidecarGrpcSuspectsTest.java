package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Calls of gRPC that fail alike in both JVMs, of which HTTP says 200, and what an agent observed of them. */
final class SidecarGrpcSuspectsTest {
    private static final int EACH = 12;

    @Test
    void callsThatEndAsServerErrors_fail_inTrailersOrHeads_andLeadToTheirMethod() throws Exception {
        try (GrpcShop production = new GrpcShop(0, "no more");
                GrpcShop debug = new GrpcShop(0, "no more");
                Stage stage = Stage.open(production.address(), debug.address());
                Client client = new Client(stage)) {
            for (int n = 0; n < EACH; n++) {
                client.call(GrpcShop.ONCE, n);
                stage.observed(span(stage, debug, 3 * n + 1), false);
                client.fails(n % 2 == 0 ? GrpcShop.ONCE : GrpcShop.PIECES, GrpcShop.BROKEN);
                stage.observed(span(stage, debug, 3 * n + 2), true);
                client.fails(GrpcShop.PIECES, GrpcShop.FAILING);
                stage.observed(span(stage, debug, 3 * n + 3), false);
            }

            JsonNode found = stage.control("/v1/suspects");
            assertThat(found.at("/failingBy/STATUS").asInt())
                    .as(found.toPrettyString())
                    .isEqualTo(EACH);
            assertThat(found.at("/exchanges/successful").asInt())
                    .as("a call that its client made wrongly is none of the server's: %s", found)
                    .isEqualTo(2 * EACH);
            assertThat(found.at("/suspects/0/method").asText())
                    .as(found.toPrettyString())
                    .isEqualTo("A#b");
            JsonNode example = found.at("/suspects/0/example");
            assertThat(example.at("/status").asInt()).isEqualTo(200);
            assertThat(example.at("/said").asText()).isIn("grpc 13", "grpc 15");
        }
    }

    /** The span that the debug JVM was told with the latest call, once that has its verdict. */
    private static String span(Stage stage, GrpcShop debug, int calls) {
        stage.awaitVerdicts("SAME", calls);
        assertThat(debug.spans).hasSize(1);
        return debug.spans.remove();
    }

    private static final class Client implements AutoCloseable {
        private final ManagedChannel channel;

        Client(Stage stage) {
            channel = NettyChannelBuilder.forAddress(
                            "127.0.0.1", stage.address().getPort())
                    .usePlaintext()
                    .build();
        }

        void call(MethodDescriptor<Integer, Integer> method, int id) {
            ClientCalls.blockingServerStreamingCall(channel, method, CallOptions.DEFAULT, id)
                    .forEachRemaining(answer -> {});
        }

        void fails(MethodDescriptor<Integer, Integer> method, int id) {
            assertThat(catchThrowableOfType(StatusRuntimeException.class, () -> call(method, id)))
                    .isNotNull();
        }

        @Override
        public void close() {
            channel.shutdownNow();
        }
    }
}
