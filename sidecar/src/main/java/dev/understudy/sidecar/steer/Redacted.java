package dev.understudy.sidecar.steer;

import java.util.Map;
import java.util.Set;

/**
 * The order {@code redact}: the names whose values agents don't show, besides those that they never do. For any
 * threads.
 */
public final class Redacted {
    private static final String KIND = "redact";

    private final Orders orders;

    /** Nothing is ordered. */
    public Redacted(Orders orders) {
        this.orders = orders;
    }

    /** These aren't to be shown. */
    public void order(Set<String> names) {
        orders.order(
                KIND,
                names.isEmpty() ? null : Map.of("names", names.stream().sorted().toList()));
    }
}
