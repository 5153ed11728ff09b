package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * Who keeps sampled calls beside those that export them; nobody unless the operator wants it. Called by the
 * application's threads.
 */
public abstract class Witness {
    private static volatile @Nullable Witness told;

    /** One that is told of nothing yet. */
    protected Witness() {}

    /** From now on {@code witness} is told. */
    public static void tell(Witness witness) {
        told = witness;
    }

    static void ended(CallSample sample) {
        Witness witness = told;
        try {
            if (witness != null) {
                witness.called(sample, ServedExchanges.current());
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }

    /** A sampled call has ended, within that exchange if there is one. */
    protected abstract void called(CallSample sample, @Nullable ServedExchange exchange);
}
