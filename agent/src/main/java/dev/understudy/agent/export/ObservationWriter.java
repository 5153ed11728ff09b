package dev.understudy.agent.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.Observed;
import dev.understudy.agent.bootstrap.ObservedPredicate;
import dev.understudy.agent.branch.BranchDirectory;
import dev.understudy.agent.branch.BranchSite;
import dev.understudy.agent.branch.BranchValue;
import dev.understudy.agent.branch.JumpSite;
import dev.understudy.agent.branch.LockPlace;
import dev.understudy.agent.weave.ProbeDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * What was observed of exchanges, as JSON for the sidecar, which knows how they ended. Confined to one thread.
 *
 * <p>A method, branch, value or place of a lock is named in the first batch that mentions it and again after one that
 * wasn't taken.
 */
public final class ObservationWriter {
    private static final int EXCHANGES = 200;
    private static final int PREDICATES = 100_000;

    private final String name;
    private final long run = System.currentTimeMillis();
    private final ProbeDirectory directory;
    private final BranchDirectory branches;
    private final IntPredicate closed;
    private final JsonFactory json = new JsonFactory();
    private final BitSet told = new BitSet();
    private final BitSet telling = new BitSet();

    /**
     * Batches under the agent's name.
     *
     * @param closed whether calls of a probe aren't seen at present
     */
    public ObservationWriter(String name, ProbeDirectory directory, BranchDirectory branches, IntPredicate closed) {
        this.name = name;
        this.directory = directory;
        this.branches = branches;
        this.closed = closed;
    }

    /** The oldest observed exchanges; empty if there are none. */
    public byte[] write() throws IOException {
        Observed observed = Observations.poll();
        if (observed == null) {
            return new byte[0];
        }
        telling.clear();
        int epoch = Gates.epoch();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("name", name);
            out.writeNumberField("run", run);
            writeClosed(out);
            out.writeArrayFieldStart("exchanges");
            int predicates = 0;
            for (int i = 0; observed != null; i++) {
                predicates += writeExchange(out, observed, epoch);
                observed = i < EXCHANGES && predicates < PREDICATES ? Observations.poll() : null;
            }
            out.writeEndArray();
            writeMethods(out);
            writeBranches(out);
            writeValues(out);
            writeSites(out, "locks", LockPlace.class, place -> out.writeStringField("lock", place.lock()));
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /** Says whether the last batch was taken; what was lost isn't sent again, but all methods are named again. */
    public void taken(boolean taken) {
        if (taken) {
            told.or(telling);
        } else {
            told.clear(); // it may be another sidecar that never heard of any
        }
    }

    private void writeMethods(JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("methods");
        int probe = telling.nextSetBit(0);
        for (; probe >= 0 && probe < ObservedPredicate.BRANCHES; probe = telling.nextSetBit(probe + 1)) {
            out.writeStringField(Integer.toString(probe), directory.probe(probe).toString());
        }
        out.writeEndObject();
    }

    private void writeBranches(JsonGenerator out) throws IOException {
        writeSites(out, "branches", BranchSite.class, branch -> {
            out.writeNumberField("to", branch.to());
            writeSource(out, "toSource", branch.toSource());
            out.writeNumberField("condition", branch.condition());
            out.writeNumberField("conditions", branch.conditions());
            writeNames(out, "asked", branch.asked());
            writeNames(out, "setters", branch.setters());
        });
    }

    private static void writeNames(JsonGenerator out, String field, List<String> names) throws IOException {
        if (!names.isEmpty()) {
            out.writeFieldName(field);
            out.writeArray(names.toArray(new String[0]), 0, names.size());
        }
    }

    private void writeValues(JsonGenerator out) throws IOException {
        writeSites(out, "values", BranchValue.class, value -> {
            out.writeStringField("at", value.at());
            out.writeStringField("kind", value.kind());
            out.writeStringField("name", value.name());
            out.writeStringField("other", value.other());
        });
    }

    /** All that are told of and of that kind, each with where it is and what only its kind has. */
    private <S extends JumpSite> void writeSites(JsonGenerator out, String field, Class<S> kind, Rest<S> rest)
            throws IOException {
        out.writeObjectFieldStart(field);
        int number = telling.nextSetBit(ObservedPredicate.BRANCHES);
        for (; number >= 0; number = telling.nextSetBit(number + 1)) {
            JumpSite site = branches.site(number - ObservedPredicate.BRANCHES);
            if (kind.isInstance(site)) {
                writeSite(out, number, site);
                rest.write(kind.cast(site));
                out.writeEndObject();
            }
        }
        out.writeEndObject();
    }

    private interface Rest<S> {
        void write(S site) throws IOException;
    }

    private static void writeSite(JsonGenerator out, int number, JumpSite site) throws IOException {
        out.writeObjectFieldStart(Integer.toString(number));
        out.writeStringField("method", site.className() + '#' + site.method());
        out.writeNumberField("line", site.line());
        writeSource(out, "source", site.source());
    }

    private static void writeSource(JsonGenerator out, String field, String source) throws IOException {
        if (!source.isEmpty()) {
            out.writeStringField(field, source);
        }
    }

    private void writeClosed(JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("closed");
        for (int probe = 1; probe < directory.probes(); probe++) {
            if (closed.test(probe)) {
                out.writeNumber(probe);
            }
        }
        out.writeEndArray();
    }

    /**
     * What isn't whole, or is of another time than the list of closed methods, says nothing of what wasn't called.
     *
     * @return how many predicates held
     */
    private int writeExchange(JsonGenerator out, Observed observed, int epoch) throws IOException {
        out.writeStartObject();
        if (observed.span().isEmpty()) {
            out.writeNumberField("port", observed.port());
            out.writeNumberField("from", observed.from());
            out.writeNumberField("to", observed.to());
        } else {
            out.writeStringField("span", observed.span());
        }
        out.writeBooleanField("whole", observed.whole() && observed.epoch() == epoch);
        if (observed.open()) {
            out.writeBooleanField("open", true);
        }
        out.writeNumberField("micros", observed.nanos() / 1000);
        String escaped = observed.escaped();
        if (escaped != null) {
            out.writeStringField("escaped", escaped);
        }
        if (observed.logged()) {
            out.writeBooleanField("logged", true);
        }
        out.writeArrayFieldStart("held");
        int[] predicates = observed.predicates();
        for (int predicate : predicates) {
            out.writeNumber(predicate);
            int number = predicate / ObservedPredicate.KINDS;
            if (!told.get(number)) {
                telling.set(number);
            }
        }
        out.writeEndArray();
        int[] calls = observed.calls();
        out.writeFieldName("calls");
        out.writeArray(calls, 0, calls.length);
        out.writeEndObject();
        return predicates.length;
    }
}
