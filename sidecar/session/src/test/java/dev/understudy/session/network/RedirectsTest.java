package dev.understudy.session.network;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Redirects in a network of the test's own, with relays in the place of sidecar and aggregator. */
@Tag("process")
final class RedirectsTest {
    private static final int UID = 65534;
    private static final int GID = 61999;

    @TempDir
    Path folder;

    private TestMachine machine;
    private FileLedger ledger;
    private ProgramLock locks;
    private String before;

    @BeforeEach
    void make() throws Exception {
        machine = TestMachine.make();
        before = machine.state();
        ledger = new Sessions(folder.resolve("sessions"), Clock.systemUTC())
                .create("test", Files.createDirectory(folder.resolve("images")));
        locks = new ProgramLock(ledger.directory());
    }

    @AfterEach
    void remove() throws Exception {
        if (ledger != null) {
            try {
                assertThat(ledger.finish().left()).isEmpty();
                assertThat(machine.state()).isEqualTo(before);
            } finally {
                machine.close();
            }
        }
    }

    @Test
    void newClients_passTheSidecar_whereverProductionListens() throws Exception {
        SessionProgram production = user();
        SessionProgram sidecar = support();
        List<String> addresses = List.of("0.0.0.0", "10.98.0.7", "127.0.0.1", "fd98::7", "::1");
        for (int n = 0; n < addresses.size(); n++) {
            String at = addresses.get(n);
            listen(production, "production", at, 8080 + n);
            String target = at.equals("0.0.0.0") ? "127.0.0.1" : at;
            relay(sidecar, "sidecar", at, 9080 + n, target, 8080 + n);
        }
        SessionProgram outside = machine.outside();
        assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("production");

        Redirects redirects = insert(
                Map.of(
                        at("0.0.0.0", 8080), at("0.0.0.0", 9080),
                        at("10.98.0.7", 8081), at("10.98.0.7", 9081),
                        at("127.0.0.1", 8082), at("127.0.0.1", 9082),
                        at("fd98::7", 8083), at("fd98::7", 9083),
                        at("::1", 8084), at("::1", 9084)),
                Map.of(),
                sidecar);

        SessionProgram inside = user();
        for (String client : List.of("10.99.0.1 8080", "10.98.0.7 8080", "10.98.0.7 8081", "fd98::7 8083")) {
            assertThat(outside.answer("connect " + client)).as(client).isEqualTo("sidecar>production");
            assertThat(inside.answer("connect " + client)).as(client).isEqualTo("sidecar>production");
        }
        for (String client : List.of("127.0.0.1 8080", "127.0.0.1 8082", "::1 8084")) {
            assertThat(inside.answer("connect " + client)).as(client).isEqualTo("sidecar>production");
        }
        redirects.close();
        assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("production");
        assertThat(machine.redirects()).isEmpty();
    }

    @Test
    void dualWildcard_isRedirectedInBothFamilies() throws Exception {
        SessionProgram production = user();
        SessionProgram sidecar = support();
        listen(production, "production", "::", 8080);
        relay(sidecar, "sidecar", "::", 9080, "127.0.0.1", 8080);

        insert(Map.of(at("::", 8080), at("::", 9080)), Map.of(), sidecar);

        SessionProgram outside = machine.outside();
        assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("sidecar>production");
        assertThat(outside.answer("connect fd99::1 8080")).isEqualTo("sidecar>production");
    }

