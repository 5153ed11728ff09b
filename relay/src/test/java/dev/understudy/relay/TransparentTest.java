package dev.understudy.relay;

import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.TapFactory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Clients that a packet filter redirects, in a network namespace of their own; skipped where that can't be made. */
@Tag("process")
final class TransparentTest {
    private static final String SPACE = "understudy-" + ProcessHandle.current().pid();

    /** The user whose connections to port 7777 are redirected; the relay's own aren't. */
    private static final String CLIENT = "65534";

    /** In the namespace: production on 10.99.0.1:7777 and 7778, a transparent listener on 8888. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException {
            try (NamedServer production = NamedServer.open("a", "10.99.0.1", 7777);
                    NamedServer looping = NamedServer.open("b", "10.99.0.1", 7778);
                    EventLoops loops = EventLoops.open(2, 1);
                    Listener listener = Listener.open(
                            new RelayConfig(
                                    "clear",
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 8888),
                                    ProductionConfig.wherever(),
                                    AcceptConfig.defaults()),
                            TapFactory.NONE,
                            loops,
                            new SimpleMeterRegistry())) {
                System.out.println("ready " + production.port() + looping.port());
                while (System.in.read() >= 0) {
                    RelayStage.await("all ended", () -> listener.open() == 0);
                    System.out.println("finished " + listener.endings(CloseReason.FINISHED) + " loop "
                            + listener.endings(CloseReason.LOOP) + " opened " + listener.opened());
                }
            }
        }
    }

    @BeforeEach
    void make() throws Exception {
        assumeTrue(
                Shell.ran("ip", "netns", "add", SPACE)
                        && inside("ip", "link", "set", "lo", "up")
                        && inside("ip", "address", "add", "10.99.0.1/32", "dev", "lo")
                        && redirect("7777", "-m", "owner", "--uid-owner", CLIENT)
                        && redirect("7778"),
                "skipped: no network namespace with iptables REDIRECT here");
    }

    @AfterEach
    void remove() throws Exception {
        Shell.ran("ip", "netns", "delete", SPACE);
    }

    private static boolean redirect(String port, String... which) throws Exception {
        List<String> rule = new ArrayList<>(
                List.of("iptables", "-t", "nat", "-A", "OUTPUT", "-p", "tcp", "-d", "10.99.0.1", "--dport", port));
        rule.addAll(List.of(which));
        rule.addAll(List.of("-j", "REDIRECT", "--to-ports", "8888"));
        return inside(rule.toArray(String[]::new));
    }

    private static boolean inside(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", SPACE));
        all.addAll(List.of(command));
        return Shell.ran(all.toArray(String[]::new));
    }

    /** What a client of that user, which sends one byte, is answered; empty if it was reset. */
    private static String ask(String user, String host, int port) throws Exception {
        Process client = new ProcessBuilder(
                        "ip",
                        "netns",
                        "exec",
                        SPACE,
                        "setpriv",
                        "--reuid",
                        user,
                        "--clear-groups",
                        "timeout",
                        "60",
                        "bash",
                        "-c",
                        "exec 3<>/dev/tcp/" + host + "/" + port + "; printf '?' >&3; head -c1 <&3")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        client.waitFor();
        return answer;
    }

    @Test
    void redirectedClient_getsWhereItWanted_andLoopsAreCut() throws Exception {
        try (ForkedJvm relay = ForkedJvm.start(List.of("ip", "netns", "exec", SPACE), Program.class)) {
            assertThat(relay.ready).isEqualTo("ready 77777778");
            assertThat(ask(CLIENT, "10.99.0.1", 7777)).isEqualTo("a");
            assertThat(relay.ask()).isEqualTo("finished 1 loop 0 opened 1");

            // Nobody redirects this user's connections.
            assertThat(ask("0", "10.99.0.1", 7777)).isEqualTo("a");
            assertThat(relay.ask()).isEqualTo("finished 1 loop 0 opened 1");

            // The relay's own connection to that port is redirected to the relay.
            assertThat(ask("0", "10.99.0.1", 7778)).isEmpty();
            assertThat(relay.ask()).matches("finished 1 loop [12] opened [34]");

            // A client that wants to go to the listener itself.
            assertThat(ask("0", "127.0.0.1", 8888)).isEmpty();
            assertThat(relay.ask()).matches("finished 1 loop [23] opened [45]");
        }
    }
}
