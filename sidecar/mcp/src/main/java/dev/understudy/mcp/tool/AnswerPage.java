package dev.understudy.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/** One page of a list: the arguments that choose it, and what an answer says of it. Stateless. */
public final class AnswerPage {
    private static final String LIMIT = "limit";
    private static final String CURSOR = "cursor";
    /** Characters of a list; an answer has other things, too. */
    private static final int ROOM = AnswerLimits.CHARACTERS * 2 / 3;

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

    /** Adds the wanted part of {@code all}, as much of it as fits, and where to go on if there is more. */
    public static void add(ToolAnswer answer, String name, List<JsonNode> all, ToolArguments arguments) {
        int from = (int) Math.min(cursor(arguments), all.size());
        int to = from + fitting(all.subList(from, all.size()), limit(arguments));
        ArrayNode list = answer.list(name);
        all.subList(from, to).forEach(list::add);
        answer.with("total", all.size());
        if (to < all.size()) {
            more(answer, to);
        }
    }

    /**
     * How many of the first of {@code all} an answer has room for, beside the rest of it: one at least, if there is
     * one.
     *
     * @param limit so many at most
     */
    public static int fitting(List<JsonNode> all, long limit) {
        int room = ROOM;
        int fitting = 0;
        for (JsonNode each : all.subList(0, (int) Math.min(limit, all.size()))) {
            room -= AnswerLimits.length(each);
            if (room < 0 && fitting > 0) {
                break;
            }
            fitting++;
        }
        return fitting;
    }

    /** Adds the first of {@code all}, and says how many are left out. */
    public static void begin(ToolAnswer answer, String name, List<JsonNode> all, int most) {
        ArrayNode list = answer.list(name);
        all.stream().limit(most).forEach(list::add);
        if (all.size() > most) {
            answer.with(name + "LeftOut", all.size() - most);
        }
    }

    /** Says where to go on. */
    public static void more(ToolAnswer answer, long cursor) {
        answer.with(CURSOR, cursor);
    }
}
