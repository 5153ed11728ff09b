package dev.understudy.aggregator;

import dev.understudy.relay.TestKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

/** Whatever way the relay takes between production and its upstream, what is recorded are the calls themselves. */
final class UpstreamRelayTest {
    private static final String PROXY_LINE = "PROXY TCP4 192.0.2.7 198.51.100.8 4711 443\r\n";

    @TempDir
    private Path folder;

    @Test
    void upstreamThatDies_isFollowedByTheNext_andTheCallsOfBothAreReplayed() throws Exception {
        HeadServer first = HeadServer.open("first");
        try (first;
                HeadServer second = HeadServer.open("second");
                Aggregator aggregator = open(
                        "upstream: [" + at(first) + ", " + at(second) + "]",
                        "health: { interval: 100ms, timeout: 1m, rise: 1, fall: 1 }")) {
            assertReplayed(aggregator, "/a", "first 1");
            first.close();
            assertReplayed(aggregator, "/a", "second 1");
            Eventually.await(() -> TestAggregator.status(aggregator).contains("\"up\":false"));
            assertReplayed(aggregator, "/b", "second 2");
            assertWhole(aggregator, 3);
        }
    }

    @Test
    void proxyHeaderOfProduction_isPassedOnAndNotRecorded() throws Exception {
        try (HeadServer upstream = HeadServer.open("upstream");
                Aggregator aggregator = open(
                        "upstream: " + at(upstream),
                        "proxy-protocol: { mode: both, version: v1, trusted: [127.0.0.0/8] }")) {
            String real = ask(SocketFactory.getDefault(), aggregator.productionAddress("test"), PROXY_LINE, "/a");
            assertThat(real).endsWith("upstream 1");
            assertThat(upstream.heads).singleElement().asString().startsWith(PROXY_LINE + "GET /a ");
            assertThat(replayed(aggregator, "/a")).isEqualTo(real);
            assertWhole(aggregator, 1);
        }
    }

    @Test
    void proxyHeaderThatIsNotToBePassedOn_endsHere() throws Exception {
        try (HeadServer upstream = HeadServer.open("upstream");
                Aggregator aggregator =
                        open("upstream: " + at(upstream), "proxy-protocol: { mode: in, trusted: [127.0.0.0/8] }")) {
            String real = ask(SocketFactory.getDefault(), aggregator.productionAddress("test"), PROXY_LINE, "/a");
            assertThat(upstream.heads).singleElement().asString().startsWith("GET /a ");
            assertThat(replayed(aggregator, "/a")).isEqualTo(real);
            assertWhole(aggregator, 1);
        }
    }

    @Test
    @Tag("process")
    void tlsWithProductionAndWithTheUpstream_isPlainTextInTheRecording() throws Exception {
        TestKeys here = TestKeys.make(folder, "here.test", "EC");
        TestKeys there = TestKeys.make(folder, "there.test", "EC");
        try (HeadServer upstream = HeadServer.open("secret", there.trusting().getServerSocketFactory());
                Aggregator aggregator = open(
                        "upstream: " + at(upstream),
                        "tls: { certificates: [{ certificate: %s, key: %s }] }"
                                .formatted(here.files.chain(), here.files.key()),
                        "production-tls: { server-name: there.test, ca: %s }".formatted(there.files.chain()))) {
            SocketFactory sockets = there.trusting(here).getSocketFactory();
            String real = ask(sockets, aggregator.productionAddress("test"), "", "/a");
            assertThat(real).endsWith("secret 1");
            assertThat(replayed(aggregator, "/a")).isEqualTo(real);
            assertWhole(aggregator, 1);
        }
    }

    @Test
    void unixSocket_isAnUpstreamLikeAnyOther() throws Exception {
        Path socket = folder.resolve("upstream");
        try (HeadServer upstream = HeadServer.open("unix", socket);
                Aggregator aggregator = open("upstream: unix:" + socket)) {
            assertReplayed(aggregator, "/a", "unix 1");
            assertThat(upstream.heads).hasSize(1);
            assertWhole(aggregator, 1);
        }
    }

    private static Aggregator open(String... production) throws IOException {
        return TestAggregator.open(
                "http", 0, "production: { listen: 127.0.0.1:0, " + String.join(", ", production) + " }", "wait: 30s");
    }

    private static String at(HeadServer server) {
        return "127.0.0.1:" + server.port();
    }

    /** Production asks, then debug, and both hear the same. */
    private static void assertReplayed(Aggregator aggregator, String path, String said) throws IOException {
        String real = ask(SocketFactory.getDefault(), aggregator.productionAddress("test"), "", path);
        assertThat(real).endsWith("\r\n\r\n" + said);
        assertThat(replayed(aggregator, path)).isEqualTo(real);
    }

    private static String replayed(Aggregator aggregator, String path) throws IOException {
        return ask(SocketFactory.getDefault(), (InetSocketAddress) aggregator.debugAddress("test"), "", path);
    }

    private static void assertWhole(Aggregator aggregator, int calls) {
        assertThat(TestAggregator.status(aggregator))
                .contains("\"exchanges\":" + calls, "\"unframed\":{}", "\"replayed\":" + calls, "\"missed\":0");
    }

    /** Everything that is said until the other end closes. */
    private static String ask(SocketFactory sockets, InetSocketAddress server, String before, String path)
            throws IOException {
        try (Socket socket = sockets.createSocket(InetAddress.getLoopbackAddress(), server.getPort())) {
            socket.setSoTimeout(60_000);
            String request = before + "GET " + path + " HTTP/1.1\r\nHost: upstream\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }
}
