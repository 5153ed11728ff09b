package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.loop.Transport;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

final class Ipv6Test {
    private static ServerSocket server(InetAddress loopback) {
        try {
            return new ServerSocket(0, 50, loopback);
        } catch (IOException none) {
            assumeTrue(false, "no IPv6 here: " + none.getMessage());
            throw new AssertionError(none);
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void clientAndProduction_mayBothUseIt(Transport transport) throws Exception {
        InetAddress loopback = InetAddress.getByName("::1");
        try (ServerSocket production = server(loopback);
                EventLoops loops = RelayStage.loops(transport);
                Listener listener = Listener.open(
                        new RelayConfig(
                                "six",
                                new InetSocketAddress(loopback, 0),
                                ProductionConfig.of(Address.parse("[::1]:" + production.getLocalPort())),
                                AcceptConfig.defaults()),
                        TapFactory.NONE,
                        loops,
                        new SimpleMeterRegistry())) {
            assertThat(listener.address().getAddress()).isInstanceOf(Inet6Address.class);
            try (Socket client = new Socket(loopback, listener.address().getPort());
                    Socket server = production.accept()) {
                client.getOutputStream().write('6');
                assertThat(server.getInputStream().read()).isEqualTo('6');
                server.getOutputStream().write('!');
                assertThat(client.getInputStream().read()).isEqualTo('!');
            }
        }
    }
}
