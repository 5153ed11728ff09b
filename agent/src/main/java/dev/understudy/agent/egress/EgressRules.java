package dev.understudy.agent.egress;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the settings allow. Immutable. */
public final class EgressRules {
    private final List<EgressRule> listed = new ArrayList<>();
    private final @Nullable EgressRule aggregator;

    /**
     * Rules of these.
     *
     * @param controls URLs of control ports and receivers, some of which may be ""
     * @param aggregator the URL of the aggregator's control port, or ""
     */
    public EgressRules(List<EgressRule> allowed, List<String> controls, String aggregator) {
        listed.addAll(allowed);
        for (String url : controls) {
            EgressRule rule = url.isEmpty() ? null : EgressRule.ofUrl(url);
            if (rule != null) {
                listed.add(rule);
            }
        }
        this.aggregator = aggregator.isEmpty() ? null : EgressRule.hostOfUrl(aggregator);
    }

    /** All of them, the aggregator's host too. */
    List<EgressRule> all() {
        List<EgressRule> all = new ArrayList<>(listed);
        if (aggregator != null) {
            all.add(aggregator);
        }
        return all;
    }

    /** @param addresses those that a name has */
    boolean allow(InetAddress address, int port, Function<String, Set<InetAddress>> addresses) {
        for (EgressRule rule : listed) {
            if (rule.allows(address, port, addresses)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the aggregator's control port is at that address. */
    boolean isAggregator(InetAddress address, Function<String, Set<InetAddress>> addresses) {
        return aggregator != null && aggregator.allows(address, 0, addresses);
    }
}
