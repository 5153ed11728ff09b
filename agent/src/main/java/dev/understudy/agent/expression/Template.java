package dev.understudy.agent.expression;

import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Rendering;
import dev.understudy.agent.value.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message with holes: {@code total of {this.id} is {return}}; two braces stand for one. Immutable; for any threads.
 */
public final class Template {
    private static final int LONGEST_MESSAGE = 4000;

    private final List<Object> parts;
    private final List<String> names;

    private Template(List<Object> parts, List<String> names) {
        this.parts = List.copyOf(parts);
        this.names = List.copyOf(names);
    }

    /**
     * Reads it.
     *
     * @throws ExpressionProblem if a hole isn't an expression, or has no end
     */
    public static Template parse(String text) throws ExpressionProblem {
        if (text.length() > Expression.LONGEST) {
            throw new ExpressionProblem(
                    Expression.LONGEST, "too long (expected: at most " + Expression.LONGEST + " characters)");
        }
        List<Object> parts = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        StringBuilder plain = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if ((c == '{' || c == '}') && text.startsWith(String.valueOf(c), at + 1)) {
                plain.append(c);
                at++;
            } else if (c == '}') {
                throw new ExpressionProblem(at, "} (expected: {, or }} for one that is shown)");
            } else if (c == '{') {
                Parser parser = new Parser(text, at + 1);
                Expression hole = parser.expression(true);
                parts.add(plain.toString());
                parts.add(hole);
                names.addAll(hole.names());
                plain.setLength(0);
                at = parser.at();
            } else {
                plain.append(c);
            }
        }
        parts.add(plain.toString());
        return new Template(parts, new ArrayList<>(names));
    }

    /** The names that its holes ask for, in the order in which {@link #text} takes their values. */
    public List<String> names() {
        return names;
    }

    /** The message with these values of its {@link #names}; what is secret is masked. */
    public String text(@Nullable Object[] values, Fields fields, Rendering rendering) {
        StringBuilder text = new StringBuilder();
        for (Object part : parts) {
            if (part instanceof Expression) {
                Expression hole = (Expression) part;
                text.append(
                        hole.isSecret(rendering.secrets())
                                ? Secrets.MASK
                                : rendering.text(value(hole, values, fields)));
            } else {
                text.append(part);
            }
        }
        if (text.length() > LONGEST_MESSAGE) {
            text.setLength(LONGEST_MESSAGE);
            text.append('…');
        }
        return text.toString();
    }

    private @Nullable Object value(Expression hole, @Nullable Object[] values, Fields fields) {
        @Nullable Object[] its = new @Nullable Object[hole.names().size()];
        for (int i = 0; i < its.length; i++) {
            its[i] = values[names.indexOf(hole.names().get(i))];
        }
        return hole.evaluate(its, fields);
    }
}
