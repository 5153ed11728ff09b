package dev.understudy.agent.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.AgentFaults;
import dev.understudy.agent.bootstrap.Credit;
import dev.understudy.agent.bootstrap.Handover;
import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Samples;
import dev.understudy.agent.bootstrap.ServedExchanges;
import dev.understudy.agent.bootstrap.Timings;
import dev.understudy.agent.budget.Governor;
import dev.understudy.agent.budget.Stance;
import dev.understudy.agent.budget.Standing;
import dev.understudy.agent.budget.WindowReading;
import dev.understudy.agent.egress.EgressControl;
import dev.understudy.agent.leak.Growing;
import dev.understudy.agent.leak.LeakWatch;
import dev.understudy.agent.leak.UseSite;
import dev.understudy.agent.orders.OrderFollower;
import dev.understudy.agent.stack.StackSampler;
import dev.understudy.agent.weave.ProbeDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The agent's report as JSON: its budget, why it is what it is, the operator's orders, and some methods. Confined to
 * one thread.
 */
public final class AgentReport {
    private static final double MICROS = 1e3;
    private static final int MOST_TOO_LARGE = 20;

    /** No other start of an agent has it. By clocks: random numbers of two copies of one memory may be the same. */
    private static final String RUN =
            Long.toHexString(System.currentTimeMillis()) + "-" + Long.toHexString(System.nanoTime());

    private final String name;
    private final ProbeDirectory directory;
    private final Governor governor;
    private final StackSampler stacks;
    private final IntSupplier failed;
    private final OrderFollower orders;
    private final LeakWatch leaks;
    private final LockReport locks;
    private final Supplier<Map<String, String>> deep;
    private final Supplier<List<String>> followed;
    private final Supplier<String> patch;
    private final MeasuredFields measured;
    private final EgressControl egress;
    private final Supplier<List<ShownSetting>> settings;
    private final JsonFactory json = new JsonFactory();
    private final ShownMethods shown;

    /**
     * A report under the agent's name.
     *
     * @param failed the number of classes that couldn't be woven
     * @param deep the classes on the second level, and who asked for each
     * @param followed the ways to hand tasks over in which exchanges are followed
     * @param patch the id of the patch that the application runs with, or ""
     * @param measured tells what was measured of calls
     * @param egress knows which connections were refused
     * @param settings all that may be shown
     */
    public AgentReport(
            String name,
            ProbeDirectory directory,
            Governor governor,
            StackSampler stacks,
            IntSupplier failed,
            OrderFollower orders,
            Supplier<String> patch,
            LeakWatch leaks,
            LockReport locks,
            Supplier<Map<String, String>> deep,
            Supplier<List<String>> followed,
            MeasuredFields measured,
            EgressControl egress,
            Supplier<List<ShownSetting>> settings) {
        this.name = name;
        this.directory = directory;
        this.governor = governor;
        this.stacks = stacks;
        this.failed = failed;
        this.orders = orders;
        this.leaks = leaks;
        this.locks = locks;
        this.deep = deep;
        this.followed = followed;
        this.patch = patch;
        this.measured = measured;
        this.egress = egress;
        this.settings = settings;
        this.shown = new ShownMethods(governor);
    }

