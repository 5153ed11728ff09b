package dev.understudy.session.target.survey;

import dev.understudy.relay.Ports;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.UpstreamAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Targets in namespaces of their own, and of other users. */
@Tag("process")
final class NamespaceSurveyTest {
    @TempDir
    Path folder;

    private Shop inside(List<String> options, String... words) throws Exception {
        Path hosts = Files.writeString(
                folder.resolve("hosts"),
                "127.0.0.1 localhost\n10.77.9.1 db.target.test\n" + "#\n".repeat(1100) + "10.77.9.1 far.target.test\n");
        return Shop.start(
                List.of(
                        "unshare",
                        "--net",
                        "--mount",
                        "sh",
                        "-c",
                        "mount --make-rprivate / && mount --bind \"$0\" /etc/hosts && ip link set lo up"
                                + " && ip address add 10.77.9.1/32 dev lo && exec \"$@\"",
                        hosts.toString()),
                options,
                Map.of(),
                words);
    }

    @Test
    void portsOfAnotherNetwork_areSeen() throws Exception {
        Needs.namespaces();
        try (Shop shop = inside(List.of(), "listen=10.77.9.1", "listen=*")) {
            TargetSurvey survey = new TargetSurveyor(SurveyOptions.QUIET).survey(shop.pid());

            assertThat(survey.ports())
                    .extracting(port -> port.address().getPort())
                    .containsExactlyInAnyOrder(shop.port(0), shop.port(1));
            assertThat(survey.namespaces().network()).isNotEqualTo(inode("net"));
            assertThat(survey.namespaces().mount()).isNotEqualTo(inode("mnt"));
            assertThat(survey.namespaces().pid()).isEqualTo(inode("pid"));
            assertThat(survey.jvm().version()).isEqualTo(System.getProperty("java.version"));
        }
    }

    @Test
    void upstreamThatIsNamed_isThereBeforeItIsConnectedTo_asTheTargetFindsIt() throws Exception {
        Needs.namespaces();
        try (Shop shop = inside(List.of(), "listen=*")) {
            SurveyOptions options =
                    new SurveyOptions(Map.of(5432, "postgres"), false, List.of("db.target.test:5432", "[::1]:6379"));

            List<UpstreamAddress> upstreams =
                    new TargetSurveyor(options).survey(shop.pid()).upstreams();

            assertThat(upstreams)
                    .extracting(UpstreamAddress::address)
                    .containsExactly(
                            new InetSocketAddress("10.77.9.1", 5432), new InetSocketAddress("0:0:0:0:0:0:0:1", 6379));
            assertThat(upstreams.get(0).names()).contains("db.target.test");
            assertThat(upstreams.get(0).protocol()).isEqualTo("postgres");
            assertThat(upstreams.get(1).protocol()).isEqualTo("redis");
            assertThat(upstreams).allMatch(upstream -> upstream.connections() == 0);
            assertThatThrownBy(() -> new TargetSurveyor(
                                    new SurveyOptions(Map.of(), false, List.of("nowhere.target.invalid:5432")))
                            .survey(shop.pid()))
                    .isInstanceOf(TargetException.class)
                    .hasMessage("--upstream: nowhere.target.invalid:5432 (expected: a host that the service's name"
                            + " server or hosts file has)");
            assertThatThrownBy(() ->
                            new TargetSurveyor(new SurveyOptions(Map.of(), false, List.of("-x:1"))).survey(shop.pid()))
                    .hasMessageStartingWith("--upstream: -x:1 (expected: HOST:PORT or HOST:PORT=live, such as ");
        }
    }

    @Test
    void upstreamOfAnotherNetwork_isSeenWithTheNameThatItHasThere() throws Exception {
        Needs.namespaces();
        // in its network an upstream, by a second JVM there
        try (Shop server = inside(List.of(), "listen=10.77.9.1");
                Shop client = Shop.start(
                        List.of(
                                "nsenter",
                                "--net=/proc/" + server.pid() + "/ns/net",
                                "--mount=/proc/" + server.pid() + "/ns/mnt"),
                        List.of("-Dfar.host=far.target.test"),
                        Map.of(),
                        "connect=10.77.9.1:" + server.port(0))) {
            UpstreamAddress upstream = new TargetSurveyor(SurveyOptions.QUIET)
                    .survey(client.pid())
                    .upstreams()
                    .get(0);

            assertThat(upstream.address()).isEqualTo(new InetSocketAddress("10.77.9.1", server.port(0)));
            // the second one is too far down to be read: the machine's program finds it
            assertThat(upstream.names()).containsExactly("db.target.test", "far.target.test");
            assertThat(upstream.connections()).isEqualTo(1);
        }
    }

    @Test
    void upstreamOfAnotherNetwork_isNotProbed_butOneOfAnotherFileSystemIs() throws Exception {
        Needs.namespaces();
        Needs.programs("redis-server");
        int port = Ports.free();
        Process redis = new ProcessBuilder("redis-server", "--port", "" + port, "--bind", "127.0.0.1", "--save", "")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        TargetSurveyor prober = new TargetSurveyor(new SurveyOptions(Map.of(), true));
        try {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> !opened(port).isEmpty());
            try (Shop shop =
                    Shop.start(List.of("unshare", "--mount"), List.of(), Map.of(), "connect=127.0.0.1:" + port)) {
                assertThat(prober.survey(shop.pid()).upstreams().get(0).guess()).isEqualTo("its reply to PING");
            }
        } finally {
            redis.destroyForcibly().onExit().join();
        }
        try (Shop server = inside(List.of(), "listen=10.77.9.1");
                Shop client = Shop.start(
                        List.of("nsenter", "--net=/proc/" + server.pid() + "/ns/net"),
                        List.of(),
                        Map.of(),
                        "connect=10.77.9.1:" + server.port(0))) {
            assertThat(prober.survey(client.pid()).notes())
                    .contains("Upstreams weren't probed: the target is in a network of its own."
                            + " Choose by --protocol PORT=NAME.");
        }
    }

    private static String opened(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.toString();
        } catch (IOException notYet) {
            return "";
        }
    }

    @Test
    void otherUsersProcess_isSeenByRoot_andRefusedToOthers() throws Exception {
        Needs.otherUsers();
        try (Shop shop = Shop.start(
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
                List.of(),
                Map.of(),
                "listen=*")) {
            TargetSurvey survey = new TargetSurveyor(SurveyOptions.QUIET).survey(shop.pid());

            assertThat(survey.process().uid()).isEqualTo(65534);
            assertThat(survey.ports()).hasSize(1);
        }
        try (Shop shop = Shop.start("listen=*")) {
            Process other = new ProcessBuilder(
                            "setpriv",
                            "--reuid=65534",
                            "--regid=65534",
                            "--clear-groups",
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Surveying.class.getName(),
                            "" + shop.pid())
                    .redirectErrorStream(true)
                    .start();
            assertThat(new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("process " + shop.pid() + " belongs to user root, and the kernel doesn't show its files"
                            + " to this user (expected: run as root, by sudo, or as its owner with CAP_SYS_PTRACE)");
        }
    }

    /** A survey in a process of its own. */
    static final class Surveying {
        private Surveying() {}

        public static void main(String[] words) throws Exception {
            try {
                System.out.println(new TargetSurveyor(SurveyOptions.QUIET).survey(Long.parseLong(words[0])));
            } catch (TargetException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }

    private static long inode(String kind) throws Exception {
        return Long.parseLong(Files.readSymbolicLink(Path.of("/proc/self/ns/" + kind))
                .toString()
                .replaceAll("\\D", ""));
    }
}
