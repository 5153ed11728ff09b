package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The last report of each agent: {@code POST} and {@code GET /v1/agent}.
 *
 * <p>A report is a sign that the debug JVM lives. Guarded by {@code this}.
 */
public final class AgentReports {
    private static final int LARGEST = 1 << 20;
    static final int MOST_AGENTS = 64;

    private static final int LONGEST_PATCH = 64;
    private static final long FRESH_NANOS = 10_000_000_000L;

    private final Runnable lives;
    private final Runnable changed;
    private final AgentMeters meters;
    private volatile BiConsumer<String, String> patched = (agent, patch) -> {};
    private final Map<String, Kept> reports = new LinkedHashMap<>();

    /**
     * None yet.
     *
     * @param lives run at each report
     * @param changed run at each report of an agent that has armed probes or patched its JVM
     * @param meters have each agent's figures
     */
    public AgentReports(Runnable lives, Runnable changed, AgentMeters meters) {
        this.lives = lives;
        this.changed = changed;
        this.meters = meters;
    }

    /** From now on {@code listener} is told, at each report, the agent's name and the patch its JVM runs with, or "". */
    public void onPatch(BiConsumer<String, String> listener) {
        patched = listener;
    }

    /** Keeps a report in the place of that agent's last one. */
    public Reply post(Call call) {
        if (call.body().length > LARGEST) {
            return Reply.problem(413, "Too large", call.body().length + " bytes (expected: <= " + LARGEST + ")");
        }
        JsonNode report = JsonBody.object(call.body());
        JsonNode name = report.get("name");
        if (name == null || !name.isTextual() || name.asText().isEmpty()) {
            throw new IllegalArgumentException("name: missing (expected: the agent's name)");
        }
        lives.run();
        String patch = report.path("patch").asText();
        if (report.path("state").asText().equals("armed") || !patch.isEmpty()) {
            changed.run();
        }
        patched.accept(name.asText(), patch.substring(0, Math.min(patch.length(), LONGEST_PATCH)));
        keep(name.asText(), report);
        return Reply.json(Map.of("kept", name.asText()));
    }

    /** All that are kept and, while agents share methods, what they found of these together. */
    public Map<String, Object> read(boolean shared) {
        List<JsonNode> all = all();
        return shared ? Map.of("agents", all, "shared", SharedProfile.of(fresh())) : Map.of("agents", all);
    }

    /** The names of agents that have reported in the last ten seconds. */
    public List<String> names() {
        return fresh().stream().map(report -> report.path("name").asText()).toList();
    }

    private synchronized List<JsonNode> all() {
        return reports.values().stream().map(Kept::report).toList();
    }

    /** Those of agents that have reported in the last ten seconds. */
    synchronized List<JsonNode> fresh() {
        long now = System.nanoTime();
        return reports.values().stream()
                .filter(kept -> now - kept.nanos() < FRESH_NANOS)
                .map(Kept::report)
                .toList();
    }

    private synchronized void keep(String name, JsonNode report) {
        reports.remove(name);
        reports.put(name, new Kept(report, System.nanoTime()));
        meters.heard(name, report);
        if (reports.size() > MOST_AGENTS) {
            String eldest = reports.keySet().iterator().next();
            reports.remove(eldest);
            meters.forgotten(eldest);
        }
    }

    private record Kept(JsonNode report, long nanos) {}
}
