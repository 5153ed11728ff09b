package dev.understudy.session.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is done inside of a copy's world: its addresses and routes, and the rules by which upstreams are answered.
 *
 * <p>Upstreams get a route, since a rule can change a connection's destination only after the kernel found one. The
 * rules let nothing else pass, whatever the other end of the link would forward.
 */
final class WorldScript {
    private static final String LINK = "eth0";

    private final WorldPlan plan;
    private final InetAddress ours;
    private final InetAddress copys;
    private final @Nullable InetAddress ours6;
    private final @Nullable InetAddress copys6;
    private final List<String> limits = new ArrayList<>();

    WorldScript(
            WorldPlan plan,
            InetAddress ours,
            InetAddress copys,
            @Nullable InetAddress ours6,
            @Nullable InetAddress copys6) {
        this.plan = plan;
        this.ours = ours;
        this.copys = copys;
        this.ours6 = ours6;
        this.copys6 = copys6;
    }

    /** Commands for a shell in the world. All addresses come from the kernel's numbers. */
    String commands() {
        List<String> lines = new ArrayList<>(List.of(
                "set -e",
                "ip link set lo up",
                "for f in all default " + LINK + "; do echo 0 >/proc/sys/net/ipv4/conf/$f/rp_filter; done",
                "echo 1 >/proc/sys/net/ipv4/conf/" + LINK + "/route_localnet",
                "echo 0 >/proc/sys/net/ipv4/ip_forward",
                "ip address add " + IpFamily.text(copys) + "/31 dev " + LINK));
        if (copys6 != null) {
            lines.add("ip -6 address add " + IpFamily.text(copys6) + "/64 dev " + LINK + " nodad");
        }
        lines.add("ip link set " + LINK + " up");
        lines.add(addresses());
        return String.join("\n", lines);
    }

    /** The part of them for what production listens on, and its upstreams. */
    String addresses() {
        List<String> lines = new ArrayList<>();
        Set<String> own = new LinkedHashSet<>();
        for (InetSocketAddress each : plan.listening()) {
            if (isSpecific(each.getAddress()) && isReachable(each.getAddress()) && own.add(text(each))) {
                lines.add("ip address replace " + text(each) + width(each) + " dev lo" + noDad(each));
            }
        }
        for (InetSocketAddress each : plan.upstreams()) {
            InetAddress gate = IpFamily.of(each.getAddress()) == IpFamily.V6 ? ours6 : ours;
            if (isSpecific(each.getAddress())
                    && isReachable(each.getAddress())
                    && gate != null
                    && own.add(text(each))) {
                lines.add("ip route replace " + text(each) + width(each) + " via " + IpFamily.text(gate) + " dev "
                        + LINK);
            }
        }
        return String.join("\n", lines);
    }

    private static String text(InetSocketAddress address) {
        return IpFamily.text(address.getAddress());
    }

    private static String width(InetSocketAddress address) {
        return IpFamily.of(address.getAddress()) == IpFamily.V6 ? "/128" : "/32";
    }

    private static String noDad(InetSocketAddress address) {
        return IpFamily.of(address.getAddress()) == IpFamily.V6 ? " nodad" : "";
    }

    private static boolean isSpecific(InetAddress address) {
        return !address.isAnyLocalAddress() && !address.isLoopbackAddress();
    }

    private boolean isReachable(InetAddress address) {
        return IpFamily.of(address) == IpFamily.V4 || (!address.isLinkLocalAddress() && copys6 != null);
    }

    /** The rules that shut it off, and by which the copy is reached where it listens on one address only. */
    List<FilterRule> closing(IpFamily family, Map<InetSocketAddress, InetSocketAddress> entrances) {
        List<FilterRule> rules = new ArrayList<>();
        rules.add(rule(family, "filter", "-A OUTPUT", "-o lo", "-j ACCEPT"));
        rules.add(rule(family, "filter", "-A OUTPUT", "-m conntrack --ctstate ESTABLISHED,RELATED", "-j ACCEPT"));
        if (family == IpFamily.V6) {
            rules.add(rule(family, "filter", "-A OUTPUT", "-p icmpv6 --icmpv6-type 135", "-j ACCEPT"));
            rules.add(rule(family, "filter", "-A OUTPUT", "-p icmpv6 --icmpv6-type 136", "-j ACCEPT"));
        }
        rules.add(rule(family, "filter", "-A OUTPUT", "-p tcp", "-j REJECT --reject-with tcp-reset"));
        rules.add(rule(family, "filter", "-A OUTPUT", "", "-j REJECT"));
        rules.add(rule(family, "filter", "-A FORWARD", "", "-j DROP"));
        // a loopback source can't leave: the kernel would drop it at the other end
        rules.add(rule(family, "nat", "-A POSTROUTING", "-o " + LINK, "-j MASQUERADE"));
        rules.addAll(admitting(family, entrances));
        return rules;
    }

