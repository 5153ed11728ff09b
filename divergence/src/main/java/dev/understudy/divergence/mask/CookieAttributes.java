package dev.understudy.divergence.mask;

import dev.understudy.divergence.compare.Difference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A cookie's attributes, whose values aren't the cookie's and are shown. */
final class CookieAttributes {
    private static final Pattern ATTRIBUTE = Pattern.compile("header\\.Set-Cookie\\[[^\\]]*\\]"
            + "\\.(path|domain|expires|max-age|samesite|priority|secure|httponly|partitioned)");

    private static final Pattern DOMAIN = Pattern.compile("\\.?[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){0,9}");
    private static final Pattern EXPIRES =
            Pattern.compile("[A-Za-z]{3,9}, ?\\d{1,2}[ -][A-Za-z]{3}[ -]\\d{2,4} \\d{1,2}:\\d{2}:\\d{2} [A-Z]{3}");
    private static final Pattern AGE = Pattern.compile("-?\\d{1,10}");
    private static final Pattern WORD = Pattern.compile("(?i)strict|lax|none|low|medium|high");

    private CookieAttributes() {}

    /** Whether it is one's difference, by its place and the form of both values. */
    static boolean contain(Difference difference) {
        Matcher attribute = ATTRIBUTE.matcher(difference.path());
        return attribute.matches()
                && hasForm(attribute.group(1), difference.production())
                && hasForm(attribute.group(1), difference.debug());
    }

    /** A member of JSON within a cookie may have the same name, but another form. */
    private static boolean hasForm(String name, @Nullable String value) {
        return value == null
                || switch (name) {
                    case "path" -> value.startsWith("/");
                    case "domain" -> DOMAIN.matcher(value).matches();
                    case "expires" -> EXPIRES.matcher(value).matches();
                    case "max-age" -> AGE.matcher(value).matches();
                    case "samesite", "priority" -> WORD.matcher(value).matches();
                    default -> value.isEmpty();
                };
    }
}
