package dev.understudy.standin.graph;

import dev.understudy.standin.graph.MadeCall.Target;
import dev.understudy.standin.trace.NodeKind;
import dev.understudy.standin.trace.TracedSpan;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The requests of one route, and their calls. Confined to one thread. */
final class RouteSums {
    private static final double NANOS_PER_MILLI = 1e6;

    private final Map<Target, CallSums> targets = new HashMap<>();
    private long requests;
    private double nanos;
    private int most;

    /** @param calls by their start */
    void add(TracedSpan request, List<MadeCall> calls) {
        requests++;
        nanos += request.end() - request.start();
        int[] atOnce = CallOverlap.atOnce(calls);
        Set<Target> made = new HashSet<>();
        for (int i = 0; i < atOnce.length; i++) {
            MadeCall call = calls.get(i);
            CallSums sums = targets.computeIfAbsent(call.target(), first -> new CallSums(call.kind()));
            if (made.add(call.target())) {
                sums.first(made.size());
            }
            sums.add(call, atOnce[i]);
            most = Math.max(most, atOnce[i]);
        }
    }

    long requests() {
        return requests;
    }

    /** What is called, and what callers know of it. */
    Map<Target, CallSums> targets() {
        return targets;
    }

    /** @param kinds what each service or peer is */
    ServiceRoute result(String route, Function<String, NodeKind> kinds) {
        List<ServiceCall> calls = targets.entrySet().stream()
                .map(each -> each.getValue()
                        .result(each.getKey(), kinds.apply(each.getKey().service()), requests))
                .sorted(Comparator.comparingDouble(ServiceCall::position)
                        .thenComparing(ServiceCall::service)
                        .thenComparing(ServiceCall::route))
                .toList();
        return new ServiceRoute(route, requests, nanos / requests / NANOS_PER_MILLI, most, calls);
    }
}
