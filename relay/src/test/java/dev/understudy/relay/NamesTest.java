package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.HealthConfig;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Production by its name, looked up by the JDK in a hosts file that changes. */
@Tag("process")
final class NamesTest {
    @TempDir
    Path folder;

    /** A relay: {@code hosts-file production-port}. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException {
            System.setProperty("jdk.net.hosts.file", args[0]);
            System.setProperty("sun.net.inetaddr.ttl", "1");
            ProductionConfig production = new ProductionConfig(
                    List.of(new Address.Inet("shop.test", Integer.parseInt(args[1]))),
                    false,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(1),
                    new HealthConfig(Duration.ofMillis(200), Duration.ofSeconds(1), 2, 3),
                    null);
            Listener listener = Listener.open(
                    new RelayConfig(
                            "named",
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                            production,
                            AcceptConfig.defaults()),
                    TapFactory.NONE,
                    EventLoops.open(1, 1),
                    new SimpleMeterRegistry());
            System.out.println(listener.address().getPort());
            System.in.read();
        }
    }

    private static char ask(int port) {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.setSoTimeout(RelayStage.PATIENCE_MILLIS);
            client.getOutputStream().write('?');
            return (char) client.getInputStream().read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void name_isFollowed_andWithTwoAddressesHasASecondOne() throws Exception {
        Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.2 shop.test\n");
        NamedServer first = NamedServer.open("a", "127.0.0.2", 0);
        try (NamedServer second = NamedServer.open("b", "127.0.0.3", first.port());
                ForkedJvm relay = ForkedJvm.start(Program.class, hosts.toString(), Integer.toString(second.port()))) {
            int port = Integer.parseInt(relay.ready);
            assertThat(ask(port)).isEqualTo('a');

            Files.writeString(hosts, "127.0.0.3 shop.test\n");
            RelayStage.await("the new address", () -> ask(port) == 'b');

            Files.writeString(hosts, "127.0.0.2 shop.test\n127.0.0.3 shop.test\n");
            RelayStage.await("both addresses", () -> ask(port) == 'a');
            first.close();
            assertThat(ask(port)).isEqualTo('b');
        } finally {
            first.close();
        }
    }
}
