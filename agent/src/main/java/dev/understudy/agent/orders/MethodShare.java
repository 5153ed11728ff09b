package dev.understudy.agent.orders;

import java.util.List;

/**
 * Which of several agents looks at a class: the one whose name goes best with it (rendezvous hashing). All agents come
 * to the same, each class has one, and when one comes or goes only its own classes change hands. Stateless.
 */
final class MethodShare {
    private MethodShare() {}

    /** The agent of the class; the first of those that go equally well. {@code agents} has at least one. */
    static String owner(List<String> agents, String className) {
        String best = agents.get(0);
        long most = Long.MIN_VALUE;
        for (String agent : agents) {
            long fit = mixed(mixed(className.hashCode()) ^ agent.hashCode());
            if (fit > most) {
                most = fit;
                best = agent;
            }
        }
        return best;
    }

    /** Spreads what differs in a few bits over all of them. */
    private static long mixed(long bits) {
        long spread = (bits + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        spread = (spread ^ (spread >>> 27)) * 0x94D049BB133111EBL;
        return spread ^ (spread >>> 31);
    }
}
