package dev.understudy.divergence.content;

import java.util.List;
import java.util.Map;

/**
 * One value of a JSON text (RFC 8259) with nothing lost that a reader could notice: numbers keep their text, so
 * that {@code 1}, {@code 1.0} and {@code 1e0} are three values.
 */
public sealed interface JsonValue {
    /** An object; its members are in the order of the text, and no name occurs twice. */
    record Obj(Map<String, JsonValue> members) implements JsonValue {}

    record Arr(List<JsonValue> items) implements JsonValue {}

    record Str(String text) implements JsonValue {}

    record Num(String text) implements JsonValue {}

    record Bool(boolean value) implements JsonValue {}

    record Nil() implements JsonValue {}
}
