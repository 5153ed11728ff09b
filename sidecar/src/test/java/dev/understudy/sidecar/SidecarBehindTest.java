package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.TestKeys;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two services on one port, told apart by the name that clients ask for in their TLS handshake. */
final class SidecarBehindTest {
    private static final HttpService.Answer OK = (asked, exchange) -> HttpService.reply(exchange, 200, "{}");

    @TempDir
    static Path folder;

    private static TestKeys keys;

    @BeforeAll
    static void make() throws Exception {
        keys = TestKeys.make(folder, "*.test", "EC");
    }

    @Test
    void eachName_hasItsOwnProductionAndItsOwnCopy() throws Exception {
        try (HttpService shop = HttpService.answering(OK);
                HttpService shopCopy = HttpService.answering(OK);
                HttpService pay = HttpService.answering(OK);
                HttpService payCopy = HttpService.answering(OK)) {
            String listeners =
                    """
                    listeners:
                      - {name: pay, behind: shop, server-names: ['pay.test', '*.pay.test'], production: '%s', debug: \
                    '%s'}
                      - {name: shop, listen: '127.0.0.1:0', production: '%s', debug: '%s',
                         tls: {certificates: [{certificate: '%s', key: '%s'}]}}
                    control: {listen: '127.0.0.1:0', anonymous: admin}
                    drain: 100ms
                    """.formatted(at(pay), at(payCopy), at(shop), at(shopCopy), keys.files.chain(), keys.files.key());
            try (Sidecar sidecar = Sidecar.start(read(listeners))) {
                assertThat(sidecar.addresses().get("pay"))
                        .isEqualTo(sidecar.addresses().get("shop"));
                ask(sidecar, "pay.test", "/a");
                ask(sidecar, "shop.test", "/b");
                ask(sidecar, "pay.test", "/c");

                await().until(() -> verdicts(sidecar) == 3);
            }
            for (HttpService each : List.of(pay, payCopy)) {
                assertThat(each.asked).extracting(HttpService.Asked::target).containsExactly("/a", "/c");
            }
            for (HttpService each : List.of(shop, shopCopy)) {
                assertThat(each.asked).extracting(HttpService.Asked::target).containsExactly("/b");
            }
        }
    }

    @Test
    void wrongSettings_areNamed() {
        assertThatThrownBy(() -> read("""
                listeners:
                  - {name: a, behind: b, server-names: [x.test], production: '127.0.0.1:1'}
                  - {name: b, listen: '127.0.0.1:0', production: '127.0.0.1:1'}
                """))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a listener with tls");
        assertThatThrownBy(() -> read("""
                listeners:
                  - {name: a, behind: b, production: '127.0.0.1:1', listen: '127.0.0.1:0', max-connections: 7}
                """))
                .hasMessageContaining("server-names: none")
                .hasMessageContaining("max-connections")
                .hasMessageContaining("listen");
        assertThatThrownBy(() -> read("""
                listeners:
                  - {name: a, behind: b, server-names: [x.test], production: '127.0.0.1:1'}
                  - {name: c, behind: b, server-names: [X.TEST], production: '127.0.0.1:1'}
                """))
                .hasMessageContaining("x.test (expected: a name no other listener behind b has)");
        assertThatThrownBy(() -> read("""
                listeners: [{name: a, behind: b, server-names: ['x.*'], production: '127.0.0.1:1'}]
                """)).hasMessageContaining("x.* (expected: a host name, or *. and one)");
    }

    private static SidecarConfig read(String text) throws IOException {
        Problems problems = new Problems();
        Path file = Files.writeString(folder.resolve("sidecar.yaml"), text);
        return SidecarConfig.read(file, new Overrides(Map.of(), List.of(), problems), problems);
    }

    private static String at(HttpService service) {
        return "127.0.0.1:" + service.address().getPort();
    }

    private static void ask(Sidecar sidecar, String name, String path) throws Exception {
        int port = requireNonNull(sidecar.addresses().get("shop")).getPort();
        try (SSLSocket client = (SSLSocket)
                keys.trusting(keys).getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            SSLParameters parameters = client.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(name)));
            client.setSSLParameters(parameters);
            PlainServer.write(client, "GET " + path + " HTTP/1.1\r\nHost: " + name + "\r\n\r\n");
            assertThat(PlainServer.readUntil(client, "{}")).startsWith("HTTP/1.1 200");
        }
    }

    private static int verdicts(Sidecar sidecar) throws IOException {
        URI status = URI.create("http://127.0.0.1:" + sidecar.controlAddress().getPort() + "/v1/status");
        int verdicts = 0;
        for (JsonNode listener :
                new ObjectMapper().readTree(status.toURL().openStream()).path("listeners")) {
            verdicts += listener.at("/verdicts/SAME").asInt()
                    + listener.at("/verdicts/EQUIVALENT").asInt();
        }
        return verdicts;
    }
}
