package dev.understudy.sidecar.experiment;

import dev.understudy.sidecar.control.OrdersView;
import dev.understudy.sidecar.steer.Orders;
import java.util.List;
import java.util.Map;

/** Orders agents to record executions. Any thread. */
final class RecordingOrders {
    private static final String KIND = "executions";

    private final Orders orders;
    private final OrdersView followed;
    private volatile List<Run> runs = List.of();
    private volatile long revision;

    RecordingOrders(Orders orders, OrdersView followed) {
        this.orders = orders;
        this.followed = followed;
    }

    /**
     * An execution to be recorded.
     *
     * @param trace of the request, 32 hex digits
     * @param port that it comes from
     */
    record Run(String trace, int port) {}

    void order(List<String> classes, List<Run> wanted) {
        runs = List.copyOf(wanted);
        revision = orders.order(
                KIND,
                Map.of(
                        "classes",
                        classes,
                        "runs",
                        wanted.stream()
                                .map(run -> Map.of("trace", run.trace(), "port", run.port()))
                                .toList()));
    }

    /** Nothing is recorded any more. */
    void takeBack() {
        runs = List.of();
        orders.order(KIND, null);
    }

    boolean isExpected(String trace) {
        return runs.stream().anyMatch(run -> run.trace().equals(trace));
    }

    /** Whether all agents that report have done what is ordered. */
    boolean areFollowed() {
        List<Long> revisions = followed.followed();
        return !revisions.isEmpty() && revisions.stream().allMatch(done -> done >= revision);
    }
}
