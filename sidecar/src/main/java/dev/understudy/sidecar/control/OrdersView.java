package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.steer.Orders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** {@code GET /v1/orders}: what the operator wants of the debug JVMs, and how far each agent is with it. */
public final class OrdersView {
    private static final int MOST_PROBLEMS = 20;
    private static final int MOST_KINDS = 20;
    private static final int LONGEST_TEXT = 500;

    private static final Function<JsonNode, Map<String, Object>> BUDGET = OrdersView::budget;
    private static final Function<JsonNode, Map<String, Object>> FOLLOWED = OrdersView::followed;

    private final Orders orders;
    private final AgentReports agents;
    private final Supplier<Duration> wantedWindow;

    /** @param wantedWindow for how long the window is wanted to last; zero if that isn't wanted */
    public OrdersView(Orders orders, AgentReports agents, Supplier<Duration> wantedWindow) {
        this.orders = orders;
        this.agents = agents;
        this.wantedWindow = wantedWindow;
    }

    /** The document. */
    public Map<String, Object> read() {
        Orders.Sheet sheet = orders.sheet();
        Map<String, Object> seen = standing(sheet.revision());
        seen.put("orders", sheet.kinds());
        Duration wanted = wantedWindow.get();
        if (!wanted.isZero()) {
            seen.put("wantedMillis", wanted.toMillis());
        }
        return seen;
    }

    /** The same without what is wanted. */
    public Map<String, Object> standing() {
        return standing(orders.revision());
    }

    /** The revision that each agent which reports has done. */
    public List<Long> followed() {
        return agents.fresh(FOLLOWED).stream()
                .map(seen -> (Long) seen.get("revision"))
                .toList();
    }

    /** What each agent says of its budget. */
    List<Map<String, Object>> budgets() {
        return agents.fresh(BUDGET);
    }

    private static Map<String, Object> budget(JsonNode report) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("name", shortened(report.path("name").asText()));
        for (String figure : List.of("budget", "budgetMax", "spent", "nu", "samplesPerSecond")) {
            seen.put(figure, report.path(figure).asDouble());
        }
        seen.put("why", shortened(report.path("why").asText()));
        JsonNode egress = report.path("egress");
        if (!egress.path("state").asText("allow").equals("allow")) {
            seen.put(
                    "egress",
                    Map.of(
                            "state", shortened(egress.path("state").asText()),
                            "refused", egress.path("refused").asLong()));
        }
        return seen;
    }

    private Map<String, Object> standing(long revision) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("revision", revision);
        seen.put("agents", agents.fresh(FOLLOWED));
        return seen;
    }

    /** What an agent says of them; one that knows of no orders says nothing. */
    private static Map<String, Object> followed(JsonNode report) {
        JsonNode said = report.path("orders");
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("name", shortened(report.path("name").asText()));
        seen.put("revision", said.path("revision").asLong(-1));
        Map<String, String> standing = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> kind : said.path("standing").properties()) {
            if (standing.size() < MOST_KINDS) {
                standing.put(shortened(kind.getKey()), shortened(kind.getValue().asText()));
            }
        }
        seen.put("standing", standing);
        List<String> problems = new ArrayList<>();
        for (JsonNode problem : said.path("problems")) {
            if (problems.size() < MOST_PROBLEMS) {
                problems.add(shortened(problem.asText()));
            }
        }
        seen.put("problems", problems);
        return seen;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
