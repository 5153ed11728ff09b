package dev.understudy.agent.expression;

import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Secrets;
import dev.understudy.agent.value.ValueFault;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be asked of values: a condition, or a hole of a message. Immutable; for any threads. */
public final class Expression {
    /** The longest that is read, in characters. */
    public static final int LONGEST = 1000;

    private final Node node;
    private final List<String> names;
    private final Set<String> asked;

    /** @param asked every name that stands in it, of variables, members and keys */
    Expression(Node node, List<String> names, Set<String> asked) {
        this.node = node;
        this.names = List.copyOf(names);
        this.asked = Set.copyOf(asked);
    }

    /**
     * Reads it.
     *
     * @throws ExpressionProblem if it isn't one, with its place
     */
    public static Expression parse(String text) throws ExpressionProblem {
        if (text.length() > LONGEST) {
            throw new ExpressionProblem(LONGEST, "too long (expected: at most " + LONGEST + " characters)");
        }
        return new Parser(text, 0).expression(false);
    }

    /** The names whose values it asks for, in the order in which {@link #evaluate} takes them. */
    public List<String> names() {
        return names;
    }

    /** Whether it asks for something with the name of a secret, so that what it makes of it isn't shown. */
    public boolean isSecret(Secrets secrets) {
        return asked.stream().anyMatch(secrets::isSecret);
    }

    /**
     * Its value: null, a Long, Double, Boolean or String, an object, or a {@link ValueFault} that says why it has none.
     * Takes a bounded number of steps, throws nothing, and calls nothing of the application.
     *
     * @param values of its {@link #names}; a fault stands for one that isn't known
     * @param fields of the application's objects
     */
    public @Nullable Object evaluate(@Nullable Object[] values, Fields fields) {
        return node.value(new Evaluation(values, fields));
    }
}
