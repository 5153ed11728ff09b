package dev.understudy.session.network;

import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.SessionProgram;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The network of a copy, whose target is in a network of the test's own. */
@Tag("process")
final class CloneNetworkTest extends NetworkStage {
    @Test
    void upstreams_areAnsweredByTheAggregator() throws Exception {
        List<InetSocketAddress> upstreams = List.of(
                at("10.20.0.5", 5432), at("127.0.0.1", 6379), at("fd20::5", 3306), at("10.20.0.5", 5433), at("::1", 1));
        CloneNetwork network = CloneNetwork.make(plan(1, List.of(), upstreams), ledger);
        CloneWorld world = network.world();
        InetAddress ours6 = Objects.requireNonNull(world.ours6());
        SessionProgram ours = machine.inside();
        listen(ours, "pg", world.ours(), 7001);
        listen(ours, "redis", world.ours(), 7002);
        listen(ours, "mysql", ours6, 7003);
        listen(ours, "pg2", world.ours(), 7004);
        listen(ours, "control", world.ours(), 7009);
        listen(ours, "secret", world.ours(), 7010);
        SessionProgram copy = copy(world);
        assertThat(copy.answer("connect 10.20.0.5 5432")).startsWith("failed");

        network.open(
                Map.of(
                        upstreams.get(0), new InetSocketAddress(world.ours(), 7001),
                        upstreams.get(1), new InetSocketAddress(world.ours(), 7002),
                        upstreams.get(2), new InetSocketAddress(ours6, 7003),
                        upstreams.get(3), new InetSocketAddress(world.ours(), 7004)),
                Set.of(7009));

        assertThat(copy.answer("connect 10.20.0.5 5432")).isEqualTo("pg");
        assertThat(copy.answer("connect 10.20.0.5 5433")).isEqualTo("pg2");
        assertThat(copy.answer("connect 127.0.0.1 6379")).isEqualTo("redis");
        assertThat(copy.answer("connect fd20::5 3306")).isEqualTo("mysql");
        assertThat(copy.answer("connect " + world.ours().getHostAddress() + " 7009"))
                .isEqualTo("control");
        assertThat(copy.answer("connect " + world.ours().getHostAddress() + " 7010"))
                .startsWith("failed");
        assertThat(world.limits()).singleElement().asString().contains("[0:0:0:0:0:0:0:1]:1:");
    }

    @Test
    void copy_isReached_whereverItListens() throws Exception {
        List<InetSocketAddress> listening = List.of(
                at("0.0.0.0", 8080),
                at("127.0.0.1", 8081),
                at("10.98.0.7", 8082),
                at("127.0.0.1", 8082),
                at("fd98::7", 8083),
                at("::1", 8084));
        CloneWorld world =
                CloneNetwork.make(plan(1, listening, List.of()), ledger).world();
        SessionProgram copy = copy(world);
        for (InetSocketAddress each : listening) {
            String name = each.getAddress().getHostAddress() + "/" + each.getPort();
            assertThat(copy.answer("listen " + name + " " + each.getAddress().getHostAddress() + " " + each.getPort()))
                    .isEqualTo("ok");
        }
        SessionProgram ours = machine.inside();
        for (InetSocketAddress each : listening.subList(0, 5)) {
            InetSocketAddress entrance = world.entrance(each);
            assertThat(ours.answer("connect " + entrance.getAddress().getHostAddress() + " " + entrance.getPort()))
                    .isEqualTo(each.getAddress().getHostAddress() + "/" + each.getPort());
        }
        assertThat(world.limits()).singleElement().asString().contains("[0:0:0:0:0:0:0:1]:8084:");
    }

    /** Even if the copy's own rules are gone, as a copy that runs as root could bring about. */
    @Test
    void nothingElse_isReached_evenWithoutTheRulesInside() throws Exception {
        nothingElseIsReached(true);
    }

    /** Even if somebody loads the machine's rules anew. */
    @Test
    void nothingElse_isReached_evenWithoutTheRulesOfTheMachine() throws Exception {
        nothingElseIsReached(false);
    }

