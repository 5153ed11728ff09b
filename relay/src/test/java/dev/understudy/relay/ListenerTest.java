package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ListenerTest {
    private static void exchange(Socket client, Socket production) throws IOException {
        client.getOutputStream().write("question".getBytes(US_ASCII));
        assertThat(production.getInputStream().readNBytes(8)).asString().isEqualTo("question");
        production.getOutputStream().write("answer".getBytes(US_ASCII));
        assertThat(client.getInputStream().readNBytes(6)).asString().isEqualTo("answer");
    }

    @Test
    void takenPort_isNamed() throws Exception {
        try (RelayStage stage = RelayStage.open(RelayStage.transport())) {
            RelayConfig config = new RelayConfig("second", stage.listener.address(), "127.0.0.1", 1);
            assertThatThrownBy(() -> Listener.open(config, TapFactory.NONE, stage.loops, stage.registry))
                    .isInstanceOf(BindFailed.class)
                    .hasMessageContaining("listener second: can't listen on")
                    .hasMessageContaining(":" + stage.listener.address().getPort());
        }
    }

    @Test
    void unknownListenHost_isNamed() throws Exception {
        try (RelayStage stage = RelayStage.open(RelayStage.transport())) {
            InetSocketAddress nowhere = InetSocketAddress.createUnresolved("no.such.host.invalid", 1234);
            RelayConfig config = new RelayConfig("lost", nowhere, "127.0.0.1", 1);
            assertThatThrownBy(() -> Listener.open(config, TapFactory.NONE, stage.loops, stage.registry))
                    .isInstanceOfSatisfying(
                            BindFailed.class, e -> assertThat(e.address()).isEqualTo(nowhere))
                    .hasMessageContaining("no.such.host.invalid");
        }
    }

    @Test
    void severalListeners_shareTheLoops() throws Exception {
        try (RelayStage stage = RelayStage.open(RelayStage.transport());
                Listener second = Listener.open(
                        new RelayConfig(
                                "second",
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                "localhost",
                                stage.production.getLocalPort()),
                        TapFactory.NONE,
                        stage.loops,
                        new SimpleMeterRegistry())) {
            exchange(stage.client(), stage.accepted());
            try (Socket client = new Socket(
                            second.address().getAddress(), second.address().getPort());
                    Socket production = stage.accepted()) {
                exchange(client, production);
            }
            RelayStage.await("end", () -> second.open() == 0);
            assertThat(second.opened()).isEqualTo(1);
            assertThat(stage.listener.opened()).isEqualTo(1);
        }
    }

    @Test
    void unknownProductionHost_isAResetForTheClient() throws Exception {
        try (RelayStage stage = RelayStage.open(RelayStage.transport());
                Listener lost = Listener.open(
                        new RelayConfig(
                                "lost",
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                "no.such.host.invalid",
                                80),
                        TapFactory.NONE,
                        stage.loops,
                        new SimpleMeterRegistry())) {
            try (Socket client =
                    new Socket(lost.address().getAddress(), lost.address().getPort())) {
                client.setSoTimeout(RelayStage.PATIENCE_MILLIS);
                assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
            }
            RelayStage.await("end", () -> lost.endings(CloseReason.CONNECT_FAILED) == 1);
        }
    }

    @Test
    void connectionsBeyondTheLimit_waitForAnotherToEnd() throws Exception {
        try (RelayStage stage = RelayStage.open(TapFactory.NONE, 2)) {
            Socket first = stage.client();
            Socket firstProduction = stage.accepted();
            exchange(first, firstProduction);
            exchange(stage.client(), stage.accepted());
            Socket third = stage.client();
            CompletableFuture<Socket> thirdProduction = Bytes.async(stage::accepted);
            assertThat(thirdProduction).isNotDone();
            assertThat(stage.listener.opened()).isEqualTo(2);
            first.close();
            firstProduction.close();
            exchange(third, thirdProduction.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void drain_waitsForConnectionsToEndByThemselves() throws Exception {
        try (RelayStage stage = RelayStage.open(RelayStage.transport())) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            exchange(client, production);
            InetSocketAddress address = stage.listener.address();
            CompletableFuture<Boolean> drained =
                    Bytes.async(() -> stage.listener.drain(Duration.ofMillis(RelayStage.PATIENCE_MILLIS)));
            RelayStage.await("no more accepting", () -> refuses(address));
            exchange(client, production);
            assertThat(drained).isNotDone();
            // Ends the probes that still got in.
            stage.production.close();
            client.close();
            production.close();
            assertThat(drained.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isTrue();
        }
    }

    private static boolean refuses(InetSocketAddress address) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void drainWithoutPatience_resetsBothSides() throws Exception {
        try (RelayStage stage = RelayStage.open(RelayStage.transport())) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            exchange(client, production);
            assertThat(stage.listener.drain(Duration.ofMillis(20))).isFalse();
            assertThatThrownBy(() -> client.getInputStream().read()).hasMessageContaining("reset");
            assertThatThrownBy(() -> production.getInputStream().read()).hasMessageContaining("reset");
            RelayStage.await("end", () -> stage.listener.endings(CloseReason.SHUTDOWN) == 1);
        }
    }

    @Test
    void throwingFactory_leavesTheRelayAlone() throws Exception {
        TapFactory broken = connection -> {
            throw new IllegalStateException("a defect on purpose");
        };
        try (RelayStage stage = RelayStage.open(RelayStage.transport(), broken)) {
            exchange(stage.client(), stage.accepted());
            assertThat(tapFailures(stage)).isEqualTo(1);
        }
    }

    @Test
    void throwingTap_leavesTheRelayAlone() throws Exception {
        TapFactory broken = connection -> new Tap() {
            @Override
            public void data(Direction direction, ByteBuf data, long nanos) {
                data.release();
                throw new StackOverflowError("a defect on purpose");
            }

            @Override
            public void end(Direction direction, long nanos) {}

            @Override
            public void closed(CloseReason reason, long nanos) {}
        };
        try (RelayStage stage = RelayStage.open(RelayStage.transport(), broken)) {
            Socket client = stage.client();
            Socket production = stage.accepted();
            exchange(client, production);
            exchange(client, production);
            assertThat(tapFailures(stage)).isEqualTo(1);
        }
    }

    private static double tapFailures(RelayStage stage) {
        return stage.registry
                .get("understudy.relay.tap.failures")
                .functionCounter()
                .count();
    }

    @Test
    void meters_tellConnectionsBytesAndEndings() throws Exception {
        try (RelayStage stage = RelayStage.open(RelayStage.transport())) {
            Socket client = stage.client();
            exchange(client, stage.accepted());
            RelayStage.reset(client);
            RelayStage.await("end", () -> stage.listener.open() == 0);
            assertThat(count(stage, "understudy.relay.connections", "listener", "test"))
                    .isEqualTo(1);
            assertThat(count(stage, "understudy.relay.bytes", "direction", "request"))
                    .isEqualTo(8);
            assertThat(count(stage, "understudy.relay.bytes", "direction", "reply"))
                    .isEqualTo(6);
            assertThat(count(stage, "understudy.relay.endings", "reason", "reset_by_client"))
                    .isEqualTo(1);
        }
    }

    private static double count(RelayStage stage, String name, String tag, String value) {
        return stage.registry.get(name).tag(tag, value).functionCounter().count();
    }
}
