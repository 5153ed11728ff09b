package dev.understudy.agent.value;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What isn't shown of values: those with a name such as password or token, and what looks like credentials. Stateless. */
public final class Secrets {
    /** What is shown in the place of a secret; the sidecar shows the same. */
    public static final String MASK = "[masked]";

    private static final Pattern NAME = Pattern.compile(
            "passw|passphrase|pwd|secret|token|credential|api-?key|private-?key|access-?key|authorization|cookie|session"
                    + "|csrf|xsrf|otp|cvv|cvc|pin$|ssn|iban|card-?number|signature");
    private static final Pattern ASSIGNED =
            Pattern.compile("([A-Za-z0-9_.-]{1,64})([\"']?\\s*[=:]\\s*)(\"[^\"]*\"?|'[^']*'?|[^\\s&,;<>\"'{}]+)");
    private static final Pattern CREDENTIALS = Pattern.compile("\\b(Bearer|Basic|Digest)\\s+[A-Za-z0-9._~+/=-]{4,}");

    private Secrets() {}

    /** Whether a field, variable or key of that name holds a secret. */
    public static boolean isSecret(String name) {
        StringBuilder words = new StringBuilder(name.length() + 4);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && i > 0 && Character.isLowerCase(name.charAt(i - 1))) {
                words.append('-');
            }
            words.append(c == '_' ? '-' : Character.toLowerCase(c));
        }
        return NAME.matcher(words).find();
    }

    /** A text with everything masked that looks like the assignment of a secret, or like credentials. */
    public static String within(String text) {
        String plain = CREDENTIALS.matcher(text).replaceAll("$1 " + Matcher.quoteReplacement(MASK));
        return ASSIGNED.matcher(plain).replaceAll(found -> {
            String shown = isSecret(found.group(1)) ? found.group(1) + found.group(2) + MASK : found.group();
            return Matcher.quoteReplacement(shown);
        });
    }
}
