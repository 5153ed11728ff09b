package dev.understudy.sidecar.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.json.ForeignJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The last report of each agent: {@code POST} and {@code GET /v1/agent}.
 *
 * <p>A report is kept as bytes, which cost what they are long, and read again when it is asked for, one at a time: a
 * tree may take thirty times as much. All together have a bound, beyond which the eldest are forgotten. A report is a
 * sign that the debug JVM lives. Guarded by {@code this}.
 */
public final class AgentReports {
    static final int MOST_AGENTS = 64;
    static final int LONGEST_NAME = 200;

    private static final int LARGEST = 1 << 20;
    private static final long MOST_BYTES = 8 << 20;
    private static final int LONGEST_PATCH = 64;
    private static final long FRESH_NANOS = 10_000_000_000L;
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private final Runnable lives;
    private final Runnable changed;
    private final AgentMeters meters;
    private final long mostBytes;
    private volatile BiConsumer<String, String> patched = (agent, patch) -> {};
    private final Map<String, Kept> reports = new LinkedHashMap<>();
    private long bytes;

    /**
     * None yet.
     *
     * @param lives run at each report
     * @param changed run at each report of an agent that has armed probes or patched its JVM
     * @param meters have each agent's figures
     */
    public AgentReports(Runnable lives, Runnable changed, AgentMeters meters) {
        this(lives, changed, meters, Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / 32));
    }

    /** @param mostBytes of all reports together */
    AgentReports(Runnable lives, Runnable changed, AgentMeters meters, long mostBytes) {
        this.lives = lives;
        this.changed = changed;
        this.meters = meters;
        this.mostBytes = mostBytes;
    }

    /**
     * From now on {@code listener} is told, at each report, the agent's name and the patch its JVM runs with, or "".
     */
    public void onPatch(BiConsumer<String, String> listener) {
        patched = listener;
    }

    /** Keeps a report in the place of that agent's last one. */
    public Reply post(Call call) {
        if (call.body().length > LARGEST) {
            return Reply.problem(413, "Too large", call.body().length + " bytes (expected: <= " + LARGEST + ")");
        }
        JsonNode report = JsonBody.object(call.body());
        String name = name(report);
        lives.run();
        String patch = report.path("patch").asText();
        if (report.path("state").asText().equals("armed") || !patch.isEmpty()) {
            changed.run();
        }
        patched.accept(name, patch.substring(0, Math.min(patch.length(), LONGEST_PATCH)));
        keep(name, report);
        return Reply.json(Map.of("kept", name));
    }

    /**
     * The name of the agent that has sent this.
     *
     * @throws IllegalArgumentException if it gives none that can be kept
     */
    private static String name(JsonNode report) {
        JsonNode name = report.path("name");
        if (!name.isTextual() || name.asText().isEmpty() || name.asText().length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "name: " + (name.isTextual() ? name.asText().length() + " characters" : "missing")
                            + " (expected: the agent's name, of at most " + LONGEST_NAME + " characters)");
        }
        return name.asText();
    }

    /** All that are kept and, while agents share methods, what they found of these together. */
    public Map<String, Object> read(boolean shared) {
        List<RawValue> all = all().stream()
                .map(kept -> new RawValue(new String(kept.json(), StandardCharsets.UTF_8)))
                .toList();
        if (!shared) {
            return Map.of("agents", all);
        }
        SharedProfile profile = new SharedProfile();
        eachFresh(profile::add);
        return Map.of("agents", all, "shared", profile.spell());
    }

    /** The names of agents that have reported in the last ten seconds. */
    public synchronized List<String> names() {
        long now = System.nanoTime();
        return reports.entrySet().stream()
                .filter(report -> report.getValue().isFresh(now))
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * What {@code reader} makes of the reports of agents that have reported in the last ten seconds; made once of each
     * report, however often it is asked for.
     *
     * @param reader the same object each time
     */
    <T> List<T> fresh(Function<JsonNode, T> reader) {
        long now = System.nanoTime();
        return all().stream()
                .filter(kept -> kept.isFresh(now))
                .map(kept -> kept.make(reader))
                .toList();
    }

    /** Reads the reports of agents that have reported in the last ten seconds, one after the other. */
    public void eachFresh(Consumer<JsonNode> reader) {
        long now = System.nanoTime();
        for (Kept kept : all()) {
            if (kept.isFresh(now)) {
                reader.accept(kept.parse());
            }
        }
    }

    private synchronized List<Kept> all() {
        return List.copyOf(reports.values());
    }

    private synchronized void keep(String name, JsonNode report) {
        forget(name);
        Kept kept = Kept.of(report);
        reports.put(name, kept);
        bytes += kept.json().length;
        meters.heard(name, report);
        while (reports.size() > MOST_AGENTS || (bytes > mostBytes && reports.size() > 1)) {
            String eldest = reports.keySet().iterator().next();
            forget(eldest);
            meters.forgotten(eldest);
        }
    }

    private void forget(String name) {
        Kept kept = reports.remove(name);
        bytes -= kept == null ? 0 : kept.json().length;
    }

    /**
     * One that is kept.
     *
     * @param json written here, without blanks and in UTF-8, whatever the agent has sent
     * @param made what readers made of it
     */
    private record Kept(byte[] json, long nanos, Map<Function<JsonNode, ?>, Object> made) {
        static Kept of(JsonNode report) {
            try {
                return new Kept(JSON.writeValueAsBytes(report), System.nanoTime(), new ConcurrentHashMap<>());
            } catch (JsonProcessingException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        boolean isFresh(long now) {
            return now - nanos < FRESH_NANOS;
        }

        @SuppressWarnings("unchecked") // a reader is the key of what it made
        <T> T make(Function<JsonNode, T> reader) {
            return (T) made.computeIfAbsent(reader, unseen -> reader.apply(parse()));
        }

        JsonNode parse() {
            try {
                return JSON.readTree(json);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }
}
