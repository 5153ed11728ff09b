package dev.understudy.sidecar.flame;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Stacks that an agent has taken.
 *
 * @param names of frames
 * @param stacks which frames, by their number in {@code names}
 */
public record StackBatch(List<String> names, List<Stack> stacks) {
    private static final int MOST_NAMES = 1 << 15;
    static final int MOST_STACKS = 10_000;
    private static final int DEEPEST = 1024;
    private static final int LONGEST_NAME = 300;

    public StackBatch {
        names = List.copyOf(names);
        stacks = List.copyOf(stacks);
    }

    /**
     * One stack.
     *
     * @param key of its exchange, as {@link RecentExchanges#key} makes it; empty if nothing is known of it
     * @param frames the thread's first one first
     */
    public record Stack(String key, int[] frames) {}

    /**
     * Reads what an agent has sent.
     *
     * @throws IllegalArgumentException if it can't be read
     */
    public static StackBatch read(JsonNode document) {
        List<String> names = names(document);
        List<Stack> stacks = new ArrayList<>();
        for (JsonNode stack : array(document, "stacks", MOST_STACKS)) {
            stacks.add(stack(stack, names.size()));
        }
        return new StackBatch(names, stacks);
    }

    static List<String> names(JsonNode document) {
        List<String> names = new ArrayList<>();
        for (JsonNode name : array(document, "names", MOST_NAMES)) {
            if (!name.isTextual()) {
                throw new IllegalArgumentException("names: " + name.getNodeType() + " among them (expected: texts)");
            }
            names.add(shortened(name.textValue()));
        }
        return names;
    }

    static String shortened(String text) {
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME);
    }

    private static Stack stack(JsonNode stack, int names) {
        return new Stack(key(stack), frames(stack, names));
    }

    /** Of its exchange; empty if nothing is said of that. */
    static String key(JsonNode stack) {
        String span = stack.path("span").asText();
        return RecentExchanges.key(
                span.length() <= LONGEST_NAME ? span : "",
                stack.path("port").asInt(),
                stack.path("from").asLong());
    }

    static int[] frames(JsonNode stack, int names) {
        JsonNode numbers = array(stack, "frames", DEEPEST);
        int[] frames = new int[numbers.size()];
        for (int i = 0; i < frames.length; i++) {
            JsonNode number = numbers.get(i);
            if (!number.isInt() || number.intValue() < 0 || number.intValue() >= names) {
                throw new IllegalArgumentException(
                        "frames: one that isn't among the names (expected: 0 to " + (names - 1) + ")");
            }
            frames[i] = number.intValue();
        }
        return frames;
    }

    static JsonNode array(JsonNode document, String name, int most) {
        JsonNode array = document.path(name);
        if (!array.isArray() || array.size() > most) {
            throw new IllegalArgumentException(
                    name + ": " + (array.isArray() ? array.size() : "none") + " (expected: at most " + most + ")");
        }
        return array;
    }
}
