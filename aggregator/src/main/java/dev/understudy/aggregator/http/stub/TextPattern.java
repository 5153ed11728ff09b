package dev.understudy.aggregator.http.stub;

import com.google.re2j.Pattern;
import java.util.Locale;

/** What one value of a request has to be like. Immutable; none backtracks. */
sealed interface TextPattern {
    boolean fits(String value);

    record EqualTo(String expected, boolean anyCase) implements TextPattern {
        @Override
        public boolean fits(String value) {
            return anyCase ? expected.equalsIgnoreCase(value) : expected.equals(value);
        }
    }

    record Contains(String part, boolean wanted) implements TextPattern {
        @Override
        public boolean fits(String value) {
            return value.contains(part) == wanted;
        }
    }

    /** Of the whole value. */
    record Matches(Pattern regex, boolean wanted) implements TextPattern {
        @Override
        public boolean fits(String value) {
            return regex.matches(value) == wanted;
        }
    }

    record Json(JsonPattern pattern) implements TextPattern {
        @Override
        public boolean fits(String value) {
            return pattern.fits(value);
        }
    }

    /** There is no such value. */
    record Absent() implements TextPattern {
        @Override
        public boolean fits(String value) {
            return false;
        }
    }

    /** A method's name, or any. */
    static TextPattern method(String name) {
        return name.toUpperCase(Locale.ROOT).equals("ANY") ? new Contains("", true) : new EqualTo(name, true);
    }
}
