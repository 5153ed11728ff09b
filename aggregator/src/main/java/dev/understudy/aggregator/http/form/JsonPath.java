package dev.understudy.aggregator.http.form;

import dev.understudy.divergence.content.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a JSON text, or several: {@code order.items[0].id}, {@code items[*].id}, {@code *.at},
 * {@code ["odd.name"]}; a {@code $} at the beginning may be left out. Immutable.
 */
public final class JsonPath {
    private static final Pattern STEP =
            Pattern.compile("\\.?(?:(?<name>[^.\\[\\]\"*\\s]+)|(?<any>\\*|\\[\\*])|\\[(?<item>\\d{1,9})]|"
                    + "\\[\"(?<quoted>[^\"]+)\"])");

    private final String text;
    private final List<Step> steps;

    private JsonPath(String text, List<Step> steps) {
        this.text = text;
        this.steps = steps;
    }

    /**
     * Reads a path.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static JsonPath of(String text) {
        String path = text.strip();
        if (path.startsWith("$")) {
            path = path.substring(1);
        }
        List<Step> steps = new ArrayList<>();
        Matcher step = STEP.matcher(path);
        int at = 0;
        while (at < path.length()) {
            if (!step.region(at, path.length()).lookingAt()) {
                throw new IllegalArgumentException(text + " (expected: a path like order.items[*].id)");
            }
            steps.add(step(step));
            at = step.end();
        }
        if (steps.isEmpty() || path.startsWith("..")) {
            throw new IllegalArgumentException(text + " (expected: a path like order.items[*].id)");
        }
        return new JsonPath(text.strip(), List.copyOf(steps));
    }

    private static Step step(Matcher step) {
        if (step.group("any") != null) {
            return new Step("", -1, true);
        }
        if (step.group("item") != null) {
            return new Step("", Integer.parseInt(step.group("item")), false);
        }
        String name = step.group("name");
        return new Step(name != null ? name : step.group("quoted"), -1, false);
    }

    /** The value without what stands at this place. */
    JsonValue removedFrom(JsonValue value) {
        return without(value, 0);
    }

    private JsonValue without(JsonValue value, int depth) {
        Step step = steps.get(depth);
        boolean last = depth == steps.size() - 1;
        if (value instanceof JsonValue.Obj object) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            object.members().forEach((name, member) -> {
                boolean here = step.any || (step.item < 0 && step.name.equals(name));
                if (!here) {
                    members.put(name, member);
                } else if (!last) {
                    members.put(name, without(member, depth + 1));
                }
            });
            return new JsonValue.Obj(members);
        }
        if (value instanceof JsonValue.Arr array) {
            List<JsonValue> items = new ArrayList<>();
            for (int i = 0; i < array.items().size(); i++) {
                boolean here = step.any || step.item == i;
                if (!here) {
                    items.add(array.items().get(i));
                } else if (!last) {
                    items.add(without(array.items().get(i), depth + 1));
                }
            }
            return new JsonValue.Arr(items);
        }
        return value;
    }

    @Override
    public String toString() {
        return text;
    }

    /** A member of this name, an item of this number, or any of either. */
    private record Step(String name, int item, boolean any) {}
}
