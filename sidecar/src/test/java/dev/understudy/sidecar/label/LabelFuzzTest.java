package dev.understudy.sidecar.label;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.divergence.wire.http.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Any text as a rule: an argument that is refused, or a rule that is written again as one that says the same. */
class LabelFuzzTest {
    private static final List<ReplyFacts> REPLIES = List.of(
            facts(200, "{\"order\": {\"total\": -1.50, \"items\": [1, \"x\"]}}"),
            facts(404, "out of stock"),
            facts(500, "[".repeat(2_000)),
            ReplyFacts.none("reset", 5));

    private static ReplyFacts facts(int status, String body) {
        List<Header> headers = List.of(new Header("Content-Type", "application/json"), new Header("Retry-After", "5"));
        return new ReplyFacts(status, headers, body.getBytes(StandardCharsets.UTF_8), 2_000, "");
    }

    @FuzzTest
    void labels(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        LabelRule.Also rule = read(LabelRule.Also::of, text);
        if (rule != null) {
            assertThat(LabelRule.Also.of(rule.toString())).isEqualTo(rule).hasSameHashCodeAs(rule);
        }
    }

    @FuzzTest
    void conditions(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        ReplyCondition condition = read(ReplyCondition::of, text);
        ReplyCondition negated = read(ReplyCondition::of, "no " + text);
        if (condition == null) {
            return;
        }
        ReplyCondition again = ReplyCondition.of(condition.toString());
        assertThat(again).isEqualTo(condition);
        for (ReplyFacts reply : REPLIES) {
            assertThat(again.holds(reply)).isEqualTo(condition.holds(reply));
            if (negated != null && !text.strip().startsWith("no ")) {
                assertThat(negated.holds(reply)).isNotEqualTo(condition.holds(reply));
            }
        }
    }

    /** Null if it is refused, with a message. */
    private static <T> @Nullable T read(Function<String, T> reading, String text) {
        try {
            return reading.apply(text);
        } catch (IllegalArgumentException refused) {
            assertThat(refused.getMessage()).isNotNull();
            return null;
        }
    }
}
