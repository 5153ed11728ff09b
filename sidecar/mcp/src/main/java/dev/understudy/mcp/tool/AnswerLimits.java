package dev.understudy.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.understudy.relay.log.Printable;
import java.util.Map;

/**
 * Shortens a document: texts and lists are cut, and what is empty is left out. What is cut says so. Text from traffic
 * is made fit for show.
 */
public final class AnswerLimits {
    /** Of an answer. */
    public static final int CHARACTERS = 24_000;

    /** Of a text. */
    public static final int TEXT = 2_000;

    private static final int LIST = 100;
    private static final int DEPTH = 16;
    private static final int ROUNDS = 7;
    private static final String CUT = "cut";

    private final int text;
    private final int list;

    private AnswerLimits(int text, int list) {
        this.text = text;
        this.list = list;
    }

    /** The document as JSON, shorter and shorter until it fits. */
    static String text(ObjectNode document) {
        for (int round = 0; round < ROUNDS; round++) {
            AnswerLimits limits = new AnswerLimits(TEXT >> round, Math.max(2, LIST >> round));
            JsonNode shortened = limits.shorten(document, 0);
            if (round > 0 && shortened instanceof ObjectNode object) {
                object.put(CUT, "shortened to fit; ask for less at a time (limit, or a narrower filter)");
            }
            String written = shortened.toString();
            if (written.length() <= CHARACTERS) {
                return written;
            }
        }
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        rest.put(CUT, "the answer is too large even when shortened; ask for less at a time");
        return rest.toString();
    }

    /** Characters that a part of an answer takes, as long as there is no need to shorten it further. */
    static int length(JsonNode part) {
        return new AnswerLimits(TEXT, LIST).shorten(part, 1).toString().length();
    }

    private JsonNode shorten(JsonNode node, int depth) {
        if (node instanceof TextNode) {
            return TextNode.valueOf(shorten(node.asText()));
        }
        if (depth >= DEPTH && node.isContainerNode()) {
            return TextNode.valueOf("…");
        }
        if (node instanceof ArrayNode array) {
            ArrayNode shortened = JsonNodeFactory.instance.arrayNode();
            for (int n = 0; n < Math.min(array.size(), list); n++) {
                shortened.add(shorten(array.get(n), depth + 1));
            }
            if (array.size() > list) {
                shortened.add("… " + (array.size() - list) + " more");
            }
            return shortened;
        }
        if (node instanceof ObjectNode object) {
            ObjectNode shortened = JsonNodeFactory.instance.objectNode();
            int members = 0;
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                if (members == list) {
                    shortened.put("…", (object.size() - members) + " more");
                    break;
                }
                members++;
                if (!isEmpty(member.getValue())) {
                    shortened.set(shorten(member.getKey()), shorten(member.getValue(), depth + 1));
                }
            }
            return shortened;
        }
        return node;
    }

    private String shorten(String whole) {
        String begin = whole.length() <= text ? whole : whole.substring(0, text);
        String shown = printable(begin);
        return whole.length() <= text ? shown : shown + "… (" + (whole.length() - text) + " more characters)";
    }

    /** The text without control characters but the ends of lines and tabulators. */
    public static String printable(String text) {
        if (text.codePoints().noneMatch(AnswerLimits::isHidden)) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().forEach(c -> printable.appendCodePoint(isHidden(c) ? Printable.REPLACEMENT : c));
        return printable.toString();
    }

    private static boolean isHidden(int character) {
        return character != '\n' && character != '\t' && Printable.isControl(character);
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isNull()
                || (value.isContainerNode() && value.isEmpty())
                || (value.isTextual() && value.asText().isEmpty());
    }
}
