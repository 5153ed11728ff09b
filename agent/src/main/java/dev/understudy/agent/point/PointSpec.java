package dev.understudy.agent.point;

import dev.understudy.agent.expression.Expression;
import dev.understudy.agent.expression.ExpressionProblem;
import dev.understudy.agent.expression.Template;
import dev.understudy.agent.weave.MethodPattern;
import dev.understudy.agent.weave.ProbePattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A log point, a snapshot or a watched field as it is ordered. Immutable; right once it exists. */
final class PointSpec {
    final String id;
    final String className;
    /** With parameters as in {@code total(int,String)}, or without; of a watched field its name. */
    final String method;
    /** Which methods are meant, if the operator gave a pattern; else null. */
    final @Nullable ProbePattern pattern;

    private final MethodPattern methods;
    final PointPlace place;
    /** Null for a snapshot. */
    final @Nullable Template message;
    /** Null if it always holds. */
    final @Nullable Expression when;

    final double perSecond;
    final int quota;

    private PointSpec(
            String id,
            String className,
            String method,
            @Nullable ProbePattern pattern,
            PointPlace place,
            @Nullable Template message,
            @Nullable Expression when,
            double perSecond,
            int quota) {
        this.id = id;
        this.className = className;
        this.method = method;
        this.pattern = pattern;
        this.methods = MethodPattern.of(method);
        this.place = place;
        this.message = message;
        this.when = when;
        this.perSecond = perSecond;
        this.quota = quota;
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is none; what is wrong, and where
     */
    static PointSpec of(Map<?, ?> ordered) {
        String id = text(ordered, "id");
        String where = text(ordered, "method");
        int hash = where.indexOf('#');
        if (id.isEmpty() || where.isEmpty() || hash == 0 || hash == where.length() - 1) {
            throw new IllegalArgumentException("method: " + where + " (expected: com.shop.Cart#total)");
        }
        String when = text(ordered, "when");
        PointPlace place = PointPlace.of(text(ordered, "at"));
        boolean isPattern = hash < 0 || where.startsWith("@") || where.indexOf('*') >= 0;
        if (where.startsWith("from:")) {
            throw new IllegalArgumentException("method: " + where
                    + " can't be a point's (expected: com.shop.Cart#total, or a pattern such as "
                    + "com.shop.*Cart#total, com.shop.* or @jakarta.ws.rs.GET)");
        }
        if (isPattern && place.isOfField()) {
            throw new IllegalArgumentException("field: " + where + " (expected: one, such as com.shop.Cart.total)");
        }
        double perSecond = number(ordered, "rate");
        double quota = number(ordered, "quota");
        if (!(perSecond > 0 && quota > 0)) {
            throw new IllegalArgumentException("rate, quota: " + perSecond + ", " + quota + " (expected: above 0)");
        }
        Expression condition = when.isEmpty() ? null : condition(when);
        if (condition != null && place.isOfField()) {
            known(condition, place);
        }
        return new PointSpec(
                id,
                isPattern ? where : where.substring(0, hash),
                isPattern ? "" : method(where.substring(hash + 1)),
                isPattern ? ProbePattern.of(where) : null,
                place,
                ordered.get("message") instanceof String ? message(text(ordered, "message")) : null,
                condition,
                perSecond,
                (int) Math.min(quota, Integer.MAX_VALUE));
    }

    /** Whether it is of the method, if it isn't a pattern: by its name, and its parameters if they are given. */
    boolean means(String name, String descriptor) {
        return method.equals(name) || methods.matches(name, descriptor);
    }

    /**
     * Spaces between parameters are left out; those of a name that Kotlin's or Scala's code has in backticks are its
     * own.
     */
    private static String method(String text) {
        int open = text.indexOf('(');
        return open < 0
                ? text.strip()
                : text.substring(0, open).strip() + text.substring(open).replace(" ", "");
    }

    private static void known(Expression condition, PointPlace place) {
        List<String> known = place.at == PointPlace.At.READS
                ? List.of(LivePoint.VALUE, "this")
                : List.of(LivePoint.VALUE, LivePoint.OLD, "this");
        for (String name : condition.names()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "when: " + name + " isn't known of a field that is watched (expected: one of " + known + ")");
            }
        }
    }

    private static Template message(String text) {
        try {
            return Template.parse(text);
        } catch (ExpressionProblem problem) {
            throw new IllegalArgumentException("message: " + problem.getMessage(), problem);
        }
    }

    private static Expression condition(String text) {
        try {
            return Expression.parse(text);
        } catch (ExpressionProblem problem) {
            throw new IllegalArgumentException("when: " + problem.getMessage(), problem);
        }
    }

    private static String text(Map<?, ?> ordered, String name) {
        Object value = ordered.get(name);
        return value instanceof String ? (String) value : "";
    }

    private static double number(Map<?, ?> ordered, String name) {
        Object value = ordered.get(name);
        return value instanceof Number ? ((Number) value).doubleValue() : 0;
    }
}
