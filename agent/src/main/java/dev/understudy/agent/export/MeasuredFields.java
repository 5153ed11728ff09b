package dev.understudy.agent.export;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.bootstrap.measure.Quotas;
import dev.understudy.agent.bootstrap.measure.Totals;
import dev.understudy.agent.counter.Measuring;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** What the report says of calls that were measured beside their time, and of quotas. Confined to one thread. */
public final class MeasuredFields {
    private static final double MICROS = 1e3;

    private final Measuring measuring;
    private final Supplier<String> quota;

    /** @param quota the quota as it is set now */
    public MeasuredFields(Measuring measuring, Supplier<String> quota) {
        this.measuring = measuring;
        this.quota = quota;
    }

    void write(JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("measure");
        out.writeArrayFieldStart("what");
        for (String kind : measuring.wanted()) {
            out.writeString(kind);
        }
        out.writeEndArray();
        out.writeStringField("counters", measuring.why());
        out.writeNumberField("countedThreads", measuring.threads());
        out.writeNumberField("oneIn", Meter.oneIn());
        out.writeNumberField("costNanos", Math.round(Meter.oneIn() == 0 ? measuring.nanos() : Meter.price()));
        out.writeNumberField("measured", Meter.taken());
        out.writeNumberField("notMeasured", Meter.missed());
        out.writeEndObject();
        out.writeObjectFieldStart("quota");
        out.writeStringField("perMethod", quota.get());
        out.writeNumberField("taken", Quotas.taken());
        out.writeEndObject();
    }

    /** What is known of the probe's calls; nothing where none was measured. */
    void write(JsonGenerator out, int probe) throws IOException {
        Totals totals = Meter.totals(probe);
        if (totals == null) {
            return;
        }
        mean(out, "cpuMicros", totals, Meter.CPU, MICROS);
        mean(out, "allocatedBytes", totals, Meter.ALLOCATED, 1);
        List<String> counters = measuring.counters();
        if (!counters.isEmpty()) {
            out.writeObjectFieldStart("counters");
            for (int i = 0; i < counters.size(); i++) {
                mean(out, counters.get(i), totals, Meter.COUNTERS + i, 1);
            }
            out.writeEndObject();
        }
    }

    private static void mean(JsonGenerator out, String field, Totals totals, int kind, double unit) throws IOException {
        if (totals.count(kind) > 0) {
            out.writeNumberField(field, Math.round(totals.mean(kind) / unit * 1000) / 1000.0);
        }
    }
}
