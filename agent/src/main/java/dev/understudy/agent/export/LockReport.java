package dev.understudy.agent.export;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.lock.Nestings;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.LockPlace;
import dev.understudy.agent.lock.LockCycle;
import dev.understudy.agent.lock.LockOrder;
import java.io.IOException;

/** What the report says of the order in which locks are taken. Confined to one thread. */
public final class LockReport {
    private final BranchDirectory directory;
    private final LockOrder order;

    /** A report of {@code order}, whose places are numbers of {@code directory}. */
    public LockReport(BranchDirectory directory, LockOrder order) {
        this.directory = directory;
        this.order = order;
    }

    void write(JsonGenerator out) throws IOException {
        order.take();
        out.writeObjectFieldStart("locks");
        out.writeNumberField("dropped", Nestings.dropped());
        out.writeArrayFieldStart("cycles");
        for (LockCycle cycle : order.cycles()) {
            out.writeStartArray();
            for (LockCycle.Step step : cycle.steps()) {
                write(out, step);
            }
            out.writeEndArray();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void write(JsonGenerator out, LockCycle.Step step) throws IOException {
        LockPlace held = (LockPlace) directory.site(step.heldAt());
        LockPlace taken = (LockPlace) directory.site(step.takenAt());
        out.writeStartObject();
        out.writeStringField("holds", held.lock());
        out.writeStringField("type", step.type());
        out.writeStringField("holdsSince", held.className() + '#' + held.method());
        out.writeNumberField("holdsSinceLine", held.line());
        out.writeStringField("takes", taken.lock());
        out.writeStringField("method", taken.className() + '#' + taken.method());
        out.writeNumberField("line", taken.line());
        out.writeStringField("thread", step.thread());
        out.writeArrayFieldStart("stack");
        for (String frame : step.stack()) {
            out.writeString(frame);
        }
        out.writeEndArray();
        out.writeEndObject();
    }
}
