package dev.understudy.mcp.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolInputException;
import dev.understudy.mcp.tool.ToolParameter;
import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code compare_executions}: where the execution of a failing request parts from that of a good one. */
final class CompareTool {
    private static final String NUMBER = "number";
    private static final long LOOK_AGAIN_MILLIS = 200;
    /** As many as the control port answers at a time. */
    private static final int PAGE = 40;

    private CompareTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "compare_executions",
                "Sends a failing request and the two good ones of its route that are most like it to the debug JVM "
                        + "once more, never to production, and lists the methods where the executions part, the "
                        + "earliest first. What the requests change in the debug JVM stays changed. Needs the role "
                        + "operate.",
                ToolEffect.REPLAY,
                List.of(
                        ToolParameter.number(
                                "exchange",
                                0,
                                Long.MAX_VALUE,
                                0,
                                "The failing exchange, as exchanges lists it (0: the newest that failed)."),
                        ToolParameter.flag(
                                "reduce",
                                "First leaves out of the request what it fails without, and compares the smallest one "
                                        + "that fails with the nearest one that doesn't: some hundred requests."),
                        ToolParameter.number("seconds", 1, 60, 45, "Waits so long for the outcome at most."),
                        ToolParameter.number(
                                NUMBER,
                                1,
                                Integer.MAX_VALUE,
                                1,
                                "Nothing is sent: shows what an earlier comparison has found, with a cursor to go on."),
                        AnswerPage.limit(PAGE, 10),
                        AnswerPage.cursor()),
                CompareTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException, ToolInputException {
        ControlClient client = ports.sidecar();
        if (arguments.has(NUMBER)) {
            return answer(earlier(client, arguments), arguments);
        }
        if (AnswerPage.cursor(arguments) > 0) {
            throw new ToolInputException(NUMBER + ": missing (expected with a cursor: the number of the comparison)");
        }
        long exchange = arguments.number("exchange");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(arguments.number("seconds"));
        Map<String, Object> wanted = new LinkedHashMap<>();
        if (arguments.isSet("reduce")) {
            wanted.put("reduce", true);
        }
        if (exchange != 0) {
            wanted.put("exchange", exchange);
        }
        JsonNode newest = client.post("/v1/comparisons", wanted).at("/comparisons/0");
        while (newest.path("state").asText().equals("RUNNING") && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            newest = client.get("/v1/comparisons").at("/comparisons/0");
        }
        return answer(newest, arguments);
    }

    private static JsonNode earlier(ControlClient client, ToolArguments arguments)
            throws IOException, InterruptedException, ToolInputException {
        long number = arguments.number(NUMBER);
        long from = Math.min(Integer.MAX_VALUE, AnswerPage.cursor(arguments));
        List<String> kept = new ArrayList<>();
        for (JsonNode one : client.get("/v1/comparisons?from=" + from).path("comparisons")) {
            if (one.path(NUMBER).asLong() == number) {
                return one;
            }
            kept.add(one.path(NUMBER).asText());
        }
        throw new ToolInputException(NUMBER + ": " + number + " (expected: a comparison that is kept: "
                + (kept.isEmpty() ? "there is none" : String.join(", ", kept)) + ")");
    }

    private static ToolAnswer answer(JsonNode comparison, ToolArguments arguments) {
        long from = AnswerPage.cursor(arguments);
        ToolAnswer answer = new ToolAnswer().with(comparison, NUMBER, "state", "words");
        if (from == 0) {
            answer.with(comparison, "failing", "passing", "reduced", "asked", "calls", "left");
        }
        List<JsonNode> there = new ArrayList<>();
        comparison.path("partings").forEach(there::add);
        there = there.subList(0, AnswerPage.fitting(there, AnswerPage.limit(arguments)));
        there.forEach(answer.list("partings")::add);
        if (!comparison.path("state").asText().equals("DONE")) {
            return answer.next(
                    comparison.path("state").asText().equals("RUNNING")
                            ? "compare_executions with number "
                                    + comparison.path(NUMBER).asLong() + " shows what has come of it"
                            : "exchanges with failing, and compare_executions of another one");
        }
        long all = comparison.path("partingCount").asLong();
        answer.with("partingCount", all);
        if (!there.isEmpty() && from + there.size() < all) {
            AnswerPage.more(answer, from + there.size());
        }
        return answer.next("source of the first method, or add_log_point there; more partings with number "
                + comparison.path(NUMBER).asLong() + " and the cursor");
    }
}
