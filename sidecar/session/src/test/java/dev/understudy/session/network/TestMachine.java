package dev.understudy.session.network;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.SessionProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The target's machine: a network of its own, with clients in a further one. The real machine's rules stay as they are.
 *
 * <p>It has 10.99.0.1 and fd99::1 towards the clients, who have 10.99.0.2 and fd99::2, and 10.98.0.7 and fd98::7 on lo.
 */
final class TestMachine {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String name;
    private final List<SessionProgram> programs = new ArrayList<>();

    private TestMachine(String name) {
        this.name = name;
    }

    static TestMachine make() throws Exception {
        boolean isRequired = System.getProperty("understudy.programs", "auto").equals("required");
        TestMachine machine = new TestMachine("nwt" + ProcessHandle.current().pid() + "x" + COUNT.incrementAndGet());
        boolean isMade = shell(
                "set -e; ip netns add $0; ip netns add $0c; nsenter --net=/run/netns/$0 sh -ec '"
                        + "ip link set lo up; ip link add $0 type veth peer name eth0 netns $0c; ip link set $0 up;"
                        + "ip address add 10.99.0.1/24 dev $0; ip -6 address add fd99::1/64 dev $0 nodad;"
                        + "ip address add 10.98.0.7/32 dev lo; ip -6 address add fd98::7/128 dev lo nodad;"
                        // the kernel adds the routes of these some time later
                        + "until [ $(ip -6 route show table local | grep -c \"local fd9[89]::\") -ge 2 ];"
                        + "do sleep 0.02; done;"
                        + "iptables -t nat -S >/dev/null; command -v setpriv flock setsid renice >/dev/null' $0;"
                        + "nsenter --net=/run/netns/$0c sh -ec '"
                        + "ip link set lo up; ip link set eth0 up; ip address add 10.99.0.2/24 dev eth0;"
                        + "ip -6 address add fd99::2/64 dev eth0 nodad; ip route add default via 10.99.0.1;"
                        + "ip -6 route add default via fd99::1'",
                machine.name);
        if (!isMade) {
            machine.close();
        }
        assertThat(isMade || !isRequired).as("understudy.programs=required").isTrue();
        assumeTrue(isMade, "skipped: no network namespaces with veth, iptables and util-linux for this user");
        return machine;
    }

    private static boolean shell(String script, String... words) throws Exception {
        try {
            List<String> command = new ArrayList<>(List.of("sh", "-c", script));
            command.addAll(List.of(words));
            HostCommand.Result result = HostCommand.run(LIMIT, command);
            if (!result.isFine()) {
                System.out.println("TestMachine: " + result.output());
            }
            return result.isFine();
        } catch (IOException noShell) {
            return false;
        }
    }

    String name() {
        return name;
    }

    NetworkNamespace network() throws IOException {
        return NetworkNamespace.at(Path.of("/run/netns", name));
    }

    /** Clients outside of the machine. */
    SessionProgram outside() throws IOException {
        return program(NetworkNamespace.at(Path.of("/run/netns", name + "c")), List.of());
    }

    /** A program on the machine, behind words that start it. */
    SessionProgram inside(String... prefix) throws IOException {
        return program(network(), List.of(prefix));
    }

    SessionProgram program(NetworkNamespace network, List<String> prefix) throws IOException {
        List<String> words = new ArrayList<>(prefix);
        words.addAll(words.isEmpty() ? 0 : lastLockWord(words), network.entrance());
        SessionProgram program = SessionProgram.start(words, NetworkProgram.class);
        programs.add(program);
        assertThat(program.line()).isEqualTo("ready");
        return program;
    }

    /** Locks are taken before the network is entered, users are changed after. */
    private static int lastLockWord(List<String> words) {
        int user = words.indexOf("setpriv");
        return user < 0 ? words.size() : user;
    }

    /** Runs a program on the machine, and returns what it printed. */
    String run(String... words) throws Exception {
        return runIn(network(), words);
    }

    static String runIn(NetworkNamespace network, String... words) throws Exception {
        return HostCommand.run(LIMIT, network.command(List.of(words))).output();
    }

    /** The sessions' rules that redirect something. */
    List<String> redirects() throws Exception {
        return run("sh", "-c", "iptables-save -t nat; ip6tables-save -t nat")
                .lines()
                .filter(line -> line.contains("understudy:") && line.contains("--dport"))
                .toList();
    }

    /** All rules, links and routes of the machine, and the namespaces that are called for sessions. */
    String state() throws Exception {
        String rules = run(
                        "sh",
                        "-c",
                        "iptables-save; ip6tables-save; ip -o link; ip route show table all;"
                                + " ip -6 route show table all; ip -o address")
                .lines()
                .filter(line -> !line.startsWith("#") && !line.startsWith(":") && !line.startsWith("*"))
                .filter(line -> !line.equals("COMMIT"))
                // the clients' link is ready, and has these, after some time
                .filter(line -> !line.contains("fe80:"))
                .map(line -> line.replaceAll(" linkdown|NO-CARRIER,| state (UP|DOWN|UNKNOWN)", "")
                        .replace("  ", " "))
                .sorted()
                .collect(Collectors.joining("\n"));
        return rules;
    }

    void close() throws Exception {
        programs.forEach(SessionProgram::close);
        HostCommand.run(LIMIT, List.of("ip", "netns", "delete", name));
        HostCommand.run(LIMIT, List.of("ip", "netns", "delete", name + "c"));
    }
}
