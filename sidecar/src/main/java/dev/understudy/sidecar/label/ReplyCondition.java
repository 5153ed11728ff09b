package dev.understudy.sidecar.label;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.relay.config.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a reply of HTTP, as its user sees it. Immutable; two that are written alike are equal.
 *
 * <table>
 * <caption>What can be written</caption>
 * <tr><td>{@code status 500}, {@code status 5xx}</td><td>the status</td></tr>
 * <tr><td>{@code header Name}, {@code header Name: value*}</td><td>a header, with {@code *} for anything</td></tr>
 * <tr><td>{@code text out of stock}</td><td>a text in the body</td></tr>
 * <tr><td>{@code json /order/total < 0}, {@code json /error}</td>
 *     <td>a value of a JSON body, or that there is one</td></tr>
 * <tr><td>{@code slower 2s}</td><td>the time until the reply is whole, or that none came in that time</td></tr>
 * <tr><td>{@code reply}</td><td>that a whole reply came</td></tr>
 * <tr><td>{@code no ...}</td><td>that a condition doesn't hold</td></tr>
 * </table>
 */
public final class ReplyCondition {
    /** What is expected, for messages. */
    public static final String EXPECTED =
            "status 500, status 5xx, header Name: value*, text TEXT, json /pointer = value, slower 2s, reply, or no and"
                    + " one of them";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern STATUS = Pattern.compile("[1-9](\\d\\d|xx)");
    private static final Pattern COMPARED = Pattern.compile("(\\S+)\\s+(=|!=|<=|>=|<|>)\\s+(.+)");

    private final String text;
    private final Predicate<ReplyFacts> condition;

    private ReplyCondition(String text, Predicate<ReplyFacts> condition) {
        this.text = text;
        this.condition = condition;
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is none; the message says what is expected
     */
    public static ReplyCondition of(String text) {
        String stripped = text.strip();
        boolean negated = stripped.startsWith("no ");
        Predicate<ReplyFacts> condition =
                condition(negated ? stripped.substring(3).strip() : stripped, text);
        return new ReplyCondition(stripped, negated ? condition.negate() : condition);
    }

    /** Whether a reply meets it. */
    public boolean holds(ReplyFacts reply) {
        return condition.test(reply);
    }

    private static Predicate<ReplyFacts> condition(String text, String whole) {
        String[] words = text.split("\\s+", 2);
        String rest = words.length == 2 ? words[1] : "";
        return switch (words[0]) {
            case "status" -> status(rest, whole);
            case "header" -> header(rest, whole);
            case "text" -> text(rest, whole);
            case "json" -> json(rest, whole);
            case "slower" -> slower(rest, whole);
            case "reply" -> reply(rest, whole);
            default -> throw wrong(whole);
        };
    }

    private static Predicate<ReplyFacts> status(String rest, String whole) {
        if (!STATUS.matcher(rest).matches()) {
            throw wrong(whole);
        }
        boolean hundred = rest.endsWith("xx");
        int wanted = hundred ? rest.charAt(0) - '0' : Integer.parseInt(rest);
        return reply -> (hundred ? reply.status() / 100 : reply.status()) == wanted;
    }

    private static Predicate<ReplyFacts> header(String rest, String whole) {
        int colon = rest.indexOf(':');
        String name = colon < 0 ? rest : rest.substring(0, colon);
        if (name.isEmpty() || name.contains(" ")) {
            throw wrong(whole);
        }
        Pattern value = anything(colon < 0 ? "*" : rest.substring(colon + 1).strip());
        return reply -> reply.headers().stream()
                .filter(header -> header.is(name))
                .map(Header::value)
                .anyMatch(said -> value.matcher(said).matches());
    }

    private static Predicate<ReplyFacts> text(String rest, String whole) {
        if (rest.isEmpty()) {
            throw wrong(whole);
        }
        return reply -> reply.text().contains(rest);
    }

    private static Predicate<ReplyFacts> json(String rest, String whole) {
        Matcher compared = COMPARED.matcher(rest);
        boolean compares = compared.matches();
        if (!compares && (rest.isEmpty() || rest.contains(" "))) {
            throw wrong(whole);
        }
        JsonPointer pointer;
        try {
            String written = compares ? compared.group(1) : rest;
            pointer = JsonPointer.compile(written.equals("/") ? "" : written);
        } catch (IllegalArgumentException noPointer) {
            throw wrong(whole);
        }
        Predicate<JsonNode> wanted = compares ? compared(compared.group(2), compared.group(3), whole) : node -> true;
        return reply -> {
            JsonNode found = read(reply).at(pointer);
            return !found.isMissingNode() && wanted.test(found);
        };
    }

    private static Predicate<JsonNode> compared(String operator, String value, String whole) {
        if (operator.equals("=") || operator.equals("!=")) {
            return node -> equal(node, value) == operator.equals("=");
        }
        BigDecimal limit;
        try {
            limit = new BigDecimal(value.strip());
        } catch (NumberFormatException noNumber) {
            throw wrong(whole);
        }
        IntPredicate holds = switch (operator) {
            case "<" -> order -> order < 0;
            case "<=" -> order -> order <= 0;
            case ">" -> order -> order > 0;
            default -> order -> order >= 0;
        };
        return node -> node.isNumber() && holds.test(node.decimalValue().compareTo(limit));
    }

    private static boolean equal(JsonNode node, String value) {
        if (node.isNumber()) {
            try {
                return node.decimalValue().compareTo(new BigDecimal(value.strip())) == 0;
            } catch (NumberFormatException noNumber) {
                return false;
            }
        }
        String bare = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
        return node.isValueNode() ? node.asText().equals(bare) : node.toString().equals(value);
    }

    private static Predicate<ReplyFacts> slower(String rest, String whole) {
        long millis;
        try {
            millis = Value.duration().parse().apply(rest).toMillis();
        } catch (IllegalArgumentException noTime) {
            throw wrong(whole);
        }
        return reply -> reply.millis() > millis;
    }

    private static Predicate<ReplyFacts> reply(String rest, String whole) {
        if (!rest.isEmpty()) {
            throw wrong(whole);
        }
        return reply -> reply.status() > 0;
    }

    private static JsonNode read(ReplyFacts reply) {
        try {
            return JSON.readTree(reply.text());
        } catch (JacksonException noJson) {
            return JSON.missingNode();
        }
    }

    private static Pattern anything(String text) {
        String[] parts = text.split("\\*", -1);
        return Pattern.compile(
                String.join(".*", Stream.of(parts).map(Pattern::quote).toList()), Pattern.DOTALL);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(text + " (expected: " + EXPECTED + ")");
    }

    /** Whether all of them hold. */
    public static boolean all(List<ReplyCondition> rules, ReplyFacts reply) {
        return rules.stream().allMatch(rule -> rule.holds(reply));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ReplyCondition condition && condition.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }
}
