package dev.understudy.session.network;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.ledger.SessionProgram;
import dev.understudy.session.ledger.Sessions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A target in a real container: its network has rules of its own, and this machine's stay as they are. */
@Tag("process")
final class ContainerRedirectsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NAME = "nwt" + ProcessHandle.current().pid() + "-target";
    private static final int GID = 61999;

    @TempDir
    Path folder;

    private final List<SessionProgram> programs = new ArrayList<>();
    private FileLedger ledger;
    private NetworkNamespace network;
    private InetSocketAddress production;

    /** An image with one program and what that needs, since none is to be fetched. */
    @BeforeEach
    void make() throws Exception {
        needDocker();
        shell("cd /; tar -ch bin/sleep $(ldd /bin/sleep | grep -o '/[^ ]*' | sed 's#^/##') | docker import - " + NAME);
        shell("docker run -d --name " + NAME + " " + NAME + " /bin/sleep 1000");
        String[] words = shell("docker inspect --format '{{.State.Pid}} {{.NetworkSettings.IPAddress}}' " + NAME)
                .strip()
                .split(" ", -1);
        network = NetworkNamespace.of(Long.parseLong(words[0]));
        production = new InetSocketAddress(InetAddress.getByName(words[1]), 8080);
        ledger = new Sessions(folder.resolve("sessions"), Clock.systemUTC())
                .create("test", Files.createDirectory(folder.resolve("images")));
    }

    @AfterEach
    void remove() throws Exception {
        programs.forEach(SessionProgram::close);
        docker("rm", "--force", NAME);
        docker("image", "rm", NAME);
    }

    @Test
    void clientsFromOutside_passTheSidecarInTheContainersNetwork() throws Exception {
        ProgramLock locks = new ProgramLock(ledger.directory());
        String machine = rules();
        SessionProgram service = start(network.entrance());
        assertThat(service.answer("listen production 0.0.0.0 8080")).isEqualTo("ok");
        List<String> words = new ArrayList<>(locks.words());
        words.addAll(network.entrance());
        words.addAll(List.of("setpriv", "--regid=" + GID, "--clear-groups", "--"));
        SessionProgram sidecar = start(words);
        assertThat(sidecar.answer("relay sidecar 0.0.0.0 9080 127.0.0.1 8080")).isEqualTo("ok");
        SessionProgram client = start(List.of());
        String connect = "connect " + production.getAddress().getHostAddress() + " 8080";
        assertThat(client.answer(connect)).isEqualTo("production");

        InetSocketAddress wildcard = new InetSocketAddress("0.0.0.0", 8080);
        CloneNetwork world =
                CloneNetwork.make(new WorldPlan(ledger.session(), 1, network, List.of(wildcard), List.of()), ledger);
        world.open(Map.of(), Set.of(9090));
        Redirects redirects = Redirects.insert(
                new RedirectPlan(
                        ledger.session(),
                        network,
                        Map.of(wildcard, new InetSocketAddress("0.0.0.0", 9080)),
                        Map.of(),
                        0,
                        GID,
                        List.of(sidecar.pid()),
                        locks),
                ledger);

        assertThat(client.answer(connect)).isEqualTo("sidecar>production");
        assertThat(rules()).isEqualTo(machine);
        SessionProgram copy =
                start(NetworkNamespace.at(Path.of("/run/netns", world.world().namespace()))
                        .entrance());
        assertThat(copy.answer("listen copy 0.0.0.0 8080")).isEqualTo("ok");
        assertThat(sidecar.answer("connect " + world.world().copys().getHostAddress() + " 8080"))
                .isEqualTo("copy");
        assertThat(copy.answer(connect)).startsWith("failed");

        // the container goes first: its network stays for as long as something is in it
        docker("rm", "--force", NAME);
        redirects.close();
        assertThat(ledger.finish().left()).isEmpty();
        assertThat(rules()).isEqualTo(machine);
    }

    private SessionProgram start(List<String> prefix) throws IOException {
        SessionProgram program = SessionProgram.start(prefix, NetworkProgram.class);
        programs.add(program);
        assertThat(program.line()).isEqualTo("ready");
        return program;
    }

    /** Of this machine, by this session; others may run on it. */
    private String rules() throws Exception {
        return shell("iptables-save | grep understudy:" + ledger.session() + " || true");
    }

    private static String shell(String script) throws Exception {
        HostCommand.Result result = HostCommand.run(LIMIT, List.of("sh", "-c", script));
        assertThat(result.isFine()).as(result.output()).isTrue();
        return result.output();
    }

    private static void needDocker() throws InterruptedException {
        String wish = System.getProperty("understudy.docker", "auto");
        boolean isThere;
        try {
            isThere = docker("version").isFine()
                    && HostCommand.run(LIMIT, List.of("unshare", "--net", "iptables", "-t", "nat", "-S"))
                            .isFine();
        } catch (IOException notInstalled) {
            isThere = false;
        }
        assertThat(isThere || !wish.equals("required"))
                .as("no Docker engine or iptables for this user, and understudy.docker=required")
                .isTrue();
        assumeTrue(isThere && !wish.equals("skip"), "skipped: no Docker engine, or no iptables for this user");
    }

    private static HostCommand.Result docker(String... words) throws IOException, InterruptedException {
        return HostCommand.run(
                LIMIT, Stream.concat(Stream.of("docker"), Arrays.stream(words)).toList());
    }
}
