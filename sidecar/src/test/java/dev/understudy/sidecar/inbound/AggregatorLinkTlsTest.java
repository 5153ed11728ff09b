package dev.understudy.sidecar.inbound;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.understudy.relay.TestKeys;
import dev.understudy.relay.tls.CallerTlsConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The link to an aggregator whose control port wants a certificate. */
@Tag("slow")
final class AggregatorLinkTlsTest {
    private final AtomicInteger asked = new AtomicInteger();

    @TempDir
    Path folder;

    private TestKeys authority;
    private TestKeys sidecar;
    private HttpsServer aggregator;

    @BeforeEach
    void start() throws Exception {
        authority = TestKeys.authority(folder, "authority");
        sidecar = authority.sign(folder, "sidecar");
        SSLContext context = authority.sign(folder, "localhost").trusting(authority);
        aggregator = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        aggregator.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setNeedClientAuth(true);
                parameters.setSSLParameters(wanted);
            }
        });
        aggregator.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            asked.incrementAndGet();
            byte[] body = "{}".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        aggregator.start();
    }

    @AfterEach
    void stop() {
        aggregator.stop(0);
    }

    @Test
    void linkWithItsCertificate_isUp() throws Exception {
        try (AggregatorLink link = open(new CallerTlsConfig(authority.files.chain(), sidecar.files))) {
            await().until(link::up);
        }
    }

    @Test
    void linkThatIsRefused_comesUpWithRenewedFiles() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        TestKeys stranger = TestKeys.make(other, "sidecar", "EC");
        try (AggregatorLink link = open(new CallerTlsConfig(authority.files.chain(), stranger.files))) {
            link.told(new InboundState(1, null, null, null, 1, 1, 1, 1));
            await().until(() -> link.dropped() == 1);
            assertThat(asked.get()).isZero();

            sidecar.replace(stranger);
            await().until(link::up);
        }
    }

    @Test
    void aggregatorThatNobodyVouchesFor_isToldNothing() throws Exception {
        TestKeys other = TestKeys.authority(Files.createDirectory(folder.resolve("other")), "authority");
        try (AggregatorLink link = open(new CallerTlsConfig(other.files.chain(), sidecar.files))) {
            link.told(new InboundState(1, null, null, null, 1, 1, 1, 1));

            await().until(() -> link.dropped() == 1);
            assertThat(asked.get()).isZero();
        }
    }

    @Test
    void filesThatCantBeRead_areNamed() {
        assertThatThrownBy(() -> open(new CallerTlsConfig(folder.resolve("none.crt"), null)))
                .hasMessageContainingAll("aggregator: ", "none.crt");
    }

    private AggregatorLink open(CallerTlsConfig tls) throws Exception {
        String url = "https://localhost:" + aggregator.getAddress().getPort();
        return new AggregatorLink(new LinkClient(new LinkConfig(url, "s3cret", "", tls)), () -> 0, outgoing -> {});
    }
}
