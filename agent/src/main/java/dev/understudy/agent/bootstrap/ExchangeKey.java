package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * By what the sidecar knows an exchange: its debug span, or where its request's bytes were. It holds nothing of the
 * application's, so that it can be kept when the exchange is over. For any threads.
 */
public final class ExchangeKey {
    private static final int SPAN_START = 36;
    private static final int SPAN_END = 52;

    private final int port;
    private final long from;

    /** The {@code traceparent} header, once a sampled one is known. */
    private volatile @Nullable String traced;

    private volatile boolean over;
    private volatile long overNanos;

    ExchangeKey(int port, long from) {
        this.port = port;
        this.from = from;
    }

    void told(@Nullable String sampled) {
        traced = sampled;
    }

    /** It is over now, which is noted while {@link ThreadSwitches} are; the first time counts. */
    void over() {
        if (!over && ThreadSwitches.areKept()) {
            overNanos = System.nanoTime();
            over = true;
        }
    }

    /**
     * The 16 hexadecimal digits of the span that all of the exchange's spans are children of; empty if it isn't traced.
     */
    public String span() {
        String header = traced;
        return header == null ? "" : header.substring(SPAN_START, SPAN_END);
    }

    /** The port of its connection's peer; 0 if it isn't known where its request was read. */
    public int port() {
        return port;
    }

    /** How many bytes of its connection came before its request. */
    public long from() {
        return from;
    }

    /** Whether it was over before that moment of {@link System#nanoTime()}. */
    public boolean isOverBefore(long nanos) {
        return over && nanos - overNanos > 0;
    }
}
