package dev.understudy.agent.bootstrap;

import java.util.Objects;
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

    /** One that is known by its bytes, and whose thread doesn't end it. */
    public static Exchange open(int port) {
        Connection connection = new Connection(port);
        connection.start = 17;
        Exchange exchange = new Exchange(connection, false);
        Exchanges.start(exchange);
        return exchange;
    }

    /** A traced one. */
    public static Exchange open(String traceparent) {
        return Objects.requireNonNull(Exchanges.begin(traceparent));
    }

    /** Ends one. */
    public static void end(Exchange exchange) {
        Exchanges.exit(exchange);
    }

    /** A task of that exchange, on this thread, which begins and doesn't end here. */
    public static Object taskOf(Exchange exchange) {
        return Objects.requireNonNull(Handover.begin(exchange, null, null));
    }

    /** One of nobody's, on a thread that serves an exchange. */
    public static Object taskOfNobody() {
        Handover.handed(new Object());
        return Objects.requireNonNull(Handover.aside(false));
    }

    /** Ends such a task. */
    public static void endTask(Object task) {
        Handover.end(task);
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
