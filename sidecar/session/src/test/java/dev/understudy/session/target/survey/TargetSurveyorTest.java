package dev.understudy.session.target.survey;

import dev.understudy.session.target.FileUse;
import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.OpenFile;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UnixPeer;
import dev.understudy.session.target.UpstreamAddress;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Surveys of real processes, with a real PostgreSQL as their upstream. */
@Tag("process")
final class TargetSurveyorTest {
    private static EmbeddedPostgres postgres;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void close() throws IOException {
        postgres.close();
    }

    private static TargetSurvey survey(Shop shop) throws Exception {
        return new TargetSurveyor(SurveyOptions.QUIET).survey(shop.pid());
    }

    private static ListeningPort port(TargetSurvey survey, int number) {
        return survey.ports().stream()
                .filter(port -> port.address().getPort() == number)
                .findFirst()
                .orElseThrow(() -> new AssertionError(number + " in " + survey.ports()));
    }

    @Test
    void ports_areSeenAsTheyAreBound_withTheirClients() throws Exception {
        try (Shop shop = Shop.start("listen=*", "listen=127.0.0.1", "listen=::1");
                Socket one = new Socket("127.0.0.1", shop.port(0));
                Socket two = new Socket("::1", shop.port(0));
                Socket three = new Socket("127.0.0.1", shop.port(1))) {
            TargetSurvey survey = survey(shop);

            assertThat(survey.ports()).hasSize(3);
            assertThat(port(survey, shop.port(0)).address().getAddress().isAnyLocalAddress())
                    .isTrue();
            assertThat(port(survey, shop.port(0)).connections()).isZero(); // nobody has accepted them
            assertThat(port(survey, shop.port(1)).address())
                    .isEqualTo(new InetSocketAddress("127.0.0.1", shop.port(1)));
            assertThat(port(survey, shop.port(2)).address()).isEqualTo(new InetSocketAddress("::1", shop.port(2)));
            assertThat(survey.upstreams()).isEmpty();
            assertThat(List.of(one, two, three)).allMatch(Socket::isConnected);
        }
    }

    @Test
    void acceptedClients_areCountedByPort() throws Exception {
        try (Shop shop = Shop.start("serve=*", "serve=127.0.0.1");
                Socket one = new Socket("127.0.0.1", shop.port(0));
                Socket two = new Socket("::1", shop.port(0));
                Socket three = new Socket("127.0.0.1", shop.port(1))) {
            Awaitility.await().untilAsserted(() -> {
                TargetSurvey survey = survey(shop);
                assertThat(port(survey, shop.port(0)).connections()).isEqualTo(2);
                assertThat(port(survey, shop.port(1)).connections()).isEqualTo(1);
                assertThat(survey.upstreams()).isEmpty();
            });
            assertThat(List.of(one, two, three)).allMatch(Socket::isConnected);
        }
    }

    @Test
    void ipv4Only_isSeenToo() throws Exception {
        try (Shop shop = Shop.start(
                List.of(), List.of("-Djava.net.preferIPv4Stack=true"), Map.of(), "listen=*", "listen=127.0.0.1")) {
            TargetSurvey survey = survey(shop);

            assertThat(survey.ports())
                    .extracting(ListeningPort::address)
                    .containsExactlyInAnyOrder(
                            new InetSocketAddress("0.0.0.0", shop.port(0)),
                            new InetSocketAddress("127.0.0.1", shop.port(1)));
        }
    }

    @Test
    void upstream_isCountedNamedAndGuessed_byTheUrlThatNamesIt() throws Exception {
        String database = "localhost:" + postgres.getPort();
        try (Shop shop = Shop.start(
                List.of(),
                List.of(),
                Map.of("DB_URL", "jdbc:postgresql://" + database + "/shop?password=hunter2&sslmode=disable"),
                "connect=" + "127.0.0.1:" + postgres.getPort(),
                "connect=" + "127.0.0.1:" + postgres.getPort())) {
            UpstreamAddress upstream = survey(shop).upstreams().get(0);

            assertThat(upstream.address()).isEqualTo(new InetSocketAddress("127.0.0.1", postgres.getPort()));
            assertThat(upstream.connections()).isEqualTo(2);
            assertThat(upstream.isLoopback()).isTrue();
            assertThat(upstream.names()).contains("localhost");
            assertThat(upstream.protocol()).isEqualTo("postgres");
            assertThat(upstream.guess()).isEqualTo("a URL: DB_URL in the environment");
            assertThat(upstream.tls()).isEqualTo(TlsUse.NO);
        }
    }

