package dev.understudy.aggregator;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.relay.config.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Where a stand-in may be: nowhere that leads to a real upstream, whatever it is called. */
class StandinAddressTest {
    @TempDir
    private Path folder;

    @Test
    void standIn_isForHttp_andHasAnAddress() throws IOException {
        assertThat(read("http", "miss: standin, standin: 'standin:8081'")
                        .upstreams()
                        .get(0)
                        .standin())
                .hasToString("Inet[host=standin, port=8081]");
        assertThatThrownBy(() -> read("http", "miss: standin"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("upstreams[0].standin: missing (expected: host:port of a stand-in)");
        assertThatThrownBy(() -> read("http", "miss: standin, standin: 'unix:/tmp/a'"))
                .hasMessageContaining("standin: unix:/tmp/a (expected: host:port of a stand-in)");
        assertThatThrownBy(() -> read("http", "miss: fail, standin: 'standin:8081'"))
                .hasMessageContaining("standin: set (expected: none, unless miss is standin)");
        for (String other : new String[] {"redis", "postgres", "mysql", "tcp"}) {
            assertThatThrownBy(() -> read(other, "miss: standin, standin: 'standin:8081'"))
                    .as(other)
                    .hasMessageContaining("miss: standin (expected: another one, as stand-ins are for http)");
        }
    }

    @Test
    void upstreamsAddress_isNoStandIns() {
        for (String same : new String[] {"real:80", "REAL:80", "real.:80"}) {
            assertThatThrownBy(() -> read("http", "miss: standin, standin: '" + same + "'"))
                    .as(same)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("(expected: the address of a stand-in, not of the upstream first)");
        }
        for (String same : new String[] {"localhost:81", "127.0.0.1:81", "127.1.2.3:81", "[::1]:81"}) {
            assertThatThrownBy(() -> read("http", "miss: standin, standin: '" + same + "'"))
                    .as(same)
                    .hasMessageContaining("(expected: the address of a stand-in, not of the upstream second)");
        }
    }

    @Test
    void portThatLeadsToAnUpstream_isNoStandIns() {
        assertThatThrownBy(() -> read("http", "miss: standin, standin: 'localhost:9001'"))
                .hasMessageContaining(
                        "standin: localhost:9001 (expected: the address of a stand-in, not a port here of first)");
        assertThatThrownBy(() -> read("http", "miss: standin, standin: '127.0.0.1:9004'"))
                .hasMessageContaining("not a port here of second)");
    }

    @Test
    void transparentUpstream_hasNoStandIn() throws IOException {
        Path file = Files.writeString(folder.resolve("transparent.yaml"), """
                upstreams:
                  - name: a
                    protocol: http
                    production: { listen: 127.0.0.1:9001, transparent: true }
                    debug: { listen: 127.0.0.1:9002 }
                    miss: standin
                    standin: standin:8081
                """);

        assertThatThrownBy(() -> AggregatorConfig.read(file, Map.of(), List.of()))
                .hasMessageContaining(
                        "miss: standin (expected: another one, as the addresses of a transparent upstream");
    }

    private static CompletableFuture<List<InetAddress>> lookUp(String host) {
        try {
            return CompletableFuture.completedFuture(List.of(InetAddress.getAllByName(host)));
        } catch (UnknownHostException unknown) {
            return CompletableFuture.failedFuture(unknown);
        }
    }

    @Test
    void untilNamesAnswered_everyPeerIsKeptAwayFrom() throws IOException {
        CompletableFuture<List<InetAddress>> slow = new CompletableFuture<>();
        RealAddresses real = RealAddresses.of(
                read("http", "miss: standin, standin: 'standin:8081'").upstreams(), host -> slow);
        InetSocketAddress elsewhere = new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 8081);

        assertThat(real.contains(elsewhere)).isTrue();
        slow.completeExceptionally(new UnknownHostException("nobody"));
        assertThat(real.contains(elsewhere)).isFalse();
    }

    @Test
    void peers_areToldByWhatNamesLeadTo() throws IOException {
        RealAddresses real = RealAddresses.of(
                read("http", "miss: standin, standin: 'standin:8081'").upstreams(), StandinAddressTest::lookUp);
        InetAddress loopback = InetAddress.getByName("127.0.0.1");

        assertThat(real.contains(new InetSocketAddress(loopback, 81)))
                .as("localhost:81")
                .isTrue();
        assertThat(real.contains(new InetSocketAddress(loopback, 82))).isFalse();
        real.leads(new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 82));
        assertThat(real.contains(new InetSocketAddress(loopback, 82)))
                .as("any address of this machine")
                .isTrue();
        assertThat(real.contains(new InetSocketAddress(InetAddress.getByName("192.0.2.1"), 82)))
                .as("another machine")
                .isFalse();
        real.leads(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 83));
        assertThat(real.contains(new InetSocketAddress(loopback, 83))).isFalse();
        assertThat(real.contains(null)).isFalse();
    }

    private AggregatorConfig read(String protocol, String settings) throws IOException {
        Path file = Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - { name: first, protocol: %s, production: { listen: '0.0.0.0:9001', upstream: 'real:80' },
                      debug: { listen: '127.0.0.1:9002' }, %s }
                  - { name: second, protocol: tcp, production: { listen: '127.0.0.1:9003', upstream: 'localhost:81' },
                      debug: { listen: '127.0.0.1:9004' } }
                """.formatted(protocol, settings));
        return AggregatorConfig.read(file, Map.of(), List.of());
    }
}
