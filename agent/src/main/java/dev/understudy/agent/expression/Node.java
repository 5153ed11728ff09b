package dev.understudy.agent.expression;

import org.jspecify.annotations.Nullable;

/** A part of an expression. Immutable; for any threads. */
@FunctionalInterface
interface Node {
    /** Its value: null, Long, Double, Boolean, String, an object, or a Fault. Nothing is thrown. */
    @Nullable
    Object value(Evaluation in);
}
