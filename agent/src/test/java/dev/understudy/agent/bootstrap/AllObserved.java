package dev.understudy.agent.bootstrap;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has every exchange of a test observed, of which neither others nor this leave anything. */
final class AllObserved implements BeforeEachCallback, AfterEachCallback {
    @Override
    public void beforeEach(ExtensionContext test) {
        anew();
    }

    @Override
    public void afterEach(ExtensionContext test) {
        forget();
    }

    /** Forgets what there was up to now. */
    static void anew() {
        forget();
        Observations.allow(1, Integer.MAX_VALUE);
    }

    private static void forget() {
        ServedExchange current = ServedExchanges.current();
        if (current != null) {
            ServedExchanges.exit(current);
        }
        Observations.allow(0, 0);
        while (Observations.poll() != null) {
            // what was observed
        }
        while (Samples.poll() != null) {
            // what was sampled
        }
    }
}