    private void nothingElseIsReached(boolean isFlushedInside) throws Exception {
        machine.run(
                "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding");
        before = machine.state();
        InetSocketAddress upstream = at("10.99.0.2", 5432);
        CloneNetwork network = CloneNetwork.make(plan(1, List.of(at("fd98::7", 80)), List.of(upstream)), ledger);
        CloneNetwork other = CloneNetwork.make(plan(2, List.of(), List.of()), ledger);
        network.open(Map.of(upstream, new InetSocketAddress(network.world().ours(), 7001)), Set.of());
        SessionProgram ours = machine.inside();
        assertThat(ours.answer("listen service 0.0.0.0 9000")).isEqualTo("ok");
        assertThat(ours.answer("listen service6 fd99::1 9001")).isEqualTo("ok");
        assertThat(machine.outside().answer("listen real 10.99.0.2 5432")).isEqualTo("ok");
        assertThat(copy(other.world()).answer("listen other 0.0.0.0 80")).isEqualTo("ok");
        SessionProgram copy = copy(network.world());
        List<String> places = new ArrayList<>(List.of(
                "10.99.0.2 5432",
                network.world().ours().getHostAddress() + " 9000",
                "10.99.0.1 9000",
                "10.98.0.7 9000",
                "fd99::1 9001",
                Objects.requireNonNull(network.world().ours6()).getHostAddress() + " 9001",
                other.world().ours().getHostAddress() + " 9000",
                other.world().copys().getHostAddress() + " 80",
                "192.0.2.1 80"));
        for (String place : places) {
            assertThat(copy.answer("connect " + place)).as(place).startsWith("failed");
        }
        String routes = TestMachine.runIn(inside(network.world()), "ip", "route");
        assertThat(routes).doesNotContain("default");

        if (isFlushedInside) {
            TestMachine.runIn(
                    inside(network.world()),
                    "sh",
                    "-c",
                    "iptables -F; iptables -t nat -F; ip6tables -F; ip route add default via $0;"
                            + " ip -6 route add default via $1",
                    network.world().ours().getHostAddress(),
                    Objects.requireNonNull(network.world().ours6()).getHostAddress());
        } else {
            machine.run(
                    "sh",
                    "-c",
                    "iptables -F; ip6tables -F; echo 1 >/proc/sys/net/ipv4/conf/us-$0/forwarding",
                    ledger.session());
        }

        for (String place : places) {
            assertThat(copy.answer("connect " + place)).as(place).startsWith("failed");
        }
        assertThat(ours.answer("connect 10.99.0.2 5432")).isEqualTo("real");
    }

    @Test
    void worldsAtOneMoment_haveDifferentAddresses() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(6);
        List<Future<CloneWorld>> made = new ArrayList<>();
        for (int n = 1; n <= 6; n++) {
            int number = n;
            Callable<CloneWorld> task = () -> CloneNetwork.make(plan(number, List.of(), List.of()), ledger)
                    .world();
            made.add(pool.submit(task));
        }
        List<InetAddress> addresses = new ArrayList<>();
        for (Future<CloneWorld> each : made) {
            addresses.add(each.get().ours());
            addresses.add(each.get().copys());
        }
        pool.shutdown();

        assertThat(addresses).doesNotHaveDuplicates().hasSize(12);
        assertThat(addresses)
                .allSatisfy(each -> assertThat(each.isLinkLocalAddress()).isTrue());
    }

    @Test
    void range_isLeft_ifTheMachineUsesIt() throws Exception {
        machine.run("ip", "route", "add", "169.254.0.0/16", "dev", machine.name());
        before = machine.state();

        CloneWorld world =
                CloneNetwork.make(plan(1, List.of(), List.of()), ledger).world();

        assertThat(world.ours().getHostAddress()).startsWith("198.1");
    }

    @Test
    void candidates_skipWhatIsRouted() {
        List<String> routes = List.of(
                "default via 192.0.2.1 dev eth0",
                "169.254.0.0/16 dev eth0 scope link metric 1000",
                "local 198.18.0.1 dev lo table local",
                "198.18.0.0/16 dev x",
                "unreachable 10.0.0.0/9",
                "garbage 999.1.1.1/99");
        assertThat(LinkAddresses.candidates(routes, 7))
                .isNotEmpty()
                .extracting(each -> LinkAddresses.address(each).getHostAddress())
                .allMatch(each -> each.startsWith("198.19.") || each.startsWith("10."))
                .noneMatch(each -> each.matches("10\\.(\\d{1,2}|1[01]\\d|12[0-7])\\..*"));
        assertThat(LinkAddresses.candidates(List.of("0.0.0.0/1 dev a", "128.0.0.0/1 dev a"), 7))
                .isEmpty();
    }

    @Test
    void failure_leavesNothing() throws Exception {
        machine.run("ip", "link", "add", "us-" + ledger.session(), "type", "veth", "peer", "name", "taken0");
        try {
            assertThat(catchThrowable(() -> CloneNetwork.make(plan(1, List.of(), List.of()), ledger)))
                    .isInstanceOf(NetworkFailure.class)
                    .hasMessageContaining("File exists");
        } finally {
            machine.run("ip", "link", "delete", "us-" + ledger.session());
        }
        assertThat(machine.state()).isEqualTo(before);
        assertThat(Path.of("/run/netns/understudy-" + ledger.session())).doesNotExist();
    }

    private WorldPlan plan(int number, List<InetSocketAddress> listening, List<InetSocketAddress> upstreams)
            throws Exception {
        return new WorldPlan(ledger.session(), number, machine.network(), listening, upstreams);
    }

    private SessionProgram copy(CloneWorld world) throws Exception {
        return machine.program(inside(world), List.of());
    }

    private static NetworkNamespace inside(CloneWorld world) throws Exception {
        return NetworkNamespace.at(Path.of("/run/netns", world.namespace()));
    }

    private static void listen(SessionProgram program, String name, InetAddress address, int port) throws Exception {
        assertThat(program.answer("listen " + name + " " + address.getHostAddress() + " " + port))
                .isEqualTo("ok");
    }
}
