package dev.understudy.agent.bootstrap;

import java.util.Objects;
import java.util.concurrent.Callable;

/** Exchanges, for tests of other packages. */
public final class ExchangeTraffic {
    private static final String HEADER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private ExchangeTraffic() {}

    /** Begins and ends one that isn't traced. */
    public static void one() {
        ServedExchanges.exit(ServedExchanges.begin(null));
    }

    /** What is observed of an exchange that does this work. */
    public static Observed of(Callable<?> work) throws Exception {
        while (Observations.poll() != null) {
            // of other tests
        }
        Observations.allow(1, Integer.MAX_VALUE);
        ServedExchange exchange = ServedExchanges.begin(HEADER);
        try {
            work.call();
        } finally {
            ServedExchanges.exit(exchange);
            Observations.allow(0, 0);
        }
        Observed observed = Observations.poll();
        if (observed == null) {
            throw new AssertionError("not observed");
        }
        return observed;
    }

    /** One that is known by its bytes, and whose thread doesn't end it. */
    public static ServedExchange open(int port) {
        ServedConnection connection = new ServedConnection(port);
        connection.start = 17;
        ServedExchange exchange = new ServedExchange(connection, false);
        ServedExchanges.start(exchange);
        return exchange;
    }

    /** A traced one. */
    public static ServedExchange open(String traceparent) {
        return Objects.requireNonNull(ServedExchanges.begin(traceparent));
    }

    /** Ends one. */
    public static void end(ServedExchange exchange) {
        ServedExchanges.exit(exchange);
    }

    /** A task of that exchange, on this thread, which begins and doesn't end here. */
    public static Object taskOf(ServedExchange exchange) {
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
        Object token = ServedExchanges.begin(traceparent);
        try {
            work.run();
        } finally {
            ServedExchanges.exit(token);
        }
    }
}
