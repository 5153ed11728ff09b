package dev.understudy.divergence.mask;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Replaces credentials, cookies and password-like values by a placeholder. Immutable. */
public final class Masking {
    /** What is shown instead of a secret. */
    public static final String MASK = "[masked]";

    private static final Pattern SECRET_NAME = Pattern.compile(
            "passw|passphrase|pwd|secret|token|credential|api-?key|private-?key|access-?key|authorization|cookie|session"
                    + "|csrf|xsrf|otp|cvv|cvc|pin$|ssn|iban|card-?number|signature");
    private static final Pattern ASSIGNMENT =
            Pattern.compile("([A-Za-z0-9_.-]{1,64})([\"']?\\s*[=:]\\s*)(\"[^\"]*\"?|'[^']*'?|[^\\s&,;<>\"']+)");
    private static final Pattern CREDENTIALS = Pattern.compile("\\b(Bearer|Basic|Digest)\\s+[A-Za-z0-9._~+/=-]{4,}");
    private static final Pattern SEPARATORS = Pattern.compile("[\\[\\].\"]+");

    private final Set<String> extraNames = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    /** @param extraNames further names of headers, parameters and fields that are secret, in any case */
    public Masking(Set<String> extraNames) {
        this.extraNames.addAll(extraNames);
    }

    /** The verdict with the values of secret places, and secrets within other values, masked. */
    public Verdict mask(Verdict verdict) {
        if (verdict.differences().isEmpty()) {
            return verdict;
        }
        return new Verdict(
                verdict.kind(),
                verdict.reason(),
                verdict.differences().stream().map(this::mask).toList());
    }

    /** The difference with its values masked where they are secret. */
    public Difference mask(Difference difference) {
        if (difference.noise() == Noise.DATE_HEADER) {
            return difference; // two HTTP dates and nothing else
        }
        boolean secret = difference.noise() == Noise.IDENTITY || isSecretPath(difference.path());
        return new Difference(
                difference.path(),
                difference.type(),
                secret ? hidden(difference.production()) : text(difference.production()),
                secret ? hidden(difference.debug()) : text(difference.debug()),
                difference.noise());
    }

    private static @Nullable String hidden(@Nullable String value) {
        return value == null ? null : MASK;
    }

    private @Nullable String text(@Nullable String value) {
        return value == null ? null : within(value);
    }

    private boolean isSecretPath(String path) {
        for (String name : SEPARATORS.split(path, -1)) {
            if (isSecret(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a header, parameter or field of that name holds a secret. */
    public boolean isSecret(String name) {
        if (extraNames.contains(name)) {
            return true;
        }
        StringBuilder words = new StringBuilder(name.length() + 4);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && i > 0 && Character.isLowerCase(name.charAt(i - 1))) {
                words.append('-');
            }
            words.append(c == '_' ? '-' : Character.toLowerCase(c));
        }
        return SECRET_NAME.matcher(words).find();
    }

    /** A text with everything masked that looks like the assignment of a secret or like credentials. */
    public String within(String text) {
        String plain = CREDENTIALS.matcher(text).replaceAll("$1 " + Matcher.quoteReplacement(MASK));
        return ASSIGNMENT.matcher(plain).replaceAll(found -> {
            String shown = isSecret(found.group(1)) ? found.group(1) + found.group(2) + MASK : found.group();
            return Matcher.quoteReplacement(shown);
        });
    }

    /** A request target with the values of secret query and path parameters masked. */
    public String target(String target) {
        int query = target.indexOf('?');
        if (target.indexOf('=') < 0) {
            return target;
        }
        return query < 0
                ? within(target)
                : within(target.substring(0, query)) + '?' + within(target.substring(query + 1));
    }

    /** The value of a header, masked if the name says it's secret. */
    public String header(String name, String value) {
        return isSecret(name) ? MASK : within(value);
    }
}
