package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.TextRange;
import dev.understudy.divergence.content.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The name of a value that stands beside it: {@code {"name": "password", "value": "…"}}. Stateless. */
final class SiblingName {
    private static final Set<String> VALUES = Set.of("value", "content", "@value", "@content", "#text");
    private static final List<String> NAMES = List.of("name", "key", "@name", "@key", "@id");
    private static final int LONGEST = 64;

    private SiblingName() {}

    /** Whether a member of that name may be named by another one. */
    static boolean mayName(String member) {
        return VALUES.contains(member);
    }

    /** A member's value as it were in a text behind its name, by which masking knows a secret; null if it has none. */
    static @Nullable TextRange of(Map<String, JsonValue> members, String member) {
        for (String name : mayName(member) ? NAMES : List.<String>of()) {
            if (members.get(name) instanceof JsonValue.Str text && text.text().length() <= LONGEST) {
                String said = text.text() + "='?'";
                return new TextRange(said, said.length() - 2, said.length() - 1);
            }
        }
        return null;
    }
}
