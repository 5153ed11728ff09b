package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.accept.ProxyProtocolConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How many clients get in, and what becomes of the others. */
final class AcceptTest {
    /**
     * A relay in a process of its own: {@code production-port}. Prints its port, and an ending's count for its name.
     */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException {
            EventLoops loops = EventLoops.open(1, 1);
            Listener listener = open(loops, Integer.parseInt(args[0]), AcceptConfig.defaults());
            System.out.println(listener.address().getPort());
            while (System.in.read() >= 0) {
                System.out.println("opened " + listener.opened() + " open " + listener.open());
            }
        }
    }

    private static Listener open(EventLoops loops, int production, AcceptConfig accept) throws IOException {
        return Listener.open(
                new RelayConfig(
                        "tight",
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        ProductionConfig.of(new Address.Inet("127.0.0.1", production)),
                        accept),
                TapFactory.NONE,
                loops,
                new SimpleMeterRegistry());
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), RelayStage.PATIENCE_MILLIS);
        socket.setSoTimeout(RelayStage.PATIENCE_MILLIS);
        socket.getOutputStream().write('?');
        return socket;
    }

    @Test
    void acceptRate_isKept() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (NamedServer production = NamedServer.open("a");
                EventLoops loops = RelayStage.loops(RelayStage.transport());
                Listener listener =
                        open(loops, production.port(), new AcceptConfig(1000, 20, ProxyProtocolConfig.OFF))) {
            long begun = System.nanoTime();
            for (int n = 0; n < 40; n++) {
                clients.add(connect(listener.address().getPort()));
            }
            for (Socket client : clients) {
                assertThat(client.getInputStream().read()).isEqualTo('a');
            }
            assertThat(System.nanoTime() - begun).isGreaterThan(900_000_000L);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /** A connection needs two descriptors, so that 300 of them need more than the 260 of the process. */
    @Tag("process")
    @Test
    void processWithoutDescriptors_letsClientsWait_saysSoOnce_andRecovers() throws Exception {
        List<Socket> clients = new ArrayList<>();
        List<String> limited = List.of("bash", "-c", "ulimit -n 260; exec \"$@\"", "-");
        try (NamedServer production = NamedServer.open("a");
                ForkedJvm relay = ForkedJvm.start(limited, Program.class, Integer.toString(production.port()))) {
            int port = Integer.parseInt(relay.ready);
            warmUp(port);
            for (int n = 0; n < 300; n++) {
                clients.add(connect(port));
            }
            assertThat(relay.line()).contains("listener tight can't accept").contains("open files");
            assertThat(clients.get(0).getInputStream().read()).isEqualTo('a');
            int answered = 0;
            int reset = 0;
            // Each that leaves makes room for one that waits.
            for (Socket client : clients.subList(1, clients.size())) {
                try {
                    assertThat(client.getInputStream().read()).isEqualTo('a');
                    answered++;
                } catch (IOException noSocketForProduction) {
                    reset++;
                }
                client.close();
            }
            assertThat(answered).isGreaterThan(250);
            assertThat(reset)
                    .as("clients reset for want of a second descriptor")
                    .isLessThan(40);
            assertThat(relay.line()).contains("listener tight accepts again");
            try (Socket late = connect(port)) {
                assertThat(late.getInputStream().read()).isEqualTo('a');
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /** A class that is loaded from a folder needs a descriptor, too; one in the jar doesn't. */
    private static void warmUp(int port) throws IOException {
        try (Socket client = connect(port)) {
            assertThat(client.getInputStream().read()).isEqualTo('a');
            client.shutdownOutput();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
        try (Socket client = connect(port)) {
            assertThat(client.getInputStream().read()).isEqualTo('a');
            RelayStage.reset(client);
        }
    }

    @Test
    void limits_areChecked() {
        assertThatThrownBy(() -> AcceptConfig.defaults().atMost(0)).hasMessageContaining("max-connections: 0");
        assertThatThrownBy(() -> new AcceptConfig(1, -1, ProxyProtocolConfig.OFF))
                .hasMessageContaining("max-accept-rate: -1");
    }
}
