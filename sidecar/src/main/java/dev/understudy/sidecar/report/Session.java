package dev.understudy.sidecar.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What {@code /v1/report} answers, as {@code openapi.yaml} describes it. Secrets are masked in it. Immutable. */
public record Session(
        String since,
        String until,
        List<Copy> copies,
        List<Rule> rules,
        List<Learned> learned,
        List<Calls> outgoing,
        List<Epoch> epochs) {
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    public Session {
        copies = List.copyOf(copies);
        rules = List.copyOf(rules);
        learned = List.copyOf(learned);
        outgoing = List.copyOf(outgoing);
        epochs = List.copyOf(epochs);
    }

    /**
     * Reads the document.
     *
     * @throws IOException if it is no such document
     */
    public static Session read(JsonNode document) throws IOException {
        return JSON.treeToValue(document, Session.class);
    }

    /** A time in which the debug JVM got production's input without a break, and how that began. */
    public record Epoch(
            int epoch,
            String cause,
            long fromMillis,
            String state,
            long tookMillis,
            String problem,
            String patch,
            long compared,
            long different,
            long overflows) {
        /** A document of a sidecar that knew of no patches has none. */
        public Epoch {
            patch = Objects.requireNonNullElse(patch, "");
        }

        /** Whether the debug JVM runs other code than before it, or its own again. */
        boolean patched() {
            return cause.equals("PATCHED");
        }

        /** Whether the debug JVM was brought back into production's state for it. */
        boolean began() {
            return epoch > 1 && !patched();
        }
    }

    /** One debug JVM behind one listener. */
    public record Copy(
            String listener,
            String address,
            String debug,
            String debugAddress,
            String recording,
            String fidelity,
            boolean faithful,
            Map<String, Long> notCompared,
            List<Route> routes,
            List<Cause> causes,
            long ungrouped,
            List<Place> places,
            long unplaced) {
        public Copy {
            notCompared = Map.copyOf(notCompared);
            routes = List.copyOf(routes);
            causes = List.copyOf(causes);
            places = List.copyOf(places);
        }
    }

    /** Figures of requests that differ in numbers and ids only. */
    public record Route(
            String route,
            Map<String, Long> verdicts,
            Map<Long, Long> productionMicros,
            Map<Long, Long> debugMicros,
            Overhead overhead) {
        /** A sidecar of before tells of none. */
        public Route {
            overhead = Objects.requireNonNullElse(overhead, Overhead.UNKNOWN);
        }

        /** How many verdicts of a kind there are. */
        long verdicts(String kind) {
            return verdicts.getOrDefault(kind, 0L);
        }
    }

    /** What an agent took of each request's time, on average, in so many. */
    public record Overhead(long measured, double micros) {
        /** Nothing is known. */
        static final Overhead UNKNOWN = new Overhead(0, 0);
    }

    /** Divergences of one route at the same places. */
    public record Cause(String route, List<String> places, long count, long last, List<Example> examples) {
        public Cause {
            places = List.copyOf(places);
            examples = List.copyOf(examples);
            if (examples.isEmpty()) {
                throw new IllegalArgumentException("examples: none (expected: at least one)");
            }
        }

        Example first() {
            return examples.get(0);
        }
    }

    /** One divergence. */
    public record Example(
            long exchange,
            long connection,
            String request,
            List<Shown> differences,
            @Nullable String trace,
            @Nullable String session) {}

    /** One difference. */
    public record Shown(
            String path,
            String type,
            @Nullable String production,
            @Nullable String debug,
            @Nullable String noise) {}

    /** One place of a route that differed in one way, and in how many exchanges. */
    public record Place(
            String route,
            String path,
            String type,
            @Nullable String noise,
            @Nullable String value,
            long count) {}

    /** A noise rule, and in how many exchanges it overlooked something. */
    public record Rule(String debug, String route, String path, String value, long fired) {}

    /** A place at which noise has been learned; {@code value} is what a rule can say of it, null if nothing. */
    public record Learned(
            String debug,
            String route,
            String path,
            String kind,
            @Nullable String value,
            long seen,
            long fired,
            long broken) {}

    /** Upstream calls of one debug JVM. */
    public record Calls(
            String debug,
            @JsonProperty("SAME") long same,
            @JsonProperty("DIFFERENT") long different,
            @JsonProperty("NOT_COMPARED") long notCompared,
            List<CallsOf> first) {}

    /** Upstream calls of one exchange. */
    public record CallsOf(long exchange, int production, int debug, List<Call> differences) {}

    /** A call that only one side made, or that both made otherwise. */
    public record Call(
            String kind,
            String upstream,
            @Nullable String production,
            @Nullable String debug) {}
}
