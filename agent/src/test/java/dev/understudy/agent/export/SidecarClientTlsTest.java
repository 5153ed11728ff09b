package dev.understudy.agent.export;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The agent's way to a sidecar whose control port speaks TLS; the keys are made by the JDK's keytool. */
@Tag("slow")
final class SidecarClientTlsTest {
    private static final String PASSWORD = "op3n-sesame";

    @TempDir
    static Path folder;

    private final OwnThreads threads = new OwnThreads();

    @SuppressWarnings("NullAway.Init") // opened by each test
    private HttpsServer sidecar;

    @BeforeAll
    static void makeKeys() throws Exception {
        for (String name : List.of("localhost", "agent", "stranger")) {
            keytool(
                    name,
                    "-genkeypair",
                    "-keyalg",
                    "EC",
                    "-keysize",
                    "256",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=dns:" + name);
            keytool(name, "-exportcert", "-rfc", "-file", pem(name));
        }
    }

    @AfterEach
    void stop() {
        sidecar.stop(0);
    }

    @Test
    void sidecarThatTheAuthorityVouchesFor_isAskedAndToldOverTls() throws Exception {
        open(false);
        try (SidecarClient client = client(pem("localhost"), "", "")) {
            assertThat(client.get("/v1/orders", 100)).asString().isEqualTo("ok");
            assertThat(client.report(new byte[] {'{', '}'})).isTrue();
            assertThat(client.post("/v1/callers", new byte[] {'{', '}'}, 2))
                    .asString()
                    .isEqualTo("ok");
            assertThatThrownBy(() -> client.post("/v1/callers", new byte[0], 1)).hasMessageContaining("larger than 1");
        }
    }

    @Test
    void sidecarThatNobodyVouchesFor_isNot() throws Exception {
        open(false);
        for (String authority : List.of("", pem("stranger"))) {
            try (SidecarClient client = client(authority, "", "")) {
                assertThatThrownBy(() -> client.get("/v1/orders", 100)).isInstanceOf(IOException.class);
                assertThat(client.report(new byte[] {'{', '}'})).isFalse();
            }
        }
    }

    @Test
    void certificateOfAnotherName_isRefused() throws Exception {
        open(false);
        TlsSettings tls = new TlsSettings(true, pem("localhost"), "", "");
        String url = "https://127.0.0.1:" + sidecar.getAddress().getPort();
        try (SidecarClient client = new SidecarClient(url, "t", tls, threads)) {
            assertThatThrownBy(() -> client.get("/v1/orders", 100)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void sidecarThatWantsACertificate_getsTheKeyStores() throws Exception {
        open(true);
        try (SidecarClient client = client(pem("localhost"), store("agent"), PASSWORD)) {
            assertThat(client.get("/v1/orders", 100)).asString().isEqualTo("ok");
        }
        for (String keystore : List.of("", store("stranger"))) {
            try (SidecarClient client = client(pem("localhost"), keystore, PASSWORD)) {
                assertThatThrownBy(() -> client.get("/v1/orders", 100)).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void filesThatCantBeRead_areNamed_andNoPasswordIs() throws Exception {
        open(false);
        assertThatThrownBy(() -> client(pem("localhost"), store("agent"), "wr0ng"))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("keystore: " + store("agent") + " can't be read: ")
                .hasMessageNotContaining("wr0ng");
        assertThatThrownBy(() -> client(folder.resolve("none.crt").toString(), "", ""))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("ca: " + folder.resolve("none.crt"));
        Path empty = Files.writeString(folder.resolve("empty.crt"), "");
        assertThatThrownBy(() -> client(empty.toString(), "", "")).hasMessageContaining("no certificate");
    }

    private SidecarClient client(String authority, String keystore, String password) throws GeneralSecurityException {
        String url = "https://localhost:" + sidecar.getAddress().getPort();
        return new SidecarClient(url, "t", new TlsSettings(true, authority, keystore, password), threads);
    }

    private void open(boolean wantsCertificates) throws IOException, GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(load("localhost"), PASSWORD.toCharArray());
        KeyStore agent = KeyStore.getInstance("PKCS12");
        agent.load(null, null);
        agent.setCertificateEntry("agent", load("agent").getCertificate("own"));
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(agent);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        sidecar = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        sidecar.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters wanted = context.getDefaultSSLParameters();
                wanted.setNeedClientAuth(wantsCertificates);
                parameters.setSSLParameters(wanted);
            }
        });
        sidecar.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] body = "ok".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        sidecar.start();
    }

    private static KeyStore load(String name) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(store(name)))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static void keytool(String name, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "own", "-storetype", "PKCS12"));
        command.addAll(List.of("-keystore", store(name), "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(process.waitFor()).as("%s", command).isZero();
    }

    private static String store(String name) {
        return folder.resolve(name + ".p12").toString();
    }

    private static String pem(String name) {
        return folder.resolve(name + ".crt").toString();
    }
}
