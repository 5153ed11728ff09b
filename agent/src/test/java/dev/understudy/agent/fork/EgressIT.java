package dev.understudy.agent.fork;

import dev.understudy.agent.caller.FakeAggregator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Where the application may connect to while the agent refuses the rest. */
@Tag("any-jdk") // its JVMs are of all JDKs wherever it runs
final class EgressIT {
    static final List<String> JDKS = List.of("socket", "timeout", "channel", "adaptor", "async", "http");
    private static final List<String> NETTYS = List.of("nio", "epoll", "io_uring");

    private final FakeSidecar sidecar;
    private final FakeAggregator aggregator;
    private final Destination listed = new Destination();
    private final Destination debug = new Destination();
    private final Destination real = new Destination();

    EgressIT() throws IOException {
        sidecar = new FakeSidecar();
        aggregator = new FakeAggregator();
    }

    @BeforeEach
    void name() {
        aggregator.ports(debug.port());
    }

    @AfterEach
    void close() throws IOException {
        sidecar.close();
        aggregator.close();
        listed.close();
        debug.close();
        real.close();
    }

    static Stream<Path> javas() throws IOException {
        return ForkedJvm.javas();
    }

    @ParameterizedTest
    @MethodSource("javas")
    void connectionsToWhatIsNotListed_areRefused_inEachWayOfTheJdk(Path java) throws Exception {
        try (ForkedJvm jvm = start(java, List.of(), ConnectServer.class)) {
            assertGuarded(jvm, JDKS);
        }
    }

    @Test
    void thoseOfPlainSockets_areToo() throws Exception {
        try (ForkedJvm jvm =
                start(ForkedJvm.java(), List.of("-Djdk.net.usePlainSocketImpl=true"), ConnectServer.class)) {
            assertGuarded(jvm, List.of("socket", "timeout"));
        }
    }