    @Test
    void upstream_isGuessedByTheLibraryThatIsThere_andOverridden() throws Exception {
        try (Shop shop = Shop.start("connect=127.0.0.1:" + postgres.getPort())) {
            assertThat(survey(shop).upstreams().get(0).guess()).contains("postgresql-42");
            assertThat(survey(shop).upstreams().get(0).protocol()).isEqualTo("postgres");

            TargetSurveyor chosen = new TargetSurveyor(new SurveyOptions(Map.of(postgres.getPort(), "mysql"), false));
            assertThat(chosen.survey(shop.pid()).upstreams().get(0).protocol()).isEqualTo("mysql");
        }
    }

    @Test
    void survey_connectsToNoUpstream_unlessItIsToProbe() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Shop shop = Shop.start("connect=127.0.0.1:" + server.getLocalPort());
                Socket accepted = server.accept()) {
            server.setSoTimeout(200);
            TargetSurvey survey = survey(shop);

            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
            assertThat(survey.upstreams()).hasSize(1);
            assertThat(accepted.isConnected()).isTrue();
        }
        try (Shop shop = Shop.start("connect=127.0.0.1:" + postgres.getPort())) {
            UpstreamAddress probed = new TargetSurveyor(new SurveyOptions(Map.of(), true))
                    .survey(shop.pid())
                    .upstreams()
                    .get(0);
            assertThat(probed.guess()).isEqualTo("its reply to SSLRequest");
            assertThat(probed.tls()).isEqualTo(TlsUse.NO);
        }
    }

    @Test
    void files_areSeenByTheirUse() throws Exception {
        Path real = folder.toRealPath();
        try (Shop shop = Shop.start("files=" + real)) {
            List<OpenFile> files = survey(shop).files();

            assertThat(files)
                    .contains(
                            new OpenFile(real + "/written.dat", Set.of(FileUse.WRITTEN), 1000),
                            new OpenFile(real + "/appended.log", Set.of(FileUse.APPENDED), 0),
                            new OpenFile(real + "/mapped.dat", Set.of(FileUse.MAPPED), -1),
                            new OpenFile(real + "/deleted.tmp", Set.of(FileUse.WRITTEN, FileUse.DELETED), 0));
            assertThat(files).noneMatch(file -> file.path().contains("hsperfdata"));
        }
    }

    @Test
    void unixPeer_isSeenByItsSocketFile() throws Exception {
        Path socket = folder.resolve("peer.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            try (Shop shop = Shop.start("unix=" + socket);
                    SocketChannel accepted = server.accept()) {
                assertThat(accepted.isConnected()).isTrue();
                assertThat(survey(shop).unixPeers()).containsExactly(new UnixPeer(socket.toString(), 1));
            }
        }
    }

    @Test
    void jvm_isDescribedWithoutAttaching() throws Exception {
        try (Shop shop = Shop.start(
                List.of(),
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:+DisableAttachMechanism",
                        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0"),
                Map.of("JDK_JAVA_OPTIONS", "-Xss512k"),
                "listen=*")) {
            TargetSurvey survey = survey(shop);

            assertThat(survey.jvm().version()).isEqualTo(System.getProperty("java.version"));
            assertThat(survey.jvm().home())
                    .isEqualTo(Path.of(System.getProperty("java.home")).toRealPath());
            assertThat(survey.jvm().collector()).isEqualTo("Serial");
            assertThat(survey.jvm().heapLimit()).isEqualTo("-Xmx64m");
            assertThat(survey.jvm().flags()).contains("-Xss512k", "-XX:+UseSerialGC");
            assertThat(survey.jvm().isAttachable()).isFalse();
            assertThat(survey.jvm().agents()).containsExactly("jdwp");
            assertThat(survey.jvm().hasDebugger()).isTrue();
            assertThat(survey.residentBytes()).isBetween(10L << 20, 500L << 20);
            assertThat(survey.threads()).isGreaterThan(5);
            assertThat(survey.process().workingDirectory())
                    .isEqualTo(Path.of("").toAbsolutePath());
            assertThat(Path.of("/proc/" + shop.pid() + "/root/tmp/.java_pid" + shop.pid()))
                    .doesNotExist();
        }
    }

    @Test
    void optionsThatKeepAgentsOut_areSeen() throws Exception {
        for (String option : List.of("-Xrs", "-XX:-EnableDynamicAgentLoading")) {
            try (Shop shop =
                    Shop.start(List.of(), List.of("-XX:+IgnoreUnrecognizedVMOptions", option), Map.of(), "listen=*")) {
                assertThat(survey(shop).jvm().isAttachable()).as(option).isFalse();
            }
        }
        try (Shop shop = Shop.start("listen=*")) {
            assertThat(survey(shop).jvm().isAttachable()).isTrue();
        }
    }

    @Test
    void collector_isSeenByItsThreads_withoutAFlag() throws Exception {
        for (Map.Entry<String, String> collector : Map.of(
                        "-XX:+UseG1GC", "G1", "-XX:+UseParallelGC", "Parallel", "-XX:+UseZGC", "ZGC")
                .entrySet()) {
            // in an argument file the flag isn't on the command line
            Path options = Files.writeString(folder.resolve("options"), collector.getKey() + "\n");
            try (Shop shop = Shop.start(List.of(), List.of("@" + options), Map.of(), "listen=*")) {
                assertThat(survey(shop).jvm().collector()).isEqualTo(collector.getValue());
                assertThat(survey(shop).notes()).contains("Options in argument files (@FILE) weren't read.");
            }
        }
    }

    @Test
    void wrongTarget_isRefused_withTheWayOut() throws Exception {
        TargetSurveyor surveyor = new TargetSurveyor(SurveyOptions.QUIET);
        assertThatThrownBy(() -> surveyor.survey(4_194_304))
                .isInstanceOf(TargetException.class)
                .hasMessageStartingWith("no process 4194304 (expected: a JVM of this machine");
        assertThatThrownBy(() -> surveyor.survey(-1)).hasMessageStartingWith("no process -1");
        long own = ProcessHandle.current().pid();
        assertThatThrownBy(() -> surveyor.survey(own))
                .hasMessageStartingWith("process " + own + " is this command itself");
        try (Shop shop = Shop.start("listen=*")) {
            long thread = threads(shop.pid()).stream()
                    .filter(task -> task != shop.pid())
                    .findFirst()
                    .orElseThrow();
            assertThatThrownBy(() -> surveyor.survey(thread))
                    .hasMessage(
                            thread + " is a thread of process " + shop.pid() + " (expected: --pid " + shop.pid() + ")");
        }
    }

    @Test
    void script_isRefused_withTheJvmThatItStarted() throws Exception {
        try (Shop shop = Shop.start(List.of("sh", "-c", "\"$@\"; exit 0", "sh"), List.of(), Map.of(), "listen=*")) {
            long jvm = ProcessHandle.of(shop.pid())
                    .orElseThrow()
                    .children()
                    .findFirst()
                    .orElseThrow()
                    .pid();

            assertThatThrownBy(() -> survey(shop))
                    .hasMessage("process " + shop.pid() + " (sh) is no JVM: it has no libjvm.so"
                            + " (expected: the JVM that it started, by --pid: " + jvm + ")");
            assertThat(NoJvm.find(shop.pid(), "container shop")).isEqualTo(jvm);
        }
    }

    @Test
    void zombie_isRefused() throws Exception {
        // a shell that becomes a sleep doesn't collect its child
        Process parent = new ProcessBuilder("sh", "-c", "sleep 0 & exec sleep 60").start();
        try {
            Awaitility.await()
                    .until(() -> parent.children()
                            .anyMatch(child -> status(child.pid()).contains("State:\tZ")));
            long zombie = parent.children().findFirst().orElseThrow().pid();

            assertThatThrownBy(() -> new TargetSurveyor(SurveyOptions.QUIET).survey(zombie))
                    .hasMessageStartingWith("process " + zombie + " has ended, and its parent hasn't noticed");
        } finally {
            parent.destroyForcibly();
        }
    }

    private static List<Long> threads(long pid) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return tasks.map(task -> Long.parseLong(task.getFileName().toString()))
                    .toList();
        }
    }

    private static String status(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/status"));
        } catch (IOException gone) {
            return "";
        }
    }
}
