package dev.understudy.session.network;

import dev.understudy.session.host.HostCommand;
import dev.understudy.session.host.NetworkNamespace;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import dev.understudy.session.ledger.LedgerEntry.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes and removes a copy's world: a namespace, a link to the target's network, and the rules at both ends.
 *
 * <pre>
 *   target's network                             copy's world
 *   sidecar, aggregator ── us-ID ═══════ eth0 ── production's addresses on lo
 *                          INPUT: their ports    OUTPUT: upstreams ─▶ aggregator
 *                          FORWARD: nothing              nothing else
 * </pre>
 *
 * <p>It is closed when it is made; {@link #open} lets the copy reach what answers for its upstreams. Not for several
 * threads at once.
 */
public final class CloneNetwork implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private WorldPlan plan;
    private final Ledger ledger;
    private final List<LedgerEntry> entries = new ArrayList<>();
    private @Nullable CloneWorld world;
    private @Nullable WorldScript script;
    private @Nullable Function<WorldPlan, WorldScript> scripts;

    private CloneNetwork(WorldPlan plan, Ledger ledger) {
        this.plan = plan;
        this.ledger = ledger;
    }

    /**
     * Makes a world that nothing leaves or enters yet, but for the target's network.
     *
     * @throws NetworkFailure if it can't be made; nothing of it is left then, or it is in the ledger
     */
    public static CloneNetwork make(WorldPlan plan, Ledger ledger) throws NetworkFailure, InterruptedException {
        CloneNetwork network = new CloneNetwork(plan, ledger);
        try {
            network.make();
            return network;
        } catch (IOException failed) {
            network.close();
            throw new NetworkFailure("the copy's network can't be made: " + failed.getMessage(), failed);
        } catch (NetworkFailure | InterruptedException | RuntimeException failed) {
            network.close();
            throw failed;
        }
    }

    private void make() throws IOException, NetworkFailure, InterruptedException {
        boolean hasIpv6 = plan.hasIpv6() && isIpv6On(plan.home());
        for (IpFamily family : families(hasIpv6)) {
            List<FilterRule> rules = walls(family);
            PacketFilter filter = PacketFilter.of(plan.home(), family);
            entries.addAll(filter.list(ledger, rules));
            filter.set("filter", rules);
        }
        entries.add(ledger.add(Kind.NAMESPACE, plan.namespace()));
        run(List.of("ip", "netns", "add", plan.namespace()));
        entries.add(ledger.add(Kind.LINK, Long.toString(plan.home().number()), plan.link()));
        inHome("ip", "link", "add", plan.link(), "type", "veth", "peer", "name", "eth0", "netns", plan.namespace());
        inHome(
                "sh",
                "-c",
                "cd /proc/sys/net && echo 0 >ipv4/conf/$0/forwarding"
                        + " && { [ ! -d ipv6 ] || echo $1 >ipv6/conf/$0/disable_ipv6; } && ip link set $0 up",
                plan.link(),
                hasIpv6 ? "0" : "1");
        int first = reserve();
        InetAddress ours6 = hasIpv6 ? ipv6(1) : null;
        if (ours6 != null) {
            inHome("ip", "-6", "address", "add", IpFamily.text(ours6) + "/64", "dev", plan.link(), "nodad");
        }
        InetAddress copys6 = hasIpv6 ? ipv6(2) : null;
        InetAddress ours = LinkAddresses.address(first);
        InetAddress copys = LinkAddresses.address(first + 1);
        scripts = each -> new WorldScript(each, ours, copys, ours6, copys6);
        script = scripts.apply(plan);
        furnish(script, ours, copys, ours6);
    }

    private void furnish(WorldScript made, InetAddress ours, InetAddress copys, @Nullable InetAddress ours6)
            throws IOException, NetworkFailure, InterruptedException {
        NetworkNamespace inside = inside();
        run(inside.command(List.of("sh", "-c", made.commands())));
        Map<InetSocketAddress, InetSocketAddress> entrances = made.entrances();
        for (IpFamily family : families(ours6 != null)) {
            set(PacketFilter.of(inside, family), made.closing(family, entrances));
        }
        world = new CloneWorld(plan.namespace(), ours, copys, ours6, entrances, made.limits());
    }

    /**
     * Makes the copy reachable where production listens, if that wasn't known when the world was made.
     *
     * @throws NetworkFailure if that can't be set; the world is to be closed then
     */
    public CloneWorld listen(List<InetSocketAddress> listening) throws NetworkFailure, InterruptedException {
        CloneWorld made = world();
        if (scripts == null) {
            throw new IllegalStateException(plan.namespace() + ": not made");
        }
        plan = plan.with(listening);
        WorldScript full = scripts.apply(plan);
        try {
            NetworkNamespace inside = inside();
            run(inside.command(List.of("sh", "-c", "set -e\n" + full.addresses())));
            Map<InetSocketAddress, InetSocketAddress> entrances = full.entrances();
            for (IpFamily family : families(made.ours6() != null)) {
                set(PacketFilter.of(inside, family), full.admitting(family, entrances));
            }
            script = full;
            world = new CloneWorld(made.namespace(), made.ours(), made.copys(), made.ours6(), entrances, full.limits());
            return world;
        } catch (IOException failed) {
            throw new NetworkFailure("the copy's network can't be completed: " + failed.getMessage(), failed);
        }
    }

    /** The world. */
    public CloneWorld world() {
        if (world == null) {
            throw new IllegalStateException(plan.namespace() + ": not made");
        }
        return world;
    }

    /**
     * Lets the copy reach what answers for its upstreams, and ports of the target's end.
     *
     * @param upstreams where each upstream is answered, at {@link CloneWorld#oursFor}; others stay unreachable
     * @param ports further ports of {@link CloneWorld#ours}, such as the sidecar's control port
     * @throws NetworkFailure if that can't be set; the world is to be closed then
     */
    public void open(Map<InetSocketAddress, InetSocketAddress> upstreams, Set<Integer> ports)
            throws NetworkFailure, InterruptedException {
        CloneWorld made = world();
        if (script == null) {
            throw new IllegalStateException(plan.namespace() + ": not made");
        }
        try {
            for (IpFamily family : families(made.ours6() != null)) {
                List<FilterRule> doors = doors(family, made, upstreams, ports);
                PacketFilter filter = PacketFilter.of(plan.home(), family);
                entries.addAll(filter.list(ledger, doors));
                filter.set("filter", doors);
                set(PacketFilter.of(inside(), family), script.opening(family, upstreams, ports));
            }
        } catch (IOException failed) {
            throw new NetworkFailure("the copy's network can't be opened: " + failed.getMessage(), failed);
        }
    }

    /** The rules of the target's end that keep all out. Each is set before what stands above it. */
    private List<FilterRule> walls(IpFamily family) {
        List<FilterRule> rules = new ArrayList<>(List.of(
                rule(family, "FORWARD", "-o " + plan.link(), "-j REJECT"),
                rule(family, "FORWARD", "-i " + plan.link(), "-j REJECT"),
                rule(family, "INPUT", "-i " + plan.link(), "-j REJECT"),
                rule(
                        family,
                        "INPUT",
                        "-i " + plan.link() + " -m conntrack --ctstate ESTABLISHED,RELATED",
                        "-j ACCEPT")));
        if (family == IpFamily.V6) {
            rules.add(rule(family, "INPUT", "-i " + plan.link() + " -p icmpv6 --icmpv6-type 135", "-j ACCEPT"));
            rules.add(rule(family, "INPUT", "-i " + plan.link() + " -p icmpv6 --icmpv6-type 136", "-j ACCEPT"));
        }
        return rules;
    }

    private List<FilterRule> doors(
            IpFamily family, CloneWorld made, Map<InetSocketAddress, InetSocketAddress> upstreams, Set<Integer> ports) {
        Set<Integer> open = new LinkedHashSet<>(ports);
        upstreams.forEach((upstream, answer) -> {
            if (IpFamily.of(upstream.getAddress()) == family) {
                open.add(answer.getPort());
            }
        });
        InetAddress gate = family == IpFamily.V6 ? made.ours6() : made.ours();
        List<FilterRule> rules = new ArrayList<>();
        for (int port : open) {
            if (gate != null) {
                String match = "-i " + plan.link() + " -p tcp -d " + IpFamily.text(gate) + " --dport " + port;
                rules.add(rule(family, "INPUT", match, "-j ACCEPT"));
            }
        }
        return rules;
    }

    private FilterRule rule(IpFamily family, String chain, String match, String end) {
        return FilterRule.of(family, "filter", plan.session(), "-I", chain, match, end);
    }

    private static void set(PacketFilter filter, List<FilterRule> rules) throws NetworkFailure, InterruptedException {
        for (String table : List.of("nat", "filter")) {
            List<FilterRule> ofTable =
                    rules.stream().filter(rule -> rule.table().equals(table)).toList();
            if (!ofTable.isEmpty()) {
                filter.set(table, ofTable);
            }
        }
    }

    /** The kernel refuses a second route to the same addresses, so that two sessions can't have the same. */
    private int reserve() throws IOException, NetworkFailure, InterruptedException {
        HostCommand.Result routes =
                HostCommand.run(LIMIT, plan.home().command(List.of("ip", "-4", "-o", "route", "show", "table", "all")));
        if (!routes.isFine()) {
            throw new NetworkFailure("ip route: " + routes.lastLine());
        }
        String last = "";
        for (int first : LinkAddresses.candidates(
                routes.output().lines().toList(), plan.link().hashCode())) {
            String text = IpFamily.text(LinkAddresses.address(first));
            if (isProductions(first) || isProductions(first + 1)) {
                continue;
            }
            HostCommand.Result added = HostCommand.run(
                    LIMIT, plan.home().command(List.of("ip", "route", "add", text + "/31", "dev", plan.link())));
            if (added.isFine()) {
                inHome("ip", "address", "add", text + "/31", "dev", plan.link(), "noprefixroute");
                return first;
            }
            last = added.lastLine();
            if (!last.contains("File exists")) {
                break;
            }
        }
        throw new NetworkFailure("no free addresses for the copy's link in 169.254.0.0/16, 198.18.0.0/15, 10.0.0.0/8"
                + (last.isEmpty() ? ": see ip route show table all" : ": " + last));
    }

    private boolean isProductions(int number) {
        InetAddress address = LinkAddresses.address(number);
        return plan.listening().stream().anyMatch(each -> each.getAddress().equals(address))
                || plan.upstreams().stream().anyMatch(each -> each.getAddress().equals(address));
    }

    /** A unique local address, RFC 4193, of the session's own random number. */
    private InetAddress ipv6(int end) throws IOException {
        String id = plan.session();
        return InetAddress.getByName("fd" + id.substring(0, 2) + ":" + id.substring(2, 6) + ":" + id.substring(6)
                + String.format(Locale.ROOT, "%02x", plan.number()) + "::" + end);
    }

    private static boolean isIpv6On(NetworkNamespace network) throws IOException, InterruptedException {
        HostCommand.Result off =
                HostCommand.run(LIMIT, network.command(List.of("cat", "/proc/sys/net/ipv6/conf/all/disable_ipv6")));
        return off.isFine() && off.lastLine().equals("0");
    }

    private static List<IpFamily> families(boolean hasIpv6) {
        return hasIpv6 ? List.of(IpFamily.V4, IpFamily.V6) : List.of(IpFamily.V4);
    }

    private NetworkNamespace inside() throws IOException {
        Path file = Path.of("/run/netns", plan.namespace());
        if (!Files.exists(file)) {
            throw new IOException(file + " isn't there");
        }
        return NetworkNamespace.at(file);
    }

    private void inHome(String... words) throws IOException, NetworkFailure, InterruptedException {
        run(plan.home().command(List.of(words)));
    }

    private static void run(List<String> command) throws IOException, NetworkFailure, InterruptedException {
        HostCommand.Result result = HostCommand.run(LIMIT, command);
        if (!result.isFine()) {
            String line = result.lastLine();
            throw new NetworkFailure(
                    line.contains("not permitted") || line.contains("ermission denied")
                            ? line + ": run the command as root, or with CAP_NET_ADMIN and CAP_SYS_ADMIN"
                            : String.join(" ", command) + ": " + line);
        }
    }

    /** Removes all of it, with the processes inside. What can't be removed stays in the ledger. */
    @Override
    public void close() {
        try {
            for (int n = entries.size() - 1; n >= 0; n--) {
                ledger.undo(entries.get(n));
            }
            entries.clear();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
