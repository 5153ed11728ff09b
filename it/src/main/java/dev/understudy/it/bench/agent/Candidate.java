package dev.understudy.it.bench.agent;

import dev.understudy.it.overhead.Armed;
import java.util.List;

/**
 * A way to look, or not to.
 *
 * @param options the JVM's
 * @param armed how our gates and probes stand
 */
record Candidate(String name, List<String> options, Armed armed) {
    /** One with somebody else's agent, or none. */
    static Candidate other(String name, List<String> options) {
        return new Candidate(name, List.copyOf(options), Armed.ABSENT);
    }
}
