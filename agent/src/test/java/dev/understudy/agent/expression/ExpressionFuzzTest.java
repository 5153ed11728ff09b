package dev.understudy.agent.expression;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Rendering;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.value.ValueFault;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any text as an expression and as a message: a problem with a place within it, or read, and then the same value each
 * time, blanks in front or not.
 */
final class ExpressionFuzzTest {
    private static final Fields FIELDS = new Fields(closed -> {});
    private static final Secrets SECRETS = new Secrets(List.of());
    private static final Rendering RENDERING = new Rendering(FIELDS, SECRETS);

    private static final List<@Nullable Object> VALUES = values();

    @FuzzTest
    void expressions(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        String value = value(text);
        assertThat(value(text)).isEqualTo(value);
        if (text.length() < Expression.LONGEST && !value.startsWith("column")) {
            assertThat(value(" " + text)).isEqualTo(value);
        }
    }

    @FuzzTest
    void messages(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        try {
            Template template = Template.parse(text);
            String message = template.text(values(template.names()), FIELDS, RENDERING);
            assertThat(message).hasSizeLessThan(4_100);
            assertThat(template.text(values(template.names()), FIELDS, RENDERING))
                    .isEqualTo(message);
        } catch (ExpressionProblem problem) {
            within(text, problem);
        }
    }

    private static String value(String text) {
        try {
            Expression expression = Expression.parse(text);
            Object value = expression.evaluate(values(expression.names()), FIELDS);
            return value instanceof ValueFault fault
                    ? "fault " + fault.why()
                    : RENDERING.text(value) + expression.isSecret(SECRETS);
        } catch (ExpressionProblem problem) {
            within(text, problem);
            return problem.getMessage();
        }
    }

    private static void within(String text, ExpressionProblem problem) {
        String message = problem.getMessage();
        assertThat(message).startsWith("column ");
        int column = Integer.parseInt(message.substring("column ".length(), message.indexOf(':')));
        assertThat(column).isBetween(1, text.length() + 1);
    }

    private static @Nullable Object[] values(List<String> names) {
        return names.stream()
                .map(name -> VALUES.get(Math.floorMod(name.hashCode(), VALUES.size())))
                .toArray();
    }

    private static List<@Nullable Object> values() {
        List<@Nullable Object> values = new ArrayList<>(List.of(
                1L,
                Long.MIN_VALUE,
                -1,
                2.5,
                Double.NaN,
                "text",
                "a".repeat(5_000),
                true,
                List.of("x", 1),
                Map.of("key", 7L),
                new int[] {3, 4},
                new IllegalStateException("late")));
        values.add(null);
        return values;
    }
}
