package dev.understudy.testing.junit;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of system properties in an annotation's texts. */
final class SystemProperties {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

    private SystemProperties() {}

    /**
     * The text with each {@code ${name}} replaced.
     *
     * @throws IllegalArgumentException if there is no such property
     */
    static String fill(String text) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> {
            String value = System.getProperty(found.group(1));
            if (value == null) {
                throw new IllegalArgumentException(
                        "${" + found.group(1) + "}: unknown (expected: a system property of that name)");
            }
            return Matcher.quoteReplacement(value);
        });
    }
}
