package dev.understudy.agent.flight;

import dev.understudy.agent.bootstrap.Flight;
import dev.understudy.agent.bootstrap.ServedExchange;
import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.bootstrap.measure.Reading;
import dev.understudy.agent.budget.Standing;
import dev.understudy.agent.budget.WindowReading;
import dev.understudy.agent.weave.Probe;
import dev.understudy.agent.weave.ProbeDirectory;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Commits an event for each exchange, each sampled call and whatever a point tells, if a recording wants it. For any
 * threads.
 */
final class JfrFlight extends Flight {
    private final ProbeDirectory directory;
    private final Supplier<List<String>> counters;
    private final CallCounts calls;

    JfrFlight(ProbeDirectory directory, Supplier<List<String>> counters) {
        this.directory = directory;
        this.counters = counters;
        this.calls = new CallCounts(directory);
    }

    @Override
    protected @Nullable Object beginExchange() {
        ExchangeEvent event = new ExchangeEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    @Override
    protected void endExchange(Object begun, ServedExchange exchange) {
        ExchangeEvent event = (ExchangeEvent) begun;
        event.end();
        if (event.shouldCommit()) {
            event.trace = exchange.traceId();
            event.span = exchange.key().span();
            event.port = exchange.key().port();
            event.from = exchange.key().from();
            event.commit();
        }
    }

    @Override
    protected @Nullable Object beginCall() {
        MethodEvent event = new MethodEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    @Override
    protected void endCall(Object begun, int probe, @Nullable ServedExchange exchange, @Nullable Reading reading) {
        MethodEvent event = (MethodEvent) begun;
        event.end();
        if (event.shouldCommit()) {
            Probe called = directory.probe(probe);
            event.method = called.className() + '.' + called.method();
            event.trace = exchange == null ? null : exchange.traceId();
            if (reading != null) {
                measured(event, reading);
            }
            event.commit();
        }
    }

    private void measured(MethodEvent event, Reading reading) {
        long cpu = reading.took(Meter.CPU);
        event.cpu = cpu < 0 ? Long.MIN_VALUE : cpu;
        event.allocated = reading.took(Meter.ALLOCATED);
        StringBuilder text = new StringBuilder();
        List<String> counted = counters.get();
        for (int i = 0; i < counted.size(); i++) {
            long took = reading.took(Meter.COUNTERS + i);
            if (took >= 0) {
                text.append(text.length() == 0 ? "" : " ")
                        .append(counted.get(i))
                        .append('=')
                        .append(took);
            }
        }
        event.counters = text.length() == 0 ? null : text.toString();
    }

    @Override
    protected void point(String point, String place, @Nullable String text, Map<String, String> values, String trace) {
        PointEvent event = new PointEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.point = point;
        event.place = place;
        event.told = text != null ? text : values.toString();
        event.trace = trace.isEmpty() ? null : trace;
        event.commit();
    }

    /** Ten times a second, by the thread that ticks. */
    void tick(Standing standing) {
        budget(standing);
        calls.tick();
    }

    private static void budget(Standing standing) {
        BudgetEvent event = new BudgetEvent();
        if (!event.shouldCommit()) {
            return;
        }
        event.budget = standing.budget();
        event.max = standing.max();
        event.spent = standing.spent();
        event.samplesPerSecond = standing.samplesPerSecond();
        WindowReading window = standing.window();
        event.utilisation = window == null ? Double.NaN : window.utilisation();
        event.lag = window == null ? Long.MIN_VALUE : window.lagMillis();
        event.why = standing.why();
        event.commit();
    }
}
