package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.HealthConfig;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Production with several addresses: which one a client gets, and what it sees of those that are down. */
final class FailoverTest {
    private static final HealthConfig BRISK = new HealthConfig(Duration.ofMillis(100), Duration.ofSeconds(1), 2, 3);

    /** Whose first check comes when the test is over. */
    private static final HealthConfig NEVER = new HealthConfig(Duration.ofHours(1), Duration.ofSeconds(1), 2, 3);

    private static Address at(int port) {
        return new Address.Inet("127.0.0.1", port);
    }

    private static Listener open(EventLoops loops, SimpleMeterRegistry registry, HealthConfig health, int... ports)
            throws IOException {
        List<Address> addresses = new ArrayList<>();
        for (int port : ports) {
            addresses.add(at(port));
        }
        ProductionConfig production =
                new ProductionConfig(addresses, false, Duration.ofSeconds(4), Duration.ofSeconds(30), health, null);
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return Listener.open(
                new RelayConfig("test", free, production, AcceptConfig.defaults()), TapFactory.NONE, loops, registry);
    }

    /** The name of the server that answers a new client. */
    private static char ask(Listener listener) throws IOException {
        try (Socket client = new Socket()) {
            client.connect(listener.address(), RelayStage.PATIENCE_MILLIS);
            client.setSoTimeout(RelayStage.PATIENCE_MILLIS);
            client.getOutputStream().write('?');
            return (char) client.getInputStream().read();
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void refusingAddress_isPassedOverBeforeTheClientNotices(Transport transport) throws Exception {
        try (EventLoops loops = RelayStage.loops(transport);
                NamedServer second = NamedServer.open("b");
                Listener listener = open(loops, new SimpleMeterRegistry(), NEVER, Ports.free(), second.port())) {
            for (int n = 0; n < 5; n++) {
                assertThat(ask(listener)).isEqualTo('b');
            }
            RelayStage.await("end", () -> listener.endings(CloseReason.FINISHED) == 5);
            assertThat(listener.production())
                    .extracting(TargetStatus::up, TargetStatus::accepted)
                    .containsExactly(tuple(false, 0L), tuple(true, 5L));
            // Down after three refusals, so that the fourth client isn't led there.
            assertThat(listener.production().get(0).failed()).isEqualTo(3);
        }
    }

    @Tag("slow")
    @Test
    void silentAddress_leavesTheNextOneTime_andIsTriedLastFromThenOn() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Socket> filling = new ArrayList<>();
            try (EventLoops loops = RelayStage.loops(RelayStage.transport());
                    NamedServer second = NamedServer.open("b")) {
                fill(silent, filling);
                try (Listener listener =
                        open(loops, new SimpleMeterRegistry(), NEVER, silent.getLocalPort(), second.port())) {
                    long begun = System.nanoTime();
                    assertThat(ask(listener)).isEqualTo('b');
                    assertThat(System.nanoTime() - begun).isGreaterThan(1_000_000_000L);
                    assertThat(listener.production().get(0).up()).isFalse();
                    assertThat(listener.production().get(0).failed()).isEqualTo(1);
                    assertThat(ask(listener)).isEqualTo('b');
                    assertThat(listener.production().get(0).failed()).isEqualTo(1);
                }
            } finally {
                for (Socket socket : filling) {
                    socket.close();
                }
            }
        }
    }

    /** With its queue full, Linux answers no further SYN. */
    private static void fill(ServerSocket silent, List<Socket> filling) throws IOException {
        while (true) {
            Socket socket = new Socket();
            filling.add(socket);
            try {
                socket.connect(silent.getLocalSocketAddress(), 300);
            } catch (SocketTimeoutException full) {
                return;
            }
        }
    }

    @Test
    void addressThatComesBack_isPreferredAgain() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (EventLoops loops = RelayStage.loops(RelayStage.transport());
                NamedServer second = NamedServer.open("b")) {
            NamedServer first = NamedServer.open("a", Ports.free());
            int port = first.port();
            try (Listener listener = open(loops, registry, BRISK, port, second.port())) {
                assertThat(ask(listener)).isEqualTo('a');
                first.close();
                // Nobody connects meanwhile: the checks alone find out.
                RelayStage.await("down", () -> !listener.production().get(0).up());
                assertThat(up(registry, port)).isZero();
                assertThat(ask(listener)).isEqualTo('b');
                try (NamedServer again = NamedServer.open("A", port)) {
                    RelayStage.await("up", () -> listener.production().get(0).up());
                    assertThat(ask(listener)).isEqualTo('A');
                    assertThat(up(registry, again.port())).isEqualTo(1);
                }
            }
        }
    }

    private static double up(SimpleMeterRegistry registry, int port) {
        return registry.get("understudy.relay.production.up")
                .tags("listener", "test", "address", "127.0.0.1:" + port)
                .gauge()
                .value();
    }

    @Test
    void allAddressesDown_areTriedAllTheSame() throws Exception {
        int port = Ports.free();
        try (EventLoops loops = RelayStage.loops(RelayStage.transport());
                Listener listener = open(loops, new SimpleMeterRegistry(), BRISK, port, Ports.free())) {
            RelayStage.await("all down", () -> listener.production().stream().noneMatch(TargetStatus::up));
            try (NamedServer late = NamedServer.open("a", port)) {
                assertThat(ask(listener)).isEqualTo('a');
                assertThat(late.port()).isEqualTo(port);
            }
        }
    }

    @Tag("process")
    @Test
    void killedProduction_costsNoNewClientAnything() throws Exception {
        try (EventLoops loops = RelayStage.loops(RelayStage.transport());
                ForkedJvm first = ForkedJvm.start(NamedServer.class, "a", "0");
                NamedServer second = NamedServer.open("b");
                Listener listener = open(
                        loops,
                        new SimpleMeterRegistry(),
                        HealthConfig.defaults(),
                        Integer.parseInt(first.ready),
                        second.port())) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicBoolean dead = new AtomicBoolean();
            AtomicInteger served = new AtomicInteger();
            List<CompletableFuture<Integer>> clients = new ArrayList<>();
            for (int n = 0; n < 4; n++) {
                clients.add(Bytes.async(() -> {
                    int refusedAfterwards = 0;
                    while (!stop.get()) {
                        boolean after = dead.get();
                        boolean answered = answers(listener);
                        served.incrementAndGet();
                        refusedAfterwards += after && !answered ? 1 : 0;
                    }
                    return refusedAfterwards;
                }));
            }
            RelayStage.await("load", () -> served.get() > 100);
            first.kill();
            dead.set(true);
            int then = served.get();
            RelayStage.await("more load", () -> served.get() > then + 300);
            stop.set(true);
            for (CompletableFuture<Integer> client : clients) {
                assertThat(client.get(RelayStage.PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                        .as("new clients without an answer after the kill")
                        .isZero();
            }
            assertThat(listener.production().get(0).accepted()).isPositive();
            assertThat(listener.production().get(1).accepted()).isGreaterThanOrEqualTo(296);
        }
    }

    private static boolean answers(Listener listener) {
        try {
            char name = ask(listener);
            return name == 'a' || name == 'b';
        } catch (IOException reset) {
            return false;
        }
    }
}
