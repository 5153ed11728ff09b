package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.relay.control.ClockId;
import org.jspecify.annotations.Nullable;

/** Reads what the messages of sidecars and agents have in common; whoever sends others is told what is wrong. */
final class NewsFields {
    private static final int LONGEST_RUN = 100;
    private static final String CLOCK = ClockId.read();

    private NewsFields() {}

    /** Whether the sender has our clock. */
    static boolean sameClock(JsonNode message) {
        return !CLOCK.isEmpty() && CLOCK.equals(message.path("clock").asText());
    }

    /** It is remembered. */
    static String run(JsonNode message) {
        String run = message.path("run").asText();
        if (run.length() > LONGEST_RUN) {
            throw new IllegalArgumentException(
                    "run: " + run.length() + " characters (expected: at most " + LONGEST_RUN + ")");
        }
        return run;
    }

    static long number(JsonNode node, String name) {
        Long number = numberOrNull(node, name);
        if (number == null) {
            throw new IllegalArgumentException(name + ": none (expected: a whole number)");
        }
        return number;
    }

    /** Times of a clock that has run for less than a century, so that sums of them stay in range. */
    static @Nullable Long numberOrNull(JsonNode node, String name) {
        JsonNode number = node.path(name);
        if (number.isMissingNode() || number.isNull()) {
            return null;
        }
        if (!number.canConvertToLong()
                || !number.isIntegralNumber()
                || Math.abs(number.asLong()) > Long.MAX_VALUE / 3) {
            throw new IllegalArgumentException(name + ": (expected: a whole number)");
        }
        return number.asLong();
    }

    static @Nullable TraceId trace(JsonNode node, String name) {
        return node.hasNonNull(name) ? TraceId.of(node.path(name).asText()) : null;
    }
}
