package dev.understudy.agent.fork;

import dev.understudy.agent.caller.FakeAggregator;
import dev.understudy.agent.caller.FakeAggregator.Call;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Of which exchange the agent's jar says that it makes a call. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class CallersIT {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e00";
    private static final String PASSWORD = "op3n-sesame";

    @TempDir
    static Path folder;

    private int requests;
    private String first = "";

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @BeforeAll
    static void makeKey() throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "one",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-keystore",
                        store(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
    }

    private static String store() {
        return folder.resolve("keys.p12").toString();
    }

    private static List<String> tls() {
        return List.of(
                "-Djavax.net.ssl.keyStore=" + store(),
                "-Djavax.net.ssl.keyStorePassword=" + PASSWORD,
                "-Djavax.net.ssl.trustStore=" + store(),
                "-Djavax.net.ssl.trustStorePassword=" + PASSWORD);
    }

    @ParameterizedTest
    @MethodSource("javas")
    void eachWrite_hasTheTraceOfItsExchange(Path java) throws Exception {
        assertEachWriteHasItsTrace(java, tls(), List.of(CallerServer.class.getName()), true);
    }

    /** As all are before JDK 13. */
    @Test
    void plainSocketsWrites_haveThemToo() throws Exception {
        List<String> options = new ArrayList<>(tls());
        options.add("-Djdk.net.usePlainSocketImpl=true");
        assertEachWriteHasItsTrace(ForkedJvm.java(), options, List.of(CallerServer.class.getName()), true);
    }

    @Test
    void whereTheAgentIsAttached_connectionsThatAreThereAlreadyAreNotedToo() throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                FakeAggregator aggregator = new FakeAggregator();
                ForkedJvm jvm =
                        ForkedJvm.start(ForkedJvm.java(), null, List.of(), List.of(CallerServer.class.getName()))) {
            jvm.attach(settings(sidecar, aggregator).substring(1));
            aggregator.ports(port(jvm, "plain"));
            awaitNoted(jvm, aggregator);
            assertNoted(jvm, aggregator, "/own");
            assertNoted(jvm, aggregator, "/task");
        }
    }

    static void assertEachWriteHasItsTrace(Path java, List<String> options, List<String> main, boolean encrypts)
            throws Exception {
        try (FakeSidecar sidecar = new FakeSidecar();
                FakeAggregator aggregator = new FakeAggregator();
                ForkedJvm jvm = ForkedJvm.start(java, settings(sidecar, aggregator), options, main);
                Socket line = new Socket(InetAddress.getLoopbackAddress(), port(jvm, "lines"))) {
            List<Integer> ports = new ArrayList<>(List.of(port(jvm, "plain"), port(jvm, "http"), line.getLocalPort()));
            if (encrypts) {
                ports.add(port(jvm, "tls"));
            }
            aggregator.ports(ports.toArray(Integer[]::new));
            CallersIT test = new CallersIT();
            test.awaitNoted(jvm, aggregator);
            for (int round = 0; round < 3; round++) {
                for (String path : List.of("/own", "/task", "/new", "/http", "/own")) {
                    test.assertNoted(jvm, aggregator, path);
                }
                if (encrypts) {
                    test.assertNoted(jvm, aggregator, "/tls");
                }
            }
            assertThat(jvm.get("/other", test.next())).containsOnlyDigits();
            assertThat(jvm.get("/channel", test.next())).containsOnlyDigits();
            line.getOutputStream().write('\n');
            assertThat(line.getInputStream().read()).isEqualTo('a');
            test.assertNoted(jvm, aggregator, "/own"); // the others would have come before
            assertThat(jvm.stderr()).doesNotContain("stays as it was").contains(" knows which exchange");
            assertThat(sidecar.reportWith("\"faults\":")).contains("\"faults\":0,\"failedClasses\":0");
        }
    }

    private static String settings(FakeSidecar sidecar, FakeAggregator aggregator) {
        return "=debug=true,service=callers-debug,sidecar=" + sidecar.url() + ",aggregator=" + aggregator.url();
    }

    /** The port that it printed under that name. */
    private static int port(ForkedJvm jvm, String name) {
        return jvm.stdout().stream()
                .filter(line -> line.startsWith(name + ' '))
                .map(line -> Integer.parseInt(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private String next() {
        return "00-" + TRACE + (10 + requests++) + "-00f067aa0ba902b7-01";
    }

    private static String traceOf(String traceparent) {
        return traceparent.substring(3, 35);
    }

    private void awaitNoted(ForkedJvm jvm, FakeAggregator aggregator) throws Exception {
        first = next();
        Patience.until(calls -> calls.stream().anyMatch(call -> traceOf(first).equals(call.trace())), () -> {
            assertThat(jvm.get("/own", first)).containsOnlyDigits();
            return aggregator.calls(1);
        });
    }

    /** Asks for it, and reads calls up to the one of that exchange; the others are those of no exchange. */
    private void assertNoted(ForkedJvm jvm, FakeAggregator aggregator, String path) throws Exception {
        String traceparent = next();
        long before = System.nanoTime();
        int localPort = Integer.parseInt(jvm.get(path, traceparent));
        long after = System.nanoTime();
        int to = port(jvm, path.equals("/tls") || path.equals("/http") ? path.substring(1) : "plain");
        List<Call> own = new ArrayList<>();
        boolean later = false;
        while (!later) {
            for (Call call : aggregator.calls(1)) {
                if (traceOf(traceparent).equals(call.trace())) {
                    own.add(call);
                } else {
                    assertThat(call.trace()).as("of no exchange, or the first").isIn(null, traceOf(first));
                    assertThat(call.to()).isEqualTo(port(jvm, "plain"));
                    later |= call.nanos() - after > 0;
                }
            }
        }
        assertThat(own).as(path).isNotEmpty();
        for (Call call : own) {
            assertThat(call.port()).as(path).isEqualTo(localPort);
            assertThat(call.to()).as(path).isEqualTo(to);
            assertThat(call.nanos()).isBetween(before, after);
        }
        if (!path.equals("/http") && !path.equals("/tls")) {
            assertThat(own).as(path).hasSize(1);
        }
    }
}
