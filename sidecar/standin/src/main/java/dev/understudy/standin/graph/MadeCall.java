package dev.understudy.standin.graph;

import dev.understudy.standin.trace.NodeKind;

/**
 * One call that one request made.
 *
 * @param target who was asked for what
 * @param kind what that is
 * @param start in nanoseconds since 1970, by the caller's clock where it has a span of the call
 * @param end in nanoseconds since 1970
 */
record MadeCall(Target target, NodeKind kind, long start, long end) {
    /**
     * A service or peer, and what it is asked for.
     *
     * @param service its name
     * @param route its route, or a database's operation
     */
    record Target(String service, String route) {}
}
