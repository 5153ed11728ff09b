package dev.understudy.agent.expression;

import dev.understudy.agent.value.ValueFault;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether all of a text matches a pattern, given up when that takes too many steps. Stateless. */
final class BoundedMatch {
    /** Patterns go deeper into the stack with each character. */
    private static final int LONGEST_TEXT = 1000;

    private BoundedMatch() {}

    /** A truth value; null of null; a {@link ValueFault} if it takes too long or isn't a text. */
    static @Nullable Object of(Pattern pattern, @Nullable Object value, Evaluation in) {
        if (value == null || value instanceof ValueFault) {
            return value;
        }
        if (!(value instanceof String)) {
            return new ValueFault("matches asks a text, not " + Operators.kind(value));
        }
        String text = (String) value;
        if (text.length() > LONGEST_TEXT) {
            return new ValueFault("the text is too long for a pattern");
        }
        try {
            return pattern.matcher(new Counted(text, in)).matches();
        } catch (TooManySteps | StackOverflowError givenUp) {
            return new ValueFault("the pattern takes too long");
        }
    }

    private static final class TooManySteps extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManySteps() {
            super(null, null, false, false);
        }
    }

    private static final class Counted implements CharSequence {
        private final String text;
        private final Evaluation in;

        Counted(String text, Evaluation in) {
            this.text = text;
            this.in = in;
        }

        @Override
        public char charAt(int index) {
            if (!in.step()) {
                throw new TooManySteps();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text.substring(start, end), in);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
