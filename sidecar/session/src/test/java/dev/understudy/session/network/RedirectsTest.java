package dev.understudy.session.network;

import dev.understudy.session.ledger.FileLedger;
import dev.understudy.session.ledger.SessionProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Redirects in a network of the test's own, with relays in the place of sidecar and aggregator. */
@Tag("process")
final class RedirectsTest extends RedirectStage {
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
        FileLedger second = sessions.create("test", folder.resolve("images"));
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
}
