package dev.understudy.sidecar;

import dev.understudy.divergence.content.protobuf.ProtobufSchema;
import dev.understudy.divergence.mask.SecretRules;
import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.loop.Transport;
import dev.understudy.sidecar.config.Experiments;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.RecordConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import dev.understudy.sidecar.handshake.AgentKey;
import dev.understudy.sidecar.inbound.LinkConfig;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.resync.ResyncConfig;
import dev.understudy.sidecar.source.SourceRoots;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A whole sidecar on each way to ask the kernel. */
final class SidecarTransportTest {
    @ParameterizedTest
    @EnumSource(names = {"EPOLL", "IO_URING"})
    void exchanges_areRelayedAndCompared(Transport transport) throws Exception {
        assumeTrue(transport.available(), "skipped: no " + transport.word() + " here");
        try (HttpService production = HttpService.saying("{\"id\":7}");
                HttpService debug = HttpService.saying("{\"id\":8}");
                Stage stage = Stage.of(config(production, debug, transport))) {
            for (int i = 0; i < 20; i++) {
                assertThat(stage.get("/orders/" + i).body()).isEqualTo("{\"id\":7}");
            }

            stage.awaitVerdicts("DIFFERENT", 20);
            assertThat(stage.control("/v1/status").get("transport").asText()).isEqualTo(transport.word());
            assertThat(stage.control("/v1/status").get("transportMissing").asText())
                    .isEmpty();
            assertThat(stage.controlText("/metrics").body())
                    .contains("understudy_transport{transport=\"" + transport.word() + "\"} 1.0");
        }
    }

    private static SidecarConfig config(HttpService production, HttpService debug, Transport transport) {
        return new SidecarConfig(
                List.of(Stage.listener(
                        production.address(),
                        debug.address(),
                        ListenerConfig.Framing.HTTP,
                        ListenerConfig.Order.CAUSAL)),
                Stage.WINDOW,
                1 << 20,
                200,
                20_000,
                List.of(),
                true,
                ProtobufSchema.NONE,
                SecretRules.NONE,
                new ControlConfig(InetSocketAddress.createUnresolved("127.0.0.1", 0), AccessConfig.open()),
                TelemetryConfig.defaults(),
                RecordConfig.defaults(),
                LabelRule.defaults(),
                Experiments.ASK,
                false,
                new SourceRoots(List.of()),
                AgentKey.NONE,
                LinkConfig.none(),
                ResyncConfig.none(),
                Duration.ZERO,
                TapConfig.defaults(19),
                transport);
    }
}
