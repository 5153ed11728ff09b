package dev.understudy.divergence.mask;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Set;

/**
 * What an operator wants to be secret, besides what always is. Immutable.
 *
 * @param names of headers, parameters, columns and fields: in any case, and as words of longer names
 * @param values forms of values, whatever they are called; looked for in time that grows with the text alone
 */
public record SecretRules(Set<String> names, List<Pattern> values) {
    public static final SecretRules NONE = new SecretRules(Set.of(), List.of());

    public SecretRules {
        names = Set.copyOf(names);
        values = List.copyOf(values);
    }

    /**
     * The form of a value, as RE2 writes regular expressions.
     *
     * @throws IllegalArgumentException if it is none, or nothing would be secret, too
     */
    public static Pattern value(String expression) {
        Pattern form;
        try {
            form = Pattern.compile(expression);
        } catch (PatternSyntaxException none) {
            throw new IllegalArgumentException(none.getMessage(), none);
        }
        if (form.matches("")) {
            throw new IllegalArgumentException(expression + " matches the empty text");
        }
        return form;
    }

    public boolean isEmpty() {
        return names.isEmpty() && values.isEmpty();
    }
}
