package dev.understudy.relay.control;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a control port has refused and cut off, by reason. Each reason is logged at most once a minute.
 *
 * <p>Counted on the control thread; read by any thread.
 */
public final class ControlCounts {
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Logger LOG = LoggerFactory.getLogger(ControlCounts.class);

    private final LongSupplier nanoTime;
    private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);
    private final Map<Reason, Long> logged = new EnumMap<>(Reason.class);
    private volatile int connections;

    ControlCounts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        for (Reason reason : Reason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    /** Why a caller wasn't served, or no longer. */
    public enum Reason {
        /** All connections were in use. */
        CONNECTIONS("understudy.control.refused", "connections refused"),
        /** One caller had its share of the connections at work. */
        CALLERS("understudy.control.refused", "requests refused to callers with too many at work"),
        /** Too many followed events already. */
        STREAMS("understudy.control.refused", "event streams refused"),
        /** There was no room for a request's body. */
        BODIES("understudy.control.refused", "request bodies refused"),
        /** There was no room for a reply. */
        REPLIES("understudy.control.refused", "replies refused"),
        /** The caller may not do that, or isn't known. */
        DENIED("understudy.control.refused", "requests refused to callers"),
        /** A caller and the port didn't agree on TLS, or the caller said nothing in time. */
        HANDSHAKE("understudy.control.refused", "TLS handshakes failed"),
        /** An idle connection made room for another one. */
        EVICTED("understudy.control.evicted", "idle connections closed for new ones"),
        /** No request came in time, or not all of its head. */
        IDLE("understudy.control.timeouts", "connections closed that sent no request"),
        /** A body didn't come in time. */
        BODY("understudy.control.timeouts", "connections closed whose request stopped"),
        /** A reply or an event wasn't taken in time. */
        REPLY("understudy.control.timeouts", "connections closed that didn't read");

        private final String meter;
        private final String words;

        Reason(String meter, String words) {
            this.meter = meter;
            this.words = words;
        }
    }

    /** How often that has happened. */
    public long count(Reason reason) {
        return adder(reason).sum();
    }

    /** Connections that are open now. */
    public int connections() {
        return connections;
    }

    /** Registers the meters {@code understudy.control.*}. */
    public void addTo(MeterRegistry registry) {
        Gauge.builder("understudy.control.connections", this, ControlCounts::connections)
                .register(registry);
        for (Reason reason : Reason.values()) {
            FunctionCounter.builder(reason.meter, adder(reason), LongAdder::sum)
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    void count(Reason reason, Object caller) {
        LongAdder adder = adder(reason);
        adder.increment();
        long now = nanoTime.getAsLong();
        Long before = logged.get(reason);
        if (before == null || now - before >= QUIET_NANOS) {
            logged.put(reason, now);
            LOG.warn("control port: {} {} so far, the last one of {}", adder.sum(), reason.words, caller);
        }
    }

    void connections(int open) {
        connections = open;
    }

    @SuppressWarnings("NullAway") // the constructor puts one for each
    private LongAdder adder(Reason reason) {
        return counts.get(reason);
    }
}
