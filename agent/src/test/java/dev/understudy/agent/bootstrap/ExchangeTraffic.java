package dev.understudy.agent.bootstrap;

import java.util.concurrent.Callable;

/** Exchanges, for tests of other packages. */
public final class ExchangeTraffic {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private ExchangeTraffic() {}

    /** Begins and ends one that isn't traced. */
    public static void one() {
        Exchanges.exit(Exchanges.begin(null));
    }

    /** What is observed of an exchange that does this work. */
    public static Observed of(Callable<?> work) throws Exception {
        while (Observations.poll() != null) {
            // of other tests
        }
        Observations.allow(1, Integer.MAX_VALUE);
        Exchange exchange = Exchanges.begin(HEADER);
        try {
            work.call();
        } finally {
            Exchanges.exit(exchange);
            Observations.allow(0, 0);
        }
        Observed observed = Observations.poll();
        if (observed == null) {
            throw new AssertionError("not observed");
        }
        return observed;
    }

    /** Does something within one. */
    public static void serving(String traceparent, Runnable work) {
        Object token = Exchanges.begin(traceparent);
        try {
            work.run();
        } finally {
            Exchanges.exit(token);
        }
    }
}
