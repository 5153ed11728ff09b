package dev.understudy.agent.expression;

import dev.understudy.agent.value.Fields;
import org.jspecify.annotations.Nullable;

/** One evaluation: the values of the names, and the steps that are left. Confined to one thread. */
final class Evaluation {
    /** What one evaluation may do: characters that patterns look at, elements that are looked through, parts. */
    static final int STEPS = 20_000;

    final Fields fields;
    private final @Nullable Object[] values;
    private int left = STEPS;

    Evaluation(@Nullable Object[] values, Fields fields) {
        this.values = values;
        this.fields = fields;
    }

    @Nullable
    Object variable(int number) {
        return fields.plain(values[number]);
    }

    /** False once all steps are done. */
    boolean step() {
        return left-- > 0;
    }
}
