package dev.understudy.aggregator.policy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A pattern for canonical forms as {@code /v1/matches} shows them: a glob of the whole text, or a regular expression
 * between slashes that is looked for in it. Takes time in proportion to the text, whatever the pattern. Immutable.
 */
public final class FormPattern {
    private final String text;
    private final Pattern pattern;

    private FormPattern(String text, Pattern pattern) {
        this.text = text;
        this.pattern = pattern;
    }

    /**
     * Reads a pattern: {@code GET /price*}, where {@code *} is any text and {@code ?} any character, or {@code
     * /^(GET|HEAD) /}. Case counts.
     *
     * @throws IllegalArgumentException if it is blank, longer than 1000 characters, or no regular expression
     */
    public static FormPattern of(String text) {
        if (text.isBlank() || text.length() > 1_000) {
            throw new IllegalArgumentException("form: (expected: 1 to 1000 characters)");
        }
        boolean regex = text.length() > 2 && text.startsWith("/") && text.endsWith("/");
        try {
            return new FormPattern(
                    text,
                    regex
                            ? Pattern.compile(text.substring(1, text.length() - 1))
                            : Pattern.compile("^(?:" + glob(text) + ")$", Pattern.DOTALL));
        } catch (PatternSyntaxException wrong) {
            throw new IllegalArgumentException("form: " + wrong.getMessage(), wrong);
        }
    }

    /** Whether a form is like it, by its text. */
    public boolean matches(String form) {
        return pattern.matcher(form).find();
    }

    private static String glob(String text) {
        StringBuilder regex = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                default -> regex.append(Pattern.quote(Character.toString(c)));
            }
        });
        return regex.toString();
    }

    @Override
    public String toString() {
        return text;
    }
}
