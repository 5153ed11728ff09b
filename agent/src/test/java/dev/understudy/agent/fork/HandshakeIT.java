package dev.understudy.agent.fork;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The same image with the same settings, started as the debug JVM and as production. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class HandshakeIT {
    private static final String SERVER = SmallServer.class.getName();
    private static final String KEY = "the sidecar's and its agents' key";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void theJvmThatTheSidecarConnectsTo_isWoven_andTheOtherOneStaysInert(Path java, @TempDir Path folder)
            throws Exception {
        Path key = Files.writeString(folder.resolve("key"), KEY + "\n");
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm debug = start(java, sidecar, key, "");
                ForkedJvm production = start(java, sidecar, key, ",name=production")) {
            assertThat(debug.get("/40", "")).isEqualTo("price 188");
            sidecar.handshake(signing(KEY, debug.port()));
            assertThat(sidecar.reportWith("\"state\":\"armed\"")).contains("\"name\":\"small-");
            for (int i = 0; i < 5; i++) {
                debug.get("/40", "");
                assertThat(production.get("/40", "")).isEqualTo("price 188");
            }
            assertThat(sidecar.reportWith("#discount\",\"hits\":")).contains("\"name\":\"small-");
            for (String question = sidecar.asked(); !question.contains("\"production\""); question = sidecar.asked()) {
                assertThat(question).contains("\"agent\":\"small-").doesNotContain(KEY);
            }
            assertThat(production.stderr().lines())
                    .containsExactly("[understudy] inert until the sidecar at " + sidecar.url()
                            + " shows that this is the debug JVM");
            assertThat(debug.stderr()).contains("debug agent on").doesNotContain(KEY, "Exception");
            assertThat(debug.get("/agent", ""))
                    .as("the loader of the agent's loader, which the bootstrap part has to know")
                    .isEqualTo("null");
        }
    }

    @Test
    void answersThatAreForgedOrReplayed_showNothing(@TempDir Path folder) throws Exception {
        Path key = Files.writeString(folder.resolve("key"), KEY);
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm = start(ForkedJvm.javas().findFirst().orElseThrow(), sidecar, key, "")) {
            AtomicReference<String> first = new AtomicReference<>("");
            UnaryOperator<String> forged = signing("a key that somebody guessed", jvm.port());
            sidecar.handshake(question -> {
                first.compareAndSet("", question);
                return forged.apply(question);
            });
            sidecar.asked();
            UnaryOperator<String> real = signing(KEY, jvm.port());
            sidecar.handshake(question -> real.apply(first.get()));
            sidecar.asked();
            assertThat(jvm.stderr()).doesNotContain("debug agent on");

            sidecar.handshake(real);
            sidecar.reportWith("\"state\":\"armed\"");
        }
    }

    @Test
    void withoutItsKey_theAgentIsInert_andAnotherMayBeAttached(@TempDir Path folder) throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                ForkedJvm jvm =
                        start(ForkedJvm.javas().findFirst().orElseThrow(), sidecar, folder.resolve("none"), "")) {
            assertThat(jvm.get("/40", "")).isEqualTo("price 188");
            assertThat(jvm.stderr()).contains("[understudy] inert, wrong setting: ");
            assertThat(sidecar.heardNothing()).isTrue();

            jvm.attach("debug=true,service=small,sidecar=" + sidecar.url());
            sidecar.reportWith("\"state\":\"armed\"");
            jvm.attach("debug=true,service=small,sidecar=" + sidecar.url());
            assertThat(jvm.stderr()).contains("already in this JVM").containsOnlyOnce("debug agent on");
        }
    }

    private static ForkedJvm start(Path java, FakeSidecar sidecar, Path key, String more) throws IOException {
        return ForkedJvm.start(
                java, "=keyfile=" + key + ",service=small,sidecar=" + sidecar.url() + more, List.of(), List.of(SERVER));
    }

    /** Connects to that port as a sidecar does, and to one where nobody of ours listens. */
    private static UnaryOperator<String> signing(String key, int port) {
        return question -> {
            try (ServerSocket elsewhere = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                Socket other = new Socket(elsewhere.getInetAddress(), elsewhere.getLocalPort());
                Socket there = new Socket(InetAddress.getLoopbackAddress(), port);
                String from = spelled(other) + "," + spelled(there);
                String signed =
                        "understudy debug\n" + field(question, "nonce") + "\n" + field(question, "agent") + "\n" + from;
                return "{\"connections\":[\"" + from.replace(",", "\",\"") + "\"],\"signature\":\"" + hmac(key, signed)
                        + "\"}";
            } catch (IOException unreachable) {
                throw new UncheckedIOException(unreachable);
            }
        };
    }

    private static String spelled(Socket socket) {
        return HexFormat.of().formatHex(socket.getLocalAddress().getAddress()) + ":" + socket.getLocalPort();
    }

    private static String field(String question, String name) {
        Matcher field = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(question);
        assertThat(field.find()).as(question).isTrue();
        return field.group(1);
    }

    private static String hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
