package dev.understudy.sidecar.steer;

import java.util.List;
import java.util.Map;

/**
 * The order {@code parts}: which agents share the methods of one service, so that each looks at its own part alone. Who
 * has which follows from the agents' names, so that they needn't be told more. One thread.
 */
public final class Parts {
    private static final String KIND = "parts";

    private final Orders orders;
    private final boolean shared;

    /** @param shared whether they do at all */
    public Parts(Orders orders, boolean shared) {
        this.orders = orders;
        this.shared = shared;
    }

    /** Whether several share them now. Any thread. */
    public boolean inForce() {
        return orders.sheet().kinds().containsKey(KIND);
    }

    /** These agents are there now; one alone has all methods. */
    public void follow(List<String> agents) {
        if (shared) {
            orders.order(
                    KIND,
                    agents.size() < 2
                            ? null
                            : Map.of("agents", agents.stream().sorted().toList()));
        }
    }
}
