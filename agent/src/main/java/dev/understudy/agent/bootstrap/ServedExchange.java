package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One inbound exchange while a request thread works on it, with the innermost sampled call open there; or a part of
 * one, which is a task that was handed over to another thread.
 *
 * <p>Confined to its thread, but for what says otherwise.
 */
public final class ServedExchange {
    private static final int TRACE_START = 3;
    private static final int SPAN_START = 36;
    private static final int FLAGS_START = 53;
    private static final int LENGTH = 55;
    private static final AtomicIntegerFieldUpdater<ServedExchange> SPANS =
            AtomicIntegerFieldUpdater.newUpdater(ServedExchange.class, "spans");
    private static final AtomicIntegerFieldUpdater<ServedExchange> PARTS =
            AtomicIntegerFieldUpdater.newUpdater(ServedExchange.class, "parts");

    /** The value of the {@code traceparent} header, or null if the request had none. */
    @Nullable
    String traceparent;
    /** The trace's 32 hexadecimal digits, or null when the exchange isn't to be traced. */
    private @Nullable String traceId;
    /** The same, whether it is to be traced or not. */
    private @Nullable String trace;

    final @Nullable ServedExchange outer;
    /** The exchange that this is a part of, or null if it is none. */
    final @Nullable ServedExchange origin;
    /** Where its request was read, if it began with that. */
    final @Nullable ServedConnection connection;
    /** By what the sidecar knows it; a part's is its exchange's. */
    final ExchangeKey key;
    /** The byte after the last that was read of its request, of all that its connection ever brought. */
    long to;
    /** Whether a part of its request was read before it began, since another exchange came between. */
    final boolean resumed;
    /** Whether a server's method that ends it is at work on it. */
    boolean entered;

    /** For any thread. */
    volatile boolean ended;

    /** Whether it, or a part of it, has logged an error; for any thread. */
    volatile boolean logged;

    @Nullable
    CallSample top;

    /** Where it is observed, or null if it isn't. */
    @Nullable
    Observation observation;

    /** What is observed of its parts, once it is observed and has handed something over. */
    @Nullable
    Pieces pieces;

    /** Whether its own thread has handed something over. */
    boolean handedOn;

    /** What has escaped from work on it elsewhere than on its own thread; for any thread. */
    volatile @Nullable Throwable escaped;

    /** What remains of it once its own thread has gone on to others before it was answered; for any thread. */
    volatile @Nullable AsyncExchange left;

    /** The servlet's request, while a method that may return before it is over works on it. */
    @Nullable
    Object request;

    /** Those who know whether that goes on, and hear of its end; null of any other request. */
    @Nullable
    Asynchronous servlets;

    /** The span of OpenTelemetry's agent with which it was begun on this thread; null of any other. */
    @Nullable
    Object span;

    /** Whether that agent has told what request it is, and no server that we know works on it yet. */
    boolean lent;

    /** Whether it is one of gRPC's. */
    boolean call;

    /** As a call: whether the end of it is going to be heard. */
    boolean listened;

    /** Whether its server has said that nothing more comes; for any thread. */
    volatile boolean complete;

    /** As a part: whether its exchange waits for its end. */
    boolean awaited;

    /** As a part: of which nobody says when it ends; its exchange's end is the latest. */
    boolean loose;

    /** As a part: the queue from which its thread took what it works on, or null if it was none. */
    @Nullable
    Object queue;

    /** As a part: the collection in which its thread had put that aside in the meantime, or null if it was none. */
    @Nullable
    Object batch;

    /**
     * As a part: the task with which it began, as long as its thread is expected to say that it runs it; null of any
     * other.
     */
    @Nullable
    Object task;

    /** As a part: what is observed of it, or null if it isn't. */
    Pieces.@Nullable Piece piece;

    /** As a part: whose observation its thread goes on with when this has ended, or null if there is none. */
    @Nullable
    Observation paused;

    /** The thread that serves it, as long as it does and somebody wants to know. */
    volatile @Nullable Thread thread;

    long threadId;
    /** Where {@link Serving} has it; -1 if nowhere. */
    int place = -1;

    /** What the agent has done for it on this thread, in nanoseconds. */
    double overheadNanos;

    /** Its event in a flight recording, or null if there is none. */
    @Nullable
    Object flight;

    /** Of all its parts together; for any thread. */
    @SuppressWarnings("unused") // by SPANS
    private volatile int spans;

    /** How many of its parts are being worked on. */
    @SuppressWarnings("unused") // by PARTS
    private volatile int parts;

    ServedExchange(@Nullable String traceparent, @Nullable ServedExchange outer) {
        this.outer = outer;
        this.origin = null;
        this.connection = null;
        this.key = new ExchangeKey(0, 0);
        this.resumed = false;
        told(traceparent);
    }

