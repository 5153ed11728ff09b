package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Call;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OtlpForwardTest {
    @Test
    void bodies_thatAReceiverDoesntTake_haveOneRoom() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                OtlpForward forward = new OtlpForward("http://127.0.0.1:" + silent.getLocalPort())) {
            for (int n = 0; n < 30; n++) {
                Call call = new Call("/otlp/v1/traces", Map.of(), "application/x-protobuf", new byte[1 << 20]);
                assertThat(forward.post("/v1/traces", call).status()).isEqualTo(200);
            }

            assertThat(forward.dropped()).as("all but 8 MiB").isEqualTo(22);
        }
    }
}