    @Test
    void thoseOfNettysTransports_areToo_butNoDatagrams() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.startWithIoUring(
                ForkedJvm.java(), "=" + settings(), List.of(), List.of(NettyConnectServer.class.getName()))) {
            assertGuarded(jvm, NETTYS);
            assertThat(connect(jvm, "datagram", real)).isEqualTo("connected");
        }
    }

    @Test
    void whereTheAgentIsAttached_classesThatAreThereAlreadyAskToo() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.startWithEverything(
                ForkedJvm.java(),
                null,
                List.of("-Dloaded=true", "-Dopen=" + listed.port()),
                List.of(NettyConnectServer.class.getName()))) {
            assertThat(connect(jvm, "epoll", real)).isEqualTo("connected");
            real.forget();
            jvm.attach(settings());
            assertGuarded(jvm, List.of("socket", "nio", "epoll"));
        }
    }

    /** The agent's own threads begin much later. */
    @ParameterizedTest
    @MethodSource("javas")
    void theFirstConnection_waitsUntilTheDebugPortsAreKnown(Path java) throws Exception {
        try (ForkedJvm jvm = start(java, List.of("-Dfirst=127.0.0.1:" + debug.port()), ConnectServer.class)) {
            assertThat(jvm.stdout()).contains("first connected");
        }
    }

    @Test
    void aListedName_standsForItsAddresses_andNoOtherNameDoes() throws Exception {
        String settings = settings().replace("127.0.0.1:" + listed.port(), "localhost:" + listed.port());
        try (ForkedJvm jvm =
                ForkedJvm.start(ForkedJvm.java(), "=" + settings, List.of(), List.of(ConnectServer.class.getName()))) {
            assertThat(connect(jvm, "socket", listed)).isEqualTo("connected");
            assertThat(jvm.get("/socket/localhost/" + real.port(), ""))
                    .contains("egress-allow=localhost:" + real.port());
        }
    }

    @Test
    void asLongAsNothingIsDenied_nothingIsRefused_andNoClassAsks() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start(
                ForkedJvm.java(),
                "=" + settings().replace("egress=deny", "egress=allow"),
                List.of(),
                List.of(ConnectServer.class.getName()))) {
            for (String way : JDKS) {
                assertThat(connect(jvm, way, real)).isEqualTo("connected");
            }
            assertThat(sidecar.reportWith("\"egress\":{\"state\":\"allow\""))
                    .contains("\"elsewhere\":0,\"refused\":0}");
            assertThat(jvm.stderr()).doesNotContain("egress");
        }
    }

    /** What was kept by a run that allowed everything asks nobody. */
    @Test
    void keptClassesOfTheJdk_letNothingThrough(@TempDir Path cache) throws Exception {
        String settings = settings() + ",cache=" + cache;
        List<String> main = List.of(ConnectServer.class.getName());
        try (ForkedJvm jvm = ForkedJvm.start(
                ForkedJvm.java(), "=" + settings.replace("egress=deny", "egress=allow"), List.of(), main)) {
            assertThat(connect(jvm, "socket", real)).isEqualTo("connected");
            Patience.until(there -> there, () -> Files.exists(cache.resolve("jdk")));
        }
        real.forget();
        try (ForkedJvm jvm = ForkedJvm.start(ForkedJvm.java(), "=" + settings, List.of(), main)) {
            assertGuarded(jvm, List.of("socket", "channel"));
        }
    }

    @Test
    void anAgentThatIsInert_saysThatNothingIsRefused() throws Exception {
        try (ForkedJvm jvm = ForkedJvm.start(
                ForkedJvm.java(),
                "=" + settings() + ",budget=much",
                List.of(),
                List.of(ConnectServer.class.getName()))) {
            assertThat(jvm.stderr()).contains("inert", "EGRESS IS NOT ENFORCED");
            assertThat(connect(jvm, "socket", real)).isEqualTo("connected");
        }
    }

    private ForkedJvm start(Path java, List<String> options, Class<?> main) throws IOException {
        return ForkedJvm.start(java, "=" + settings(), options, List.of(main.getName()));
    }

    String settings() {
        return "debug=true,egress=deny,egress-allow=10.1.2.0/24:*;127.0.0.1:" + listed.port() + ",sidecar="
                + sidecar.url() + ",aggregator=" + aggregator.url();
    }

    void assertGuarded(ForkedJvm jvm, List<String> ways) throws Exception {
        int refused = 0;
        for (String way : ways) {
            String answer = connect(jvm, way, real);
            if (answer.contains("missing")) {
                System.out.println("SKIPPED by " + way + ": " + answer);
                continue;
            }
            refused++;
            assertThat(answer)
                    .as(way)
                    .contains(
                            "ConnectException",
                            "refused by the understudy agent: egress=deny (allow it with " + "egress-allow=127.0.0.1:"
                                    + real.port() + ")");
            assertThat(connect(jvm, way, listed)).as(way).isEqualTo("connected");
            assertThat(connect(jvm, way, debug)).as(way).isEqualTo("connected");
            assertThat(jvm.get("/" + way + "/127.0.0.1/" + jvm.port(), ""))
                    .as("itself by %s", way)
                    .isEqualTo("connected");
            assertThat(connect(jvm, way, new Port(port(sidecar.url()))))
                    .as("the sidecar by %s", way)
                    .isEqualTo("connected");
        }
        assertThat(jvm.get("/", "")).as("what it accepts").isEqualTo("served");
        assertThat(real.accepted()).isZero();
        assertThat(listed.accepted()).isGreaterThanOrEqualTo(refused);
        String report = sidecar.reportMatching(Pattern.compile("\"egress\":\\{\"state\":\"deny\",\"problems\":\\[],"
                + "\"destinations\":\\[\\{\"to\":\"127.0.0.1:" + real.port() + "\",\"refused\":[1-9]\\d*}],"));
        assertThat(report).contains("\"faults\":0,\"failedClasses\":0");
        assertThat(jvm.stderr()).containsOnlyOnce("a connection to 127.0.0.1:" + real.port() + " is refused");
    }

    private static int port(String url) {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    private static String connect(ForkedJvm jvm, String way, Destination to) throws Exception {
        return connect(jvm, way, new Port(to.port()));
    }

    private static String connect(ForkedJvm jvm, String way, Port to) throws Exception {
        return jvm.get("/" + way + "/127.0.0.1/" + to.number(), "");
    }

    private record Port(int number) {}
}
