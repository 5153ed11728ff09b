package dev.understudy.agent.expression;

import dev.understudy.agent.value.Fields;
import dev.understudy.agent.value.Known;
import dev.understudy.agent.value.ValueFault;
import java.math.BigDecimal;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What operators make of values; a {@link ValueFault} of what they can't. Stateless. */
final class Operators {
    private static final int LONGEST_TEXT = 10_000;

    private Operators() {}

    /** {@code left} or {@code right} if one is a fault, else null. */
    private static @Nullable ValueFault fault(@Nullable Object left, @Nullable Object right) {
        return left instanceof ValueFault ? (ValueFault) left : right instanceof ValueFault ? (ValueFault) right : null;
    }

    /** A truth value as it is, of anything else a fault. */
    static Object truth(@Nullable Object value) {
        return value instanceof Boolean || value instanceof ValueFault
                ? value
                : new ValueFault(kind(value) + " isn't true or false");
    }

    static Object not(@Nullable Object value) {
        Object truth = truth(value);
        return truth instanceof Boolean ? (Object) !((Boolean) truth) : truth;
    }

    /** Numbers by value, texts and plain values by their texts, objects only as the same object. */
    static Object same(@Nullable Object left, @Nullable Object right) {
        ValueFault fault = fault(left, right);
        if (fault != null) {
            return fault;
        }
        if (left == null || right == null) {
            return left == right;
        }
        if (isNumber(left) && isNumber(right)) {
            Integer order = order(left, right);
            return order != null && order == 0;
        }
        if (isNumber(left) == isNumber(right) && left instanceof Boolean == right instanceof Boolean) {
            String leftText = Known.text(left);
            String rightText = Known.text(right);
            if (leftText != null && rightText != null) {
                return leftText.equals(rightText);
            }
            if (leftText == null && rightText == null) {
                return left == right;
            }
        }
        return new ValueFault(kind(left) + " can't be the same as " + kind(right));
    }

    /**
     * Compares.
     *
     * @param holds what of the order, -1, 0 or 1, makes it true
     */
    static Object compare(@Nullable Object left, @Nullable Object right, IntPredicate holds) {
        ValueFault fault = fault(left, right);
        if (fault != null) {
            return fault;
        }
        if (left instanceof String && right instanceof String) {
            return holds.test(((String) left).compareTo((String) right));
        }
        Integer order = left == null || right == null ? null : order(left, right);
        if (order != null) {
            return holds.test(order);
        }
        boolean notANumber = isNaN(left) || isNaN(right);
        return notANumber ? (Object) false : new ValueFault(kind(left) + " can't be compared with " + kind(right));
    }

    private static @Nullable Integer order(Object left, Object right) {
        if (left instanceof Long && right instanceof Long) {
            return Long.compare((Long) left, (Long) right);
        }
        if (left instanceof Double && right instanceof Double && !isNaN(left) && !isNaN(right)) {
            double one = (Double) left;
            double other = (Double) right;
            return one == other ? 0 : one < other ? -1 : 1;
        }
        BigDecimal one = infinite(left) || infinite(right) ? null : Known.number(left);
        BigDecimal other = one == null ? null : Known.number(right);
        if (one != null && other != null) {
            return one.compareTo(other);
        }
        if (infinite(left) && isNumber(right) && !isNaN(right)) {
            return (Double) left > 0 ? 1 : -1;
        }
        return infinite(right) && isNumber(left) && !isNaN(left) ? (Integer) ((Double) right > 0 ? -1 : 1) : null;
    }

    static @Nullable Object add(@Nullable Object left, @Nullable Object right) {
        if (fault(left, right) == null && (left instanceof String || right instanceof String)) {
            String one = plainText(left);
            String other = plainText(right);
            if (one == null || other == null) {
                return new ValueFault(kind(one == null ? left : right) + " has no text");
            }
            return one.length() + other.length() > LONGEST_TEXT ? new ValueFault("the text is too long") : one + other;
        }
        return calculate('+', left, right);
    }

    private static @Nullable String plainText(@Nullable Object value) {
        return value == null ? "null" : Known.text(value);
    }

    /** {@code + - * / %} as in Java, but that nothing overflows and nothing is divided by zero. */
    static Object calculate(char operator, @Nullable Object left, @Nullable Object right) {
        ValueFault fault = fault(left, right);
        if (fault != null) {
            return fault;
        }
        if (!(left instanceof Long || left instanceof Double) || !(right instanceof Long || right instanceof Double)) {
            return new ValueFault(kind(left) + " and " + kind(right) + " can't be calculated with");
        }
        try {
            return left instanceof Long && right instanceof Long
                    ? (Object) whole(operator, (Long) left, (Long) right)
                    : (Object) real(operator, ((Number) left).doubleValue(), ((Number) right).doubleValue());
        } catch (ArithmeticException none) {
            return new ValueFault("the number is too large, or divided by zero");
        }
    }

    private static long whole(char operator, long left, long right) {
        switch (operator) {
            case '+':
                return Math.addExact(left, right);
            case '-':
                return Math.subtractExact(left, right);
            case '*':
                return Math.multiplyExact(left, right);
            case '/':
                return right == -1 ? Math.negateExact(left) : left / right;
            default:
                return left % right;
        }
    }

    private static double real(char operator, double left, double right) {
        switch (operator) {
            case '+':
                return left + right;
            case '-':
                return left - right;
            case '*':
                return left * right;
            case '/':
                return left / right;
            default:
                return left % right;
        }
    }

    /** What a value is, for the one who asks why. */
    static String kind(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof String) {
            return "a text";
        }
        if (value instanceof Boolean) {
            return "a truth value";
        }
        if (value instanceof StringBuilder || value instanceof StringBuffer) {
            return "an overlong text";
        }
        return isNumber(value)
                ? "a number"
                : (Fields.isApplication(value.getClass()) ? "an object of " : "a ") + Known.shortName(value.getClass());
    }

    private static boolean isNumber(@Nullable Object value) {
        return value instanceof Long || value instanceof Double || (value != null && Known.number(value) != null);
    }

    private static boolean isNaN(@Nullable Object value) {
        return value instanceof Double && Double.isNaN((Double) value);
    }

    private static boolean infinite(Object value) {
        return value instanceof Double && Double.isInfinite((Double) value);
    }
}