    /** The report of this moment; rates are those since the last one. */
    public byte[] write() throws IOException {
        OrderFollower.Done done =
                orders.done(); // first, so that all the rest is as what was done has left it, or newer
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            writeStanding(out);
            writeCounts(out);
            writeTasks(out);
            writeEgress(out);
            measured.write(out);
            writeOrders(out, done);
            out.writeObjectFieldStart("settings");
            for (ShownSetting setting : settings.get()) {
                setting.write(out);
            }
            out.writeEndObject();
            writeLeaks(out);
            locks.write(out);
            writeSecondLevel(out);
            Set<Integer> methods = shown.look(directory.probes());
            out.writeNumberField("called", shown.called());
            out.writeArrayFieldStart("methods");
            for (int probe : methods) {
                writeMethod(out, probe);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private void writeSecondLevel(JsonGenerator out) throws IOException {
        Map<String, String> classes = deep.get();
        out.writeArrayFieldStart("secondLevel");
        for (String name : classes.keySet()) {
            out.writeString(name);
        }
        out.writeEndArray();
        out.writeObjectFieldStart("secondLevelBy");
        for (Map.Entry<String, String> one : classes.entrySet()) {
            out.writeStringField(one.getKey(), one.getValue());
        }
        out.writeEndObject();
    }

    private void writeStanding(JsonGenerator out) throws IOException {
        Standing standing = governor.standing();
        out.writeStringField("name", name);
        out.writeStringField("run", RUN);
        out.writeNumberField("pid", ProcessHandle.current().pid());
        out.writeStringField("jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        out.writeStringField("state", standing.budget() > 0 ? "armed" : "closed");
        out.writeNumberField("budget", standing.budget());
        out.writeNumberField("budgetMax", standing.max());
        out.writeNumberField("spent", standing.spent());
        out.writeNumberField("nu", standing.price());
        out.writeNumberField("samplesPerSecond", round(standing.samplesPerSecond()));
        WindowReading window = standing.window();
        if (window != null) {
            out.writeObjectFieldStart("window");
            out.writeNumberField("utilisation", window.utilisation());
            out.writeNumberField("lagMillis", window.lagMillis());
            out.writeEndObject();
        }
        out.writeNumberField("closedGates", standing.closedGates());
        out.writeStringField("why", standing.why());
    }

    private void writeCounts(JsonGenerator out) throws IOException {
        out.writeNumberField("classes", directory.classes());
        out.writeNumberField("probes", directory.probes() - 1);
        out.writeNumberField("armed", armed());
        out.writeNumberField("exchanges", ServedExchanges.begun());
        out.writeNumberField("observedExchanges", Observations.taken());
        out.writeNumberField("observedOneIn", Observations.period());
        out.writeNumberField("droppedObservations", Observations.dropped());
        out.writeNumberField("crowdedObservations", Observations.crowded());
        out.writeNumberField("faults", AgentFaults.count());
        out.writeNumberField("failedClasses", failed.getAsInt());
        out.writeNumberField("leftOutMethods", directory.leftOut());
        List<String> tooLarge = directory.tooLarge();
        out.writeNumberField("tooLarge", tooLarge.size());
        out.writeArrayFieldStart("tooLargeMethods");
        for (String method : tooLarge.subList(0, Math.min(tooLarge.size(), MOST_TOO_LARGE))) {
            out.writeString(method);
        }
        out.writeEndArray();
        out.writeNumberField("refusedSamples", Credit.refused());
        out.writeNumberField("droppedSpans", Samples.dropped());
        out.writeNumberField("stacksPerSecond", round(stacks.perSecond()));
        out.writeNumberField("stacks", stacks.taken());
        out.writeNumberField("missedStacks", stacks.missed());
        out.writeNumberField("droppedStacks", stacks.dropped());
    }

    private void writeTasks(JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("tasks");
        out.writeArrayFieldStart("followed");
        for (String way : followed.get()) {
            out.writeString(way);
        }
        out.writeEndArray();
        out.writeNumberField("carried", Handover.carried());
        out.writeNumberField("late", Handover.late());
        out.writeNumberField("lost", Handover.lost());
        out.writeEndObject();
    }

    private void writeEgress(JsonGenerator out) throws IOException {
        long elsewhere = egress.refusedElsewhere();
        long refused = elsewhere;
        out.writeObjectFieldStart("egress");
        out.writeStringField("state", egress.state());
        out.writeArrayFieldStart("problems");
        for (String problem : egress.problems()) {
            out.writeString(problem);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("destinations");
        for (Map.Entry<String, Long> one : egress.refused().entrySet()) {
            out.writeStartObject();
            out.writeStringField("to", one.getKey());
            out.writeNumberField("refused", one.getValue());
            out.writeEndObject();
            refused += one.getValue();
        }
        out.writeEndArray();
        out.writeNumberField("elsewhere", elsewhere);
        out.writeNumberField("refused", refused);
        out.writeEndObject();
    }

    private int armed() {
        int armed = 0;
        for (int probe = 1; probe < directory.probes(); probe++) {
            armed += Probes.period(probe) > 0 && !governor.isUnseen(probe) ? 1 : 0;
        }
        return armed;
    }

    private void writeOrders(JsonGenerator out, OrderFollower.Done done) throws IOException {
        out.writeStringField("patch", patch.get());
        out.writeObjectFieldStart("orders");
        out.writeNumberField("revision", done.revision());
        out.writeObjectFieldStart("standing");
        for (Map.Entry<String, String> kind : orders.standing().entrySet()) {
            out.writeStringField(kind.getKey(), kind.getValue());
        }
        out.writeEndObject();
        out.writeArrayFieldStart("problems");
        for (String problem : done.problems()) {
            out.writeString(problem);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void writeLeaks(JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("leaks");
        out.writeNumberField("counts", leaks.counts());
        out.writeNumberField("tookMillis", round(leaks.tookNanos() / 1e6));
        out.writeArrayFieldStart("growing");
        for (Growing growing : leaks.growing()) {
            out.writeStartObject();
            out.writeStringField("class", growing.className());
            out.writeNumberField("objects", growing.objects());
            out.writeNumberField("more", growing.more());
            out.writeNumberField("perThousand", round(growing.perThousand()));
            out.writeNumberField("low", round(growing.low()));
            out.writeNumberField("high", round(growing.high()));
            out.writeArrayFieldStart("extends");
            for (String superclass : growing.superclasses()) {
                out.writeString(superclass);
            }
            out.writeEndArray();
            writeSites(out, "sites", growing.sites());
            writeSites(out, "uses", growing.uses());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void writeSites(JsonGenerator out, String name, List<UseSite> sites) throws IOException {
        out.writeArrayFieldStart(name);
        for (UseSite site : sites) {
            writeSite(out, site);
        }
        out.writeEndArray();
    }

    private static void writeSite(JsonGenerator out, UseSite site) throws IOException {
        out.writeStartObject();
        out.writeNumberField("sampled", site.sampled());
        out.writeNumberField("survived", site.survived());
        out.writeNumberField("part", round(site.part()));
        out.writeArrayFieldStart("methods");
        for (String method : site.methods()) {
            out.writeString(method);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("stack");
        for (String frame : site.stack()) {
            out.writeString(frame);
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void writeMethod(JsonGenerator out, int probe) throws IOException {
        int samples = Timings.samples(probe);
        out.writeStartObject();
        out.writeStringField("method", directory.probe(probe).toString());
        out.writeNumberField("hits", governor.hits(probe));
        out.writeNumberField("hitsPerSecond", round(governor.hitsPerSecond(probe)));
        out.writeNumberField("samples", samples);
        out.writeNumberField("rate", shown.rate(probe));
        out.writeNumberField("costNanos", round(governor.sampleNanos(probe)));
        out.writeNumberField("meanMicros", samples == 0 ? 0 : round(Timings.nanos(probe) / MICROS / samples));
        out.writeNumberField("maxMicros", round(Timings.maxNanos(probe) / MICROS));
        measured.write(out, probe);
        if (governor.stance(probe) != Stance.FREE) {
            out.writeStringField("ordered", governor.stance(probe) == Stance.ARMED ? "armed" : "off");
        }
        out.writeBooleanField("counted", !governor.isUnseen(probe));
        out.writeEndObject();
    }

    private static double round(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
