package dev.understudy.session.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules that bring production's new connections to sidecar and aggregator.
 *
 * <p>They match a connection's first packet only. The kernel would take the next packet of a connection that it hasn't
 * tracked so far for a new one, and translate it.
 */
final class RedirectRules {
    /**
     * The groups of all sessions' programs: those of services without a user of their own, as systemd has them. Two
     * sessions that redirect one port at one moment would send each connection to each other for ever.
     */
    private static final String PROGRAMS = "61184-65519";

    private final RedirectPlan plan;
    private final List<FilterRule> rules = new ArrayList<>();
    private final List<String> limits = new ArrayList<>();

    RedirectRules(RedirectPlan plan, boolean hasIpv6) throws NetworkFailure {
        this.plan = plan;
        for (var each : plan.listening().entrySet()) {
            inbound(each.getKey(), each.getValue(), hasIpv6);
        }
        for (var each : plan.upstreams().entrySet()) {
            outbound(each.getKey(), each.getValue());
        }
    }

    private void inbound(InetSocketAddress from, InetSocketAddress to, boolean hasIpv6) throws NetworkFailure {
        InetAddress address = from.getAddress();
        boolean isWildcard = address.isAnyLocalAddress();
        if (isWildcard && !to.getAddress().isAnyLocalAddress()) {
            throw new NetworkFailure("the sidecar listens at " + IpFamily.text(to) + " for production's "
                    + IpFamily.text(from) + " (expected: a wildcard address)");
        }
        if (!isWildcard
                && !to.getAddress().isAnyLocalAddress()
                && !to.getAddress().equals(address)) {
            throw new NetworkFailure("the sidecar listens at " + IpFamily.text(to) + " for production's "
                    + IpFamily.text(from) + " (expected: the same address, or a wildcard)");
        }
        if (!isWildcard) {
            String match = "-p tcp --syn -d " + IpFamily.text(address) + " --dport " + from.getPort();
            arriving(
                    IpFamily.of(address),
                    match,
                    "-j DNAT --to-destination " + IpFamily.text(address, to.getPort()),
                    !address.isLoopbackAddress());
            return;
        }
        String match = "-p tcp --syn -m addrtype --dst-type LOCAL --dport " + from.getPort();
        String end = "-j REDIRECT --to-ports " + to.getPort();
        arriving(IpFamily.V4, match, end, true);
        if (IpFamily.of(address) == IpFamily.V6 && hasIpv6) {
            arriving(IpFamily.V6, match, end, true);
        }
    }

    /** From outside, and from clients on the same machine. */
    private void arriving(IpFamily family, String match, String end, boolean isReachedFromOutside) {
        if (isReachedFromOutside) {
            add(family, "PREROUTING", match, end);
        }
        add(
                family,
                "OUTPUT",
                match + " -m owner ! --gid-owner " + plan.gid() + " -m owner ! --gid-owner " + PROGRAMS,
                end);
    }

    private void outbound(InetSocketAddress upstream, InetSocketAddress to) {
        IpFamily family = IpFamily.of(upstream.getAddress());
        InetAddress target = to.getAddress();
        if (!target.isAnyLocalAddress() && (IpFamily.of(target) != family || !target.isLoopbackAddress())) {
            limits.add("production's connections to " + IpFamily.text(upstream) + " aren't recorded: the aggregator"
                    + " listens at " + IpFamily.text(to) + " (expected: a loopback address of the same family)");
            return;
        }
        add(
                family,
                "OUTPUT",
                "-p tcp --syn -d " + IpFamily.text(upstream.getAddress()) + " --dport " + upstream.getPort()
                        + " -m owner --uid-owner " + plan.uid() + " ! --gid-owner " + plan.gid(),
                "-j REDIRECT --to-ports " + to.getPort());
    }

    private void add(IpFamily family, String chain, String match, String end) {
        rules.add(FilterRule.of(family, "nat", plan.session(), "-I", chain, match, end));
    }

    /**
     * A rule that no connection matches. The kernel stops tracking connections with the last rule that needs that, and
     * then cuts off those that are redirected: Linux, {@code nf_ct_netns_put}.
     */
    FilterRule holder(IpFamily family) {
        String nobody = family == IpFamily.V6 ? "ff02::1/128" : "255.255.255.255/32";
        return FilterRule.of(
                family, "nat", plan.session(), "-A", "OUTPUT", "-p tcp -d " + nobody, "-j REDIRECT --to-ports 1");
    }

    List<FilterRule> of(IpFamily family) {
        return rules.stream().filter(rule -> rule.family() == family).toList();
    }

    /** What isn't redirected, a sentence each. */
    List<String> limits() {
        return List.copyOf(limits);
    }
}