    /** A machine may route for containers that have the same port. */
    @Test
    void forwardedConnections_arentRedirected() throws Exception {
        SessionProgram sidecar = support();
        relay(sidecar, "sidecar", "0.0.0.0", 9080, "127.0.0.1", 8080);
        insert(Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)), Map.of(), sidecar);

        assertThat(machine.outside().answer("connect 10.55.0.1 8080"))
                .as("no route on the machine: forwarded, not redirected")
                .startsWith("failed");
        assertThat(machine.run("iptables-save", "-t", "nat")).contains("--dst-type LOCAL");
    }

    @Test
    void upstreamConnections_ofTheTargetsUserOnly_passTheAggregator() throws Exception {
        SessionProgram database = machine.outside();
        listen(database, "pg", "10.99.0.2", 5432);
        listen(database, "pg6", "fd99::2", 5432);
        SessionProgram aggregator = support();
        listen(user(), "redis", "127.0.0.1", 6379);
        relay(aggregator, "aggregator", "127.0.0.1", 7001, "10.99.0.2", 5432);
        relay(aggregator, "aggregator", "::1", 7001, "fd99::2", 5432);
        relay(aggregator, "aggregator", "127.0.0.1", 7002, "127.0.0.1", 6379);

        Redirects redirects = insert(
                Map.of(),
                Map.of(
                        at("10.99.0.2", 5432), at("127.0.0.1", 7001),
                        at("fd99::2", 5432), at("::1", 7001),
                        at("127.0.0.1", 6379), at("127.0.0.1", 7002),
                        at("fd99::2", 5433), at("127.0.0.1", 7003)),
                aggregator);

        SessionProgram user = user();
        assertThat(user.answer("connect 10.99.0.2 5432")).isEqualTo("aggregator>pg");
        assertThat(user.answer("connect fd99::2 5432")).isEqualTo("aggregator>pg6");
        assertThat(user.answer("connect 127.0.0.1 6379")).isEqualTo("aggregator>redis");
        assertThat(machine.inside().answer("connect 10.99.0.2 5432")).isEqualTo("pg");
        assertThat(redirects.limits())
                .singleElement()
                .asString()
                .contains("5433")
                .contains("aren't recorded");
    }

    /** The kernel tracks no connections before the first rule: an old one's next packet looks new to it. */
    @Test
    void openConnections_stayAsTheyAre_beforeAndAfter() throws Exception {
        SessionProgram production = user();
        SessionProgram sidecar = support();
        SessionProgram outside = machine.outside();
        listen(outside, "pg", "10.99.0.2", 5432);
        listen(production, "production", "0.0.0.0", 8080);
        relay(sidecar, "sidecar", "0.0.0.0", 9080, "127.0.0.1", 8080);
        relay(sidecar, "aggregator", "127.0.0.1", 7001, "10.99.0.2", 5432);
        assertThat(outside.answer("open old 10.99.0.1 8080")).isEqualTo("production");
        assertThat(production.answer("open pool 10.99.0.2 5432")).isEqualTo("pg");

        Redirects redirects = insert(
                Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)),
                Map.of(at("10.99.0.2", 5432), at("127.0.0.1", 7001)),
                sidecar);

        assertThat(outside.answer("open new 10.99.0.1 8080")).isEqualTo("sidecar>production");
        assertThat(outside.answer("talk old")).isEqualTo("production x");
        assertThat(production.answer("talk pool")).isEqualTo("pg x");
        assertThat(production.answer("open pool2 10.99.0.2 5432")).isEqualTo("aggregator>pg");
        redirects.close();
        for (int n = 0; n < 3; n++) {
            assertThat(outside.answer("talk old")).isEqualTo("production x");
            assertThat(outside.answer("talk new")).isEqualTo("sidecar>production x");
            assertThat(production.answer("talk pool")).isEqualTo("pg x");
            assertThat(production.answer("talk pool2")).isEqualTo("aggregator>pg x");
        }
    }

    @Test
    void sidecarKilled_productionIsReachedAgain_withinASecond() throws Exception {
        for (int run = 0; run < 5; run++) {
            SessionProgram production = user();
            SessionProgram sidecar = support();
            listen(production, "production", "0.0.0.0", 8080 + run);
            relay(sidecar, "sidecar", "0.0.0.0", 9080 + run, "127.0.0.1", 8080 + run);
            Redirects redirects =
                    insert(Map.of(at("0.0.0.0", 8080 + run), at("0.0.0.0", 9080 + run)), Map.of(), sidecar);
            SessionProgram outside = machine.outside();
            flood(outside, 8080 + run);

            sidecar.kill();

            assertThat(redirects.removal().get(30, TimeUnit.SECONDS)).isEqualTo("process " + sidecar.pid());
            outage("sidecar", outside, 1_000);
            assertThat(outside.answer("connect 10.99.0.1 " + (8080 + run))).isEqualTo("production");
            assertThat(machine.redirects()).isEmpty();
        }
    }

    @Test
    void aggregatorKilled_upstreamsAreReachedAgain_withinASecond() throws Exception {
        SessionProgram sidecar = support();
        SessionProgram aggregator = support();
        SessionProgram user = user();
        listen(machine.outside(), "pg", "10.99.0.2", 5432);
        relay(aggregator, "aggregator", "127.0.0.1", 7001, "10.99.0.2", 5432);
        insert(Map.of(), Map.of(at("10.99.0.2", 5432), at("127.0.0.1", 7001)), sidecar, aggregator);
        assertThat(user.answer("connect 10.99.0.2 5432")).isEqualTo("aggregator>pg");
        assertThat(user.answer("flood 10.99.0.2 5432")).isEqualTo("ok");

        aggregator.kill();

        Thread.sleep(1_500);
        outage("aggregator", user, 1_000);
        assertThat(user.answer("connect 10.99.0.2 5432")).isEqualTo("pg");
    }

    @Test
    void guardKilled_rulesAreRemovedByTheSession() throws Exception {
        SessionProgram sidecar = support();
        listen(user(), "production", "0.0.0.0", 8080);
        relay(sidecar, "sidecar", "0.0.0.0", 9080, "127.0.0.1", 8080);
        Redirects redirects = insert(Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)), Map.of(), sidecar);
        SessionProgram outside = machine.outside();
        flood(outside, 8080);

        ProcessHandle.of(redirects.guard()).orElseThrow().destroyForcibly();

        assertThat(redirects.removal().get(30, TimeUnit.SECONDS)).isEqualTo("the guard");
        outage("guard", outside, 0);
        assertThat(machine.redirects()).isEmpty();
    }

    /** Begins a session with redirects, in a process that can be killed. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            FileLedger own = new Sessions(Path.of(args[0]), Clock.systemUTC()).create("test", Path.of(args[1]));
            try {
                Redirects.insert(
                        new RedirectPlan(
                                own.session(),
                                NetworkNamespace.at(Path.of("/run/netns", args[2])),
                                Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)),
                                Map.of(),
                                UID,
                                GID,
                                args[3].equals("none") ? List.of() : List.of(Long.parseLong(args[3])),
                                new ProgramLock(Path.of(args[4]))),
                        own);
                System.out.println("inserted " + own.session());
                System.in.read();
            } catch (NetworkFailure failure) {
                System.out.println(own.entries().size() + " " + failure.getMessage());
            }
        }
    }

    private SessionProgram session(List<String> prefix, String pid) throws IOException {
        return SessionProgram.start(
                prefix,
                Program.class,
                folder + "/sessions",
                folder + "/images",
                machine.name(),
                pid,
                locks.directory().toString());
    }

    /** In its own network, where no program is needed to enter it. */
    private List<String> inside(String... words) throws IOException {
        List<String> prefix = new ArrayList<>(machine.network().entrance());
        prefix.addAll(List.of(words));
        return prefix;
    }

    @Test
    void missingProgram_isNamed_andNothingIsListed() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        for (String each : List.of("cat", "sh", "flock", "setsid")) {
            Files.createSymbolicLink(
                    programs.resolve(each),
                    Path.of(machine.run("sh", "-c", "command -v " + each).strip()));
        }
        try (SessionProgram session = session(inside("env", "PATH=" + programs), "none")) {
            assertThat(session.line()).startsWith("1 iptables isn't installed: install the package iptables");
        }
    }

    @Test
    void missingRights_areNamed_andNothingIsListed() throws Exception {
        try (SessionProgram session =
                session(inside("setpriv", "--inh-caps=-all", "--bounding-set=-all", "--"), "none")) {
            assertThat(session.line()).startsWith("1 iptables").contains("run the command as root");
        }
        assertThat(PacketFilter.explain("iptables", "Couldn't load match `owner'"))
                .contains("modprobe xt_owner");
    }

    @Test
    void sessionKilled_rulesAreRemoved_withoutAnOutage() throws Exception {
        SessionProgram sidecar = support();
        listen(user(), "production", "0.0.0.0", 8080);
        relay(sidecar, "sidecar", "0.0.0.0", 9080, "127.0.0.1", 8080);
        SessionProgram outside = machine.outside();
        try (SessionProgram session = session(inside(), "" + sidecar.pid())) {
            String id = session.line().substring("inserted ".length());
            assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("sidecar>production");
            flood(outside, 8080);

            session.kill();

            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
            while (!machine.redirects().isEmpty() && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
            assertThat(machine.redirects()).isEmpty();
            outage("session", outside, 0);
            assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("production");
            assertThat(new Sessions(folder.resolve("sessions"), Clock.systemUTC())
                            .undo(id)
                            .left())
                    .isEmpty();
        }
    }

    @Test
    void olderFilter_isUsed_whereItHasRules() throws Exception {
        machine.run("iptables-legacy", "-t", "nat", "-A", "OUTPUT", "-d", "10.1.1.1", "-j", "ACCEPT");
        assertThat(PacketFilter.of(machine.network(), IpFamily.V4).program()).isEqualTo("iptables-legacy");
        SessionProgram sidecar = support();
        listen(user(), "production", "0.0.0.0", 8080);
        relay(sidecar, "sidecar", "0.0.0.0", 9080, "127.0.0.1", 8080);
        String rules = machine.run("iptables-legacy-save", "-t", "nat");
        Redirects redirects = insert(Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)), Map.of(), sidecar);
        SessionProgram outside = machine.outside();
        assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("sidecar>production");

        sidecar.kill();

        redirects.removal().get(30, TimeUnit.SECONDS);
        assertThat(outside.answer("connect 10.99.0.1 8080")).isEqualTo("production");
        assertThat(ledger.finish().left()).isEmpty();
        assertThat(withoutCounts(machine.run("iptables-legacy-save", "-t", "nat")))
                .isEqualTo(withoutCounts(rules));
        machine.run("iptables-legacy", "-t", "nat", "-F");
    }

    private static List<String> withoutCounts(String saved) {
        return saved.lines().filter(line -> line.startsWith("-A")).toList();
    }

    @Test
    void portOfAnotherSession_isRefused_andItsNameIsNamed() throws Exception {
        SessionProgram sidecar = support();
        listen(user(), "production", "0.0.0.0", 8080);
        relay(sidecar, "sidecar", "0.0.0.0", 9080, "127.0.0.1", 8080);
        insert(
                Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)),
                Map.of(at("10.1.1.1", 5432), at("127.0.0.1", 7001), at("fd20::5", 5432), at("::1", 7001)),
                sidecar);
        FileLedger second =
                new Sessions(folder.resolve("sessions"), Clock.systemUTC()).create("test", folder.resolve("images"));
        String own = machine.state();

        assertThatThrownBy(() -> insert(second, Map.of(at("10.98.0.7", 8080), at("10.98.0.7", 9090)), Map.of()))
                .isInstanceOf(NetworkFailure.class)
                .hasMessageContaining("session " + ledger.session() + " redirects the same");
        for (String upstream : List.of("10.1.1.1", "fd20::5")) {
            assertThatThrownBy(() -> insert(second, Map.of(), Map.of(at(upstream, 5432), at("::", 7003))))
                    .isInstanceOf(NetworkFailure.class)
                    .hasMessageContaining("session " + ledger.session() + " redirects the same");
        }
        assertThat(machine.state()).isEqualTo(own);

        insert(
                second,
                Map.of(at("0.0.0.0", 8081), at("0.0.0.0", 9081)),
                Map.of(at("10.1.1.2", 5432), at("127.0.0.1", 7003)));
        assertThat(second.finish().left()).isEmpty();
        assertThat(machine.state()).isEqualTo(own);
        assertThat(machine.outside().answer("connect 10.99.0.1 8080")).isEqualTo("sidecar>production");
    }

    @Test
    void programThatDoesntRun_isRefused_andNothingIsRedirected() throws Exception {
        SessionProgram sidecar = support();
        sidecar.kill();
        assertThatThrownBy(() -> insert(Map.of(at("0.0.0.0", 8080), at("0.0.0.0", 9080)), Map.of(), sidecar))
                .isInstanceOf(NetworkFailure.class)
                .hasMessageContaining("process " + sidecar.pid() + " doesn't run");
        assertThatThrownBy(() -> insert(Map.of(at("0.0.0.0", 8080), at("127.0.0.1", 9080)), Map.of(), support()))
                .isInstanceOf(NetworkFailure.class)
                .hasMessageContaining("expected: a wildcard");
        assertThat(machine.state()).isEqualTo(before);
    }

    private Redirects insert(
            Map<InetSocketAddress, InetSocketAddress> listening,
            Map<InetSocketAddress, InetSocketAddress> upstreams,
            SessionProgram... programs)
            throws Exception {
        return insert(ledger, listening, upstreams, programs);
    }

    private Redirects insert(
            FileLedger own,
            Map<InetSocketAddress, InetSocketAddress> listening,
            Map<InetSocketAddress, InetSocketAddress> upstreams,
            SessionProgram... programs)
            throws Exception {
        List<Long> pids = new ArrayList<>();
        for (SessionProgram each : programs) {
            pids.add(each.pid());
        }
        return Redirects.insert(
                new RedirectPlan(own.session(), machine.network(), listening, upstreams, UID, GID, pids, locks), own);
    }

    /** In the place of sidecar or aggregator. */
    private SessionProgram support() throws IOException {
        List<String> words = new ArrayList<>(locks.words());
        words.addAll(List.of("setpriv", "--regid=" + GID, "--clear-groups", "--"));
        return machine.inside(words.toArray(String[]::new));
    }

    /** Runs as the target's user. */
    private SessionProgram user() throws IOException {
        return machine.inside("setpriv", "--reuid=" + UID, "--regid=" + UID, "--clear-groups", "--");
    }

    private static void listen(SessionProgram program, String name, String address, int port) throws IOException {
        assertThat(program.answer("listen " + name + " " + address + " " + port))
                .isEqualTo("ok");
    }

    private static void relay(SessionProgram program, String name, String address, int port, String to, int toPort)
            throws IOException {
        assertThat(program.answer("relay " + name + " " + address + " " + port + " " + to + " " + toPort))
                .isEqualTo("ok");
    }

    private static void flood(SessionProgram client, int port) throws Exception {
        assertThat(client.answer("flood 10.99.0.1 " + port)).isEqualTo("ok");
        Thread.sleep(200);
    }

    /** Ends the client that makes new connections all the time, and looks at how long none came through. */
    private static void outage(String who, SessionProgram client, int most) throws Exception {
        Thread.sleep(300);
        String[] words = client.answer("flooded").split(" ", -1);
        System.out.println("outage, " + who + " killed: " + words[0] + " connections, " + words[1] + " failed, within "
                + words[2] + " ms");
        assertThat(Long.parseLong(words[0])).isPositive();
        assertThat(Long.parseLong(words[2])).isLessThanOrEqualTo(most);
        if (most == 0) {
            assertThat(words[1]).isEqualTo("0");
        }
    }

    private static InetSocketAddress at(String address, int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByName(address), port);
    }
}