    /** One of which nothing is known yet but where it is read. */
    ServedExchange(ServedConnection connection, boolean resumed) {
        this.outer = null;
        this.origin = null;
        this.connection = connection;
        this.key = new ExchangeKey(connection.port, connection.start);
        this.to = connection.read;
        this.resumed = resumed;
    }

    /** A part, to be worked on within {@code outer}, if anything. */
    ServedExchange(ServedExchange origin, @Nullable CallSample top, @Nullable ServedExchange outer) {
        this.outer = outer;
        this.origin = origin;
        this.connection = null;
        this.key = origin.key;
        this.resumed = false;
        this.top = top;
        this.traceparent = origin.traceparent;
        this.traceId = origin.traceId;
    }

    /** Its {@code traceparent} header is known now. */
    final void told(@Nullable String header) {
        traceparent = header;
        trace = header != null && isTraceparent(header) ? header.substring(TRACE_START, SPAN_START - 1) : null;
        boolean sampled = header != null && trace != null && isSampled(header);
        traceId = sampled ? trace : null;
        key.told(sampled ? header : null);
    }

    /** It is over, for whoever still works on it too. */
    void end() {
        ended = true;
        key.over();
    }

    /** A server that we know works on it, and ends it. */
    void taken() {
        lent = false;
        span = null;
        entered = true;
    }

    /** Whether all that was done for it was done while it lasted. */
    boolean whole() {
        return connection == null || (!resumed && (entered || connection.answered));
    }

    /**
     * Whether its thread may still be busy with it; one that began with bytes is over when it is answered, though
     * nobody says so.
     */
    boolean isAtWork() {
        if (origin != null) {
            return !origin.ended && origin.isAtWork();
        }
        ServedConnection read = connection;
        return read == null || entered || !read.answered;
    }

    /** Whether its server says when it is over, so that it isn't to be seen by what is written. */
    boolean endIsTold() {
        return call || servlets != null || span != null;
    }

    /** Its server says that nothing more comes but what is worked on now. */
    void completed() {
        complete = true;
        AsyncExchange rest = left;
        if (rest != null) {
            rest.settle();
        }
    }

    /** Something escapes from its server's work on it, which its own thread has left or leaves. The first counts. */
    void escapes(Throwable problem) {
        if (escaped == null) {
            escaped = problem;
        }
    }

    /** A part of it begins. */
    void partBegins() {
        PARTS.incrementAndGet(this);
    }

    /** A part of it ends, and with the last one what its own thread has left. */
    void partEnds() {
        AsyncExchange rest = PARTS.decrementAndGet(this) == 0 ? left : null;
        if (rest != null) {
            rest.settle();
        }
    }

    boolean hasParts() {
        return parts > 0;
    }

    /** The thread that serves it; null once it is over. */
    public @Nullable Thread thread() {
        return thread;
    }

    /** The id of the thread that serves it. */
    public long threadId() {
        return threadId;
    }

    /** By what the sidecar knows it. */
    public ExchangeKey key() {
        return key;
    }

    /** The trace's 32 hexadecimal digits, or null when the exchange isn't to be traced. */
    public @Nullable String traceId() {
        return traceId;
    }

    /**
     * The trace of what its thread does now, also when it isn't to be traced; null if none is known, and once it is
     * answered and nobody says whether the thread still works on it. What was handed over is its exchange's for good.
     */
    @Nullable
    String callersTrace() {
        if (origin != null) {
            return origin.trace;
        }
        return isAtWork() ? trace : null;
    }

    /** Whether one more call of this exchange may become a span. */
    boolean admitsSpan(int limit) {
        return traceId != null && SPANS.getAndIncrement(origin == null ? this : origin) < limit;
    }

    private static boolean isSampled(String traceparent) {
        return (Character.digit(traceparent.charAt(LENGTH - 1), 16) & 1) == 1;
    }

    /** The W3C form: version, trace, span and flags, in lower-case hexadecimal. */
    private static boolean isTraceparent(String value) {
        if (value.length() < LENGTH || value.startsWith("ff")) {
            return false;
        }
        boolean trace = false;
        boolean span = false;
        for (int i = 0; i < LENGTH; i++) {
            char c = value.charAt(i);
            if (i == TRACE_START - 1 || i == SPAN_START - 1 || i == FLAGS_START - 1) {
                if (c != '-') {
                    return false;
                }
            } else if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            } else if (c != '0') {
                trace |= i >= TRACE_START && i < SPAN_START;
                span |= i >= SPAN_START && i < FLAGS_START;
            }
        }
        return trace && span;
    }
}
