package dev.understudy.agent.egress;

import dev.understudy.agent.bootstrap.AgentFaults;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class EgressPolicyTest {
    private final Map<String, List<String>> zone = new HashMap<>();
    private final List<String> lookedUp = new CopyOnWriteArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final Semaphore begun = new Semaphore(0);
    private final HandClock clock = new HandClock();
    private final RefusedConnects refused = new RefusedConnects(lines::add);
    private final ThreadGroup own = new ThreadGroup("own");
    private OwnListeners listeners = (address, port) -> false;
    private volatile boolean fails;
    private @Nullable Thread looking;

    @AfterEach
    void stop() throws InterruptedException {
        if (looking != null) {
            looking.interrupt();
            looking.join();
        }
    }

    @Test
    void whatIsNotListed_isRefused_andHowItIsAllowedIsSaid() {
        EgressPolicy policy = policy("", "10.0.0.7:5432");

        assertAllowed(policy, "10.0.0.7", 5432);
        assertThatThrownBy(() -> policy.check(to("10.0.0.7", 5433)))
                .isExactlyInstanceOf(ConnectException.class)
                .hasMessage("refused by the understudy agent: egress=deny (allow it with egress-allow=10.0.0.7:5433)");
        assertThatThrownBy(() -> policy.check(named("api.example.com", "203.0.113.9", 443)))
                .hasMessageContaining("egress-allow=api.example.com:443)");
        assertThatThrownBy(() -> policy.check(to("2001:db8::1", 443)))
                .hasMessageContaining("egress-allow=[2001:db8:0:0:0:0:0:1]:443)");
        assertThatThrownBy(() -> policy.check(named("fe80::1%3\n\u001b[2J", "203.0.113.9", 443)))
                .hasMessageContaining("egress-allow=[fe80::1]:443)");
        assertThatThrownBy(() -> policy.check(named("a\u001b[2J".repeat(100), "203.0.113.9", 443)))
                .hasMessageNotContaining("\u001b")
                .satisfies(problem ->
                        assertThat(String.valueOf(problem.getMessage())).hasSizeLessThan(400));
    }

    @Test
    void aName_isLookedUpWhenAConnectionWouldBeRefused_tenSecondsApart() {
        zone.put("api.example.com", List.of("203.0.113.9"));
        EgressPolicy policy = policy("", "api.example.com:443");
        assertThat(lookedUp).as("before the application connects").isEmpty();

        assertAllowed(policy, "203.0.113.9", 443);
        assertAllowed(policy, "203.0.113.9", 443);
        assertThat(lookedUp).hasSize(1);
        assertRefused(policy, "203.0.113.9", 444);
        assertRefused(policy, "203.0.113.10", 443);
        assertThat(lookedUp).hasSize(1);

        zone.put("api.example.com", List.of("203.0.113.10"));
        clock.pass(Duration.ofMillis(9_999).toNanos());
        assertRefused(policy, "203.0.113.10", 443);
        assertThat(lookedUp).hasSize(1);
        clock.pass(Duration.ofMillis(1).toNanos());
        assertAllowed(policy, "203.0.113.10", 443);
        assertThat(lookedUp).hasSize(2);
        assertAllowed(policy, "203.0.113.9", 443); // a connection may still be made to what it had before
        assertThat(lookedUp).containsOnly("api.example.com");
    }

    @Test
    void aNameThatSomebodyElsesAddressBears_allowsNothing() {
        zone.put("api.example.com", List.of("203.0.113.9"));
        EgressPolicy policy = policy("", "api.example.com:443");

        assertThatThrownBy(() -> policy.check(named("api.example.com", "198.51.100.66", 443)))
                .isInstanceOf(ConnectException.class);
        assertThat(lookedUp).containsExactly("api.example.com");
    }

    @Test
    void aNameWithoutAnAddress_allowsNothing_andKeepsWhatItHad() {
        EgressPolicy policy = policy("", "api.example.com:443");
        assertRefused(policy, "203.0.113.9", 443);

        zone.put("api.example.com", List.of("203.0.113.9"));
        clock.pass(Duration.ofSeconds(10).toNanos());
        assertAllowed(policy, "203.0.113.9", 443);
        zone.clear();
        clock.pass(Duration.ofSeconds(10).toNanos());
        assertRefused(policy, "203.0.113.10", 443);
        assertAllowed(policy, "203.0.113.9", 443);
    }

    @Test
    void debugPorts_areTheAggregatorsAlone() {
        zone.put("aggregator", List.of("10.0.0.9"));
        EgressPolicy policy = policy("http://aggregator:9091");
        policy.debugPorts(Set.of(5432, 443));

        assertAllowed(policy, "10.0.0.9", 5432);
        assertAllowed(policy, "10.0.0.9", 9091);
        assertRefused(policy, "10.0.0.9", 5433);
        assertRefused(policy, "203.0.113.9", 443);
        policy.debugPorts(Set.of(6379));
        assertRefused(policy, "10.0.0.9", 5432);
        assertAllowed(policy, "10.0.0.9", 6379);
    }

    @Test
    void asLongAsDebugPortsAreUnknown_connectionsToTheAggregatorWait_andNoOthersDo() {
        EgressPolicy policy = policy("http://10.0.0.9:9091");
        assertRefused(policy, "203.0.113.9", 5432);
        assertThat(clock.waited()).isZero();

        clock.meanwhile(() -> policy.debugPorts(Set.of(5432)));
        assertAllowed(policy, "10.0.0.9", 5432);
        assertThat(begun.availablePermits()).as("asked the aggregator").isEqualTo(1);
    }

    @Test
    void anAggregatorThatSaysNothing_isWaitedForOnce() {
        EgressPolicy policy = policy("http://10.0.0.9:9091");

        assertRefused(policy, "10.0.0.9", 5432);
        assertThat(clock.waited()).isEqualTo(Duration.ofSeconds(10).toNanos());
        assertRefused(policy, "10.0.0.9", 5432);
        assertThat(clock.waited()).isEqualTo(Duration.ofSeconds(10).toNanos());
    }

    @Test
    void portsOfThisProcess_areAllowedOnThisMachineAlone() {
        listeners = (address, port) -> port == 8080;
        EgressPolicy policy = policy("");

        assertAllowed(policy, "127.0.0.1", 8080);
        assertAllowed(policy, "::1", 8080);
        assertAllowed(policy, "0.0.0.0", 8080);
        assertRefused(policy, "127.0.0.1", 5432);
        assertRefused(policy, "198.51.100.66", 8080);
    }

    @Test
    void wherePortsCannotBeKnown_loopbackHasToBeListed() {
        listeners = (address, port) -> {
            throw new IOException("no /proc");
        };
        assertRefused(policy(""), "127.0.0.1", 8080);
        assertAllowed(policy("", "127.0.0.0/8:*"), "127.0.0.1", 8080);
    }

    @Test
    void theAgentsOwnThreads_areExempt() throws InterruptedException {
        EgressPolicy policy = policy("");
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        runInOwnGroup(() -> connect(policy, thrown));

        assertThat(thrown).isEmpty();
        assertThat(refused.byDestination()).isEmpty();
    }

    /** Before JDK 24 a pool's workers are in the group of whoever has it start them. */
    @Test
    void workersOfAPool_areNotExempt_whoeverStartedThem() throws InterruptedException {
        EgressPolicy policy = policy("");
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        List<ThreadGroup> groups = new CopyOnWriteArrayList<>();
        ForkJoinPool pool = new ForkJoinPool(1);
        try {
            runInOwnGroup(() -> pool.submit(() -> {
                        groups.add(Thread.currentThread().getThreadGroup());
                        connect(policy, thrown);
                    })
                    .join());
        } finally {
            pool.shutdownNow();
        }

        assertThat(groups).hasSize(1);
        assertThat(Runtime.version().feature() >= 24 || groups.contains(own)).isTrue();
        assertThat(thrown).hasSize(1).first().isInstanceOf(ConnectException.class);
    }

    private void runInOwnGroup(Runnable work) throws InterruptedException {
        Thread thread = new Thread(own, work);
        thread.start();
        thread.join();
    }

    private static void connect(EgressPolicy policy, List<Throwable> thrown) {
        try {
            policy.check(to("203.0.113.9", 443));
        } catch (IOException problem) {
            thrown.add(problem);
        }
    }

    @Test
    void refusals_areCountedByDestination_andToldOnce() {
        EgressPolicy policy = policy("");
        for (int i = 0; i < 3; i++) {
            assertRefused(policy, "203.0.113.9", 443);
        }

        assertThat(refused.byDestination()).isEqualTo(Map.of("203.0.113.9:443", 3L));
        assertThat(lines).isEmpty();
        refused.tell();
        assertThat(lines).hasSize(1).first().asString().contains("203.0.113.9:443", "egress-allow=203.0.113.9:443");
        for (int port = 1; port <= 200; port++) {
            assertRefused(policy, "203.0.113.10", port);
            assertRefused(policy, "203.0.113.10", port);
        }
        assertThat(refused.byDestination()).hasSize(64).containsEntry("203.0.113.9:443", 3L);
        assertThat(refused.elsewhere()).isEqualTo(2 * (200 - 63));
        refused.tell();
        refused.tell();
        assertThat(lines).hasSize(65);
    }

    @Test
    void anErrorOfALookup_endsNothing() {
        EgressPolicy policy = policy("", "api.example.com:443", "other.example.com:443");
        zone.put("other.example.com", List.of("203.0.113.7"));
        fails = true;
        assertAllowed(policy, "203.0.113.7", 443);
        assertThat(AgentFaults.take()).isInstanceOf(OutOfMemoryError.class);

        fails = false;
        zone.put("api.example.com", List.of("203.0.113.9"));
        clock.pass(Duration.ofSeconds(10).toNanos());
        assertAllowed(policy, "203.0.113.9", 443);
        assertThat(clock.waited()).as("for a thread that has ended").isZero();
    }

    private EgressPolicy policy(String aggregator, String... allowed) {
        List<EgressRule> listed = new ArrayList<>();
        for (String one : allowed) {
            listed.add(Objects.requireNonNull(EgressRule.parse(one)));
        }
        EgressRules rules = new EgressRules(listed, List.of(aggregator), aggregator);
        ListedNames names = new ListedNames(rules.all(), this::lookUp, begun::release, () -> {}, clock);
        looking = new Thread(names);
        looking.setDaemon(true);
        looking.start();
        Thread thread = looking;
        clock.meanwhile(() -> awaitParked(names, thread));
        return new EgressPolicy(rules, names, own, listeners, refused, clock);
    }

    /** Until all that was asked for was looked up. */
    private static void awaitParked(ListedNames names, Thread thread) {
        while (names.isRunning() && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    private InetAddress[] lookUp(String name) throws UnknownHostException {
        lookedUp.add(name);
        if (fails && name.startsWith("api.")) {
            throw new OutOfMemoryError("of the test");
        }
        List<String> addresses = zone.get(name);
        if (addresses == null) {
            throw new UnknownHostException(name);
        }
        InetAddress[] all = new InetAddress[addresses.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = InetAddress.getByName(addresses.get(i));
        }
        return all;
    }

    private static void assertAllowed(EgressPolicy policy, String address, int port) {
        assertThatCode(() -> policy.check(to(address, port))).doesNotThrowAnyException();
    }

    private static void assertRefused(EgressPolicy policy, String address, int port) {
        assertThatThrownBy(() -> policy.check(to(address, port))).isInstanceOf(ConnectException.class);
    }

    private static InetSocketAddress to(String address, int port) throws UnknownHostException {
        return new InetSocketAddress(
                InetAddress.getByAddress(InetAddress.getByName(address).getAddress()), port);
    }

    private static InetSocketAddress named(String name, String address, int port) throws UnknownHostException {
        return new InetSocketAddress(
                InetAddress.getByAddress(name, InetAddress.getByName(address).getAddress()), port);
    }
}
