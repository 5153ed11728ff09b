package dev.understudy.divergence.compare.value;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a word in a text is called by what stands around it: {@code cursor} in {@code <a href="/x?cursor=…">}.
 *
 * @param own the name that is given to it; "" if none is
 * @param before the last name that is given to anything before it, nearby; "" if none is
 * @param ofToken whether it has no name, but stands behind a word for a token of the server's
 */
record PartName(String own, String before, boolean ofToken) {
    private static final int LONGEST = 64;
    private static final int CONTEXT = 300;
    private static final int WORDS = 40;
    private static final String AROUND = " \t\"'\\";
    /** Attributes that say nothing of what they hold; an attribute {@code name} beside them does. */
    private static final Set<String> PLAIN = Set.of("value", "content");
    /** Words in front of credentials, without a sign between. */
    private static final Set<String> SCHEMES = Set.of("bearer", "basic", "digest");

    private static final List<Pattern> ATTRIBUTES = List.of(attribute("name"), attribute("id"));
    /** What follows a sign of assignment is a value, though a sign follows that, too: {@code secret=Zm9v=}. */
    private static final Pattern ASSIGNED =
            Pattern.compile("(?<![=A-Za-z0-9_.$-])([A-Za-z0-9_.$-]{1,64})[\"'\\\\]{0,4}[ \t]{0,4}[=:]");

    private static final Pattern TOKEN =
            Pattern.compile("(?i)(?:[cx]srf|nonce|_token|session-?id)[a-z_-]{0,16}[^A-Za-z0-9]{0,8}$");
    /** Parameters and segments of paths before values that are good for once. */
    private static final Pattern ONCE = Pattern.compile("(?i)(?:[a-z]+[-_])?(?:reset|verify|verification|confirm"
            + "|confirmation|activate|activation|invite|invitation|magic|recover|recovery|unlock|otp|one-time"
            + "|code|ticket|sig|jwt|auth|assertion|saml(?:request|response))(?:[-_][a-z]+)?");

    /** The names of what begins there. */
    static PartName of(String text, int at) {
        String near = text.substring(Math.max(0, at - CONTEXT), at);
        String own = own(near, text, at);
        String words = near.substring(Math.max(0, near.length() - WORDS));
        return new PartName(
                secretly(own),
                lastAssigned(near),
                own.isEmpty() && TOKEN.matcher(words).find());
    }

    /** The names of a segment of a path. */
    PartName behind(String segment) {
        String name = last(segment);
        return name.isEmpty() ? this : new PartName(secretly(name), before.isEmpty() ? own : before, false);
    }

    private static String own(String near, String text, int at) {
        int sign = backOver(near, near.length());
        boolean given = sign > 0 && (near.charAt(sign - 1) == '=' || near.charAt(sign - 1) == ':');
        String name = last(near.substring(0, given ? backOver(near, sign - 1) : backOver(near, near.length())));
        if (!given) {
            return SCHEMES.contains(name.toLowerCase(Locale.ROOT)) ? "credentials" : "";
        }
        return PLAIN.contains(name) ? attribute(name, context(near, text, at)) : name;
    }

    /** What the element is called, or else the attribute. */
    private static String attribute(String own, String element) {
        for (Pattern pattern : ATTRIBUTES) {
            Matcher attribute = pattern.matcher(element);
            if (attribute.find()) {
                return attribute.group(1);
            }
        }
        return own;
    }

    private static Pattern attribute(String name) {
        return Pattern.compile("(?<![\\w-])" + name + "\\s*=\\s*[\"']?([A-Za-z0-9_.-]{1,64})");
    }

    /** A name by which masking knows that the value is good for once only. */
    private static String secretly(String name) {
        return ONCE.matcher(name).matches() ? name + "-token" : name;
    }

    private static String lastAssigned(String near) {
        int tag = near.lastIndexOf('<') < 0 ? -1 : near.lastIndexOf('>');
        Matcher matcher = ASSIGNED.matcher(near.substring(1 + Math.max(tag, near.lastIndexOf('\n'))));
        String name = "";
        while (matcher.find()) {
            name = last(matcher.group(1));
        }
        return name;
    }

    /** The tag around it, or what is near. */
    private static String context(String near, String text, int at) {
        String behind = text.substring(at, Math.min(text.length(), at + CONTEXT));
        int close = behind.indexOf('>');
        return near.substring(Math.max(0, near.lastIndexOf('<'))) + (close < 0 ? behind : behind.substring(0, close));
    }

    /** The identifier that a text ends with; "" if it ends with none, or with a number only. */
    static String last(String text) {
        int from = text.length();
        boolean letters = false;
        while (from > 0 && text.length() - from < LONGEST && isOfName(text.charAt(from - 1))) {
            from--;
            letters |= Character.isLetter(text.charAt(from));
        }
        return letters ? text.substring(from) : "";
    }

    private static int backOver(String text, int from) {
        int at = from;
        while (at > 0 && AROUND.indexOf(text.charAt(at - 1)) >= 0) {
            at--;
        }
        return at;
    }

    private static boolean isOfName(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "_-.$".indexOf(c) >= 0;
    }
}