    /** The part of them by which the copy is reached. */
    List<FilterRule> admitting(IpFamily family, Map<InetSocketAddress, InetSocketAddress> entrances) {
        List<FilterRule> rules = new ArrayList<>();
        entrances.forEach((listening, entrance) -> {
            if (IpFamily.of(entrance.getAddress()) == family
                    && !listening.getAddress().isAnyLocalAddress()) {
                rules.add(rule(
                        family,
                        "nat",
                        "-A PREROUTING",
                        "-i " + LINK + " -p tcp -d " + text(entrance) + " --dport " + entrance.getPort(),
                        "-j DNAT --to-destination " + IpFamily.text(listening)));
            }
        });
        return rules;
    }

    /** The rules by which an upstream is answered at the other end. */
    List<FilterRule> opening(IpFamily family, Map<InetSocketAddress, InetSocketAddress> upstreams, Set<Integer> ports) {
        List<FilterRule> rules = new ArrayList<>();
        InetAddress gate = family == IpFamily.V6 ? ours6 : ours;
        if (gate == null) {
            return rules;
        }
        Set<Integer> open = new LinkedHashSet<>(ports);
        upstreams.forEach((upstream, answer) -> {
            if (IpFamily.of(upstream.getAddress()) == family) {
                open.add(answer.getPort());
                rules.add(rule(
                        family,
                        "nat",
                        "-A OUTPUT",
                        "-p tcp -d " + text(upstream) + " --dport " + upstream.getPort(),
                        "-j DNAT --to-destination " + IpFamily.text(gate, answer.getPort())));
            }
        });
        for (int port : open) {
            rules.add(rule(
                    family,
                    "filter",
                    "-I OUTPUT",
                    "-p tcp -d " + IpFamily.text(gate) + " --dport " + port,
                    "-j ACCEPT"));
        }
        return rules;
    }

    private FilterRule rule(IpFamily family, String table, String chain, String match, String end) {
        String[] words = chain.split(" ", 2);
        return FilterRule.of(family, table, plan.session(), words[0], words[1], match, end);
    }

    /** Where the copy is reached from the other end; ports that two addresses share get another one there. */
    Map<InetSocketAddress, InetSocketAddress> entrances() {
        Map<InetSocketAddress, InetSocketAddress> entrances = new LinkedHashMap<>();
        Set<Integer> taken = new LinkedHashSet<>();
        for (InetSocketAddress each : plan.listening()) {
            if (each.getAddress().isAnyLocalAddress()) {
                taken.add(each.getPort());
                entrances.put(each, new InetSocketAddress(copys, each.getPort()));
            }
        }
        for (InetSocketAddress each : plan.listening()) {
            InetAddress gate = IpFamily.of(each.getAddress()) == IpFamily.V6 ? copys6 : copys;
            if (each.getAddress().isAnyLocalAddress() || entrances.containsKey(each)) {
                continue;
            }
            if (gate == null || isUnreachable(each.getAddress())) {
                limits.add("the copy isn't reached where it listens at " + IpFamily.text(each) + ": " + why(each));
                continue;
            }
            int port = each.getPort();
            while (!taken.add(port)) {
                port = port < 65_535 ? port + 1 : 1_024;
            }
            entrances.put(each, new InetSocketAddress(gate, port));
        }
        return entrances;
    }

    /** What isn't possible, once the entrances are known. */
    List<String> limits() {
        List<String> all = new ArrayList<>(limits);
        for (InetSocketAddress each : plan.upstreams()) {
            boolean hasGate = IpFamily.of(each.getAddress()) == IpFamily.V4 || ours6 != null;
            if (!hasGate || isUnreachable(each.getAddress())) {
                all.add("the copy doesn't reach its upstream " + IpFamily.text(each) + ": " + why(each));
            }
        }
        return all;
    }

    /** The kernel lets nothing from or to ::1 pass between two networks, and link-local addresses mean another link. */
    private static boolean isUnreachable(InetAddress address) {
        return IpFamily.of(address) == IpFamily.V6 && (address.isLoopbackAddress() || address.isLinkLocalAddress());
    }

    private static String why(InetSocketAddress address) {
        return isUnreachable(address.getAddress())
                ? "the kernel translates no connections of " + IpFamily.text(address.getAddress())
                        + "; use 127.0.0.1 or a global address"
                : "its network has no IPv6: the target's has none (net.ipv6.conf.all.disable_ipv6), or it began before"
                        + " any was known";
    }
}
