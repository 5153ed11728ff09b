package dev.understudy.agent.bootstrap;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What was observed of one exchange that is over, or of one that goes on and on up to some moment. Immutable. */
public final class Observed {
    private final String span;
    private final int port;
    private final long from;
    private final long to;
    private final boolean open;
    private final long[] events;
    private final boolean whole;
    private final int epoch;
    private final long nanos;
    private final @Nullable String escaped;
    private final boolean logged;

    /** Of one that is over, which {@code escaped} may have ended. */
    Observed(
            ServedExchange exchange, long[] events, boolean whole, int epoch, long nanos, @Nullable Throwable escaped) {
        this(exchange, false, events, whole, epoch, nanos, escaped);
    }

    /** Of one that isn't over. */
    Observed(ServedExchange exchange, long[] events, boolean whole, int epoch, long nanos) {
        this(exchange, true, events, whole, epoch, nanos, null);
    }

    private Observed(
            ServedExchange exchange,
            boolean open,
            long[] events,
            boolean whole,
            int epoch,
            long nanos,
            @Nullable Throwable escaped) {
        this.span = exchange.key().span();
        this.port = exchange.key().port();
        this.from = exchange.key().from();
        this.to = exchange.to;
        this.open = open;
        this.logged = exchange.logged;
        this.events = events;
        this.whole = whole;
        this.epoch = epoch;
        this.nanos = nanos;
        this.escaped = escaped == null ? null : escaped.getClass().getName();
    }

    /** The 16 hexadecimal digits of the exchange's debug span; empty if it isn't traced. */
    public String span() {
        return span;
    }

    /** The port of its connection's peer; 0 if it isn't known where its request was read. */
    public int port() {
        return port;
    }

    /** How many bytes of its connection came before its request. */
    public long from() {
        return from;
    }

    /** How many bytes of its connection were read when it ended. */
    public long to() {
        return to;
    }

    /** Whether it wasn't over yet; what is observed of it to its end comes later, if that ever comes. */
    public boolean open() {
        return open;
    }

    /** The ids of the predicates that held, in the order in which they came true. */
    public int[] predicates() {
        int[] predicates = new int[events.length];
        for (int i = 0; i < predicates.length; i++) {
            predicates[i] = (int) events[i];
        }
        return predicates;
    }

    /** Of methods that another observed one called first: the method's probe and that one's, in turns. */
    public int[] calls() {
        int[] calls = new int[2 * events.length];
        int count = 0;
        for (long event : events) {
            int around = (int) (event >>> Integer.SIZE);
            if (around > 0) {
                calls[count++] = (int) event / ObservedPredicate.KINDS;
                calls[count++] = around - 1;
            }
        }
        return Arrays.copyOf(calls, count);
    }

    /** Whether a method that isn't named wasn't called: no limit was met, and no gate opened or closed meanwhile. */
    public boolean whole() {
        return whole;
    }

    /** {@link Gates#epoch} when it began. */
    public int epoch() {
        return epoch;
    }

    /** From the server's entry to its exit, or as long as it has taken so far, in nanoseconds. */
    public long nanos() {
        return nanos;
    }

    /** The class name of what the server's entry threw, or null if it returned. */
    public @Nullable String escaped() {
        return escaped;
    }

    /** Whether an error was logged for it. */
    public boolean logged() {
        return logged;
    }
}
