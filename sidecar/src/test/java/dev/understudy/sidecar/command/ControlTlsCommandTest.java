package dev.understudy.sidecar.command;

import dev.understudy.relay.TestKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Commands against a control port that speaks TLS, and what they say where that goes wrong. */
final class ControlTlsCommandTest {
    @TempDir
    Path folder;

    private TestKeys authority;
    private TestKeys port;

    @BeforeEach
    void make() throws Exception {
        authority = TestKeys.authority(folder, "authority");
        port = authority.sign(folder, "localhost");
    }

    @Test
    void command_withTheAuthority_isAnswered() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.withTls(folder, tls(port))) {
            Ran ran = status(https(sidecar), "--ca", file(authority.files.chain()));

            assertThat(ran.err()).isEmpty();
            assertThat(ran.out()).contains("shop  127.0.0.1:");
        }
    }

    @Test
    void portThatNobodyKnows_isNotTrusted_andTheWayOutIsTold() throws Exception {
        TestKeys other = TestKeys.authority(Files.createDirectory(folder.resolve("other")), "authority");
        try (RunningSidecar sidecar = RunningSidecar.withTls(folder, tls(port))) {
            String url = https(sidecar);

            assertThat(status(url).err())
                    .isEqualTo(
                            "understudy status: " + url + ": its certificate isn't trusted (expected: --ca FILE with "
                                    + "who vouches for it, or UNDERSTUDY_CONTROL_CA)\n");
            assertThat(status(url, "--ca", file(other.files.chain())).err()).contains("isn't trusted");
            assertThat(Ran.run("ca", "--url", url).err()).contains("isn't trusted", "or UNDERSTUDY_AGGREGATOR_CA");
            assertThat(status(url).code()).isEqualTo(2);
        }
    }

    @Test
    void certificateOfAnotherName_orOfAnotherTime_isRefused() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.withTls(folder, tls(port))) {
            String url = https(sidecar).replace("localhost", "127.0.0.1");
            assertThat(status(url, "--ca", file(authority.files.chain())).err())
                    .contains("its certificate isn't made out to 127.0.0.1 (expected: a --url with its name)");
        }
        Path expired = Files.createDirectory(folder.resolve("expired"));
        try (RunningSidecar sidecar =
                RunningSidecar.withTls(folder, tls(authority.signExpired(expired, "localhost")))) {
            assertThat(status(https(sidecar), "--ca", file(authority.files.chain()))
                            .err())
                    .contains("its certificate isn't valid at this time");
        }
    }

    @Test
    void portThatWantsCertificates_getsThem_andRefusesOthers() throws Exception {
        TestKeys ann = authority.sign(folder, "ann");
        TestKeys stranger = TestKeys.make(folder, "stranger", "EC");
        String tls = tls(port) + ", clients: '" + authority.files.chain() + "'";
        try (RunningSidecar sidecar = RunningSidecar.withTls(folder, tls)) {
            String url = https(sidecar);
            String ca = file(authority.files.chain());

            Ran let = status(url, "--ca", ca, "--certificate", file(ann.files.chain()), "--key", file(ann.files.key()));
            assertThat(let.err()).isEmpty();
            assertThat(let.out()).contains("shop  127.0.0.1:");
            assertThat(status(url, "--ca", ca).err())
                    .contains("it wants a certificate of its callers (expected: --certificate FILE and --key FILE, "
                            + "or UNDERSTUDY_CONTROL_CERTIFICATE and UNDERSTUDY_CONTROL_KEY)");
            assertThat(status(
                                    url,
                                    "--ca",
                                    ca,
                                    "--certificate",
                                    file(stranger.files.chain()),
                                    "--key",
                                    file(stranger.files.key()))
                            .err())
                    .containsPattern("refuses this caller's certificate");
        }
    }

    @Test
    void plainUrl_ofAPortThatSpeaksTls_isToldSo() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.withTls(folder, tls(port))) {
            assertThat(status(sidecar.controlUrl()).err())
                    .isEqualTo("understudy status: " + sidecar.controlUrl()
                            + ": this port speaks TLS (expected: https://)\n");
        }
    }

    @Test
    void httpsUrl_ofAPortThatSpeaksNoTls_isToldSo() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answer(plain));
            server.start();

            assertThat(status("https://localhost:" + plain.getLocalPort()).err())
                    .contains("it doesn't speak TLS (expected: --url http://…)");
            server.join();
        }
    }

    @Test
    void filesThatCantBeRead_orAreNotAPair_areNamed() {
        String url = "https://localhost:1";
        Path none = folder.resolve("none.crt");

        assertThat(status(url, "--ca", file(none)).err())
                .startsWith("understudy status: TLS: ")
                .contains(file(none));
        assertThat(status(url, "--certificate", file(port.files.chain())).err())
                .contains("--key: missing (expected: the key of --certificate " + port.files.chain());
        assertThat(status(url, "--key", file(port.files.key())).err())
                .contains("--certificate: missing (expected: the certificate of --key " + port.files.key());
    }

    @Test
    void filesForAPlainUrl_areRefused_soThatNobodyBelievesItEncrypted() {
        assertThat(status("http://localhost:1", "--ca", file(authority.files.chain()))
                        .err())
                .contains("--ca: of no use with http://localhost:1 (expected: --url https://…)");
    }

    private static void answer(ServerSocket plain) {
        try (Socket caller = plain.accept()) {
            byte[] hello = new byte[1];
            int unused = caller.getInputStream().read(hello);
            caller.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            caller.shutdownOutput();
            caller.getInputStream().readAllBytes();
        } catch (IOException left) {
            // it has seen enough
        }
    }

    private static Ran status(String url, String... more) {
        String[] all = new String[more.length + 3];
        all[0] = "status";
        all[1] = "--url";
        all[2] = url;
        System.arraycopy(more, 0, all, 3, more.length);
        return Ran.run(all);
    }

    private static String https(RunningSidecar sidecar) {
        return sidecar.controlUrl().replace("http://127.0.0.1", "https://localhost");
    }

    private static String tls(TestKeys keys) {
        return "certificates: [{certificate: '" + keys.files.chain() + "', key: '" + keys.files.key() + "'}]";
    }

    private static String file(Path file) {
        return file.toString();
    }
}
