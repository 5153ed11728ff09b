package dev.understudy.standin.graph;

import dev.understudy.standin.graph.MadeCall.Target;
import dev.understudy.standin.trace.NodeKind;

/** The same call of many requests of one route. Confined to one thread. */
final class CallSums {
    private static final double NANOS_PER_MILLI = 1e6;

    private final NodeKind kind;
    private long requests;
    private long calls;
    private long positions;
    private double nanos;
    private int atOnce;

    CallSums(NodeKind kind) {
        this.kind = kind;
    }

    /** The first call of it in a request. */
    void first(int position) {
        requests++;
        positions += position;
    }

    /** Each call of it. */
    void add(MadeCall call, int together) {
        calls++;
        nanos += call.end() - call.start();
        atOnce = Math.max(atOnce, together);
    }

    /** @param all how many requests the route has */
    ServiceCall result(Target target, NodeKind known, long all) {
        return new ServiceCall(
                target.service(),
                known,
                target.route(),
                requests,
                calls,
                requests / (double) all,
                calls / (double) requests,
                positions / (double) requests,
                atOnce,
                nanos / calls / NANOS_PER_MILLI);
    }

    NodeKind kind() {
        return kind;
    }
}
