package dev.understudy.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/** One page of a list: the arguments that choose it, and what an answer says of it. Stateless. */
public final class AnswerPage {
    private static final String LIMIT = "limit";
    private static final String CURSOR = "cursor";

    private AnswerPage() {}

    /** How many entries are wanted. */
    public static ToolParameter limit(int most, int standard) {
        return ToolParameter.number(LIMIT, 1, most, standard, "How many entries at most.");
    }

    /** Where to go on. */
    public static ToolParameter cursor() {
        return ToolParameter.number(
                CURSOR, 0, Long.MAX_VALUE, 0, "Where to go on: the cursor of the answer before. 0 for the beginning.");
    }

    /** How many entries are wanted. */
    public static long limit(ToolArguments arguments) {
        return arguments.number(LIMIT);
    }

    /** Where to go on; 0 for the beginning. */
    public static long cursor(ToolArguments arguments) {
        return arguments.number(CURSOR);
    }

    /** Adds the wanted part of {@code all}, and where to go on if there is more. */
    public static void add(ToolAnswer answer, String name, List<JsonNode> all, ToolArguments arguments) {
        int from = (int) Math.min(cursor(arguments), all.size());
        int to = (int) Math.min(from + limit(arguments), all.size());
        ArrayNode list = answer.list(name);
        all.subList(from, to).forEach(list::add);
        answer.with("total", all.size());
        if (to < all.size()) {
            more(answer, to);
        }
    }

    /** Says where to go on. */
    public static void more(ToolAnswer answer, long cursor) {
        answer.with(CURSOR, cursor);
    }
}
