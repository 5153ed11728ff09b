package dev.understudy.divergence.mask;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces credentials, cookies and password-like values by a placeholder. Immutable. */
public final class Masking {
    /** What is shown instead of a secret. */
    public static final String MASK = "[masked]";

    private static final Pattern SECRET_NAME =
            Pattern.compile("passw|passphrase|pwd|secret|token|credential|api-?key|private-?key"
                    + "|access-?key|authorization|cookie|session"
                    + "|csrf|xsrf|otp|cvv|cvc|pin$|ssn|iban|card-?number|signature");
    private static final Pattern NAMED = Pattern.compile("([\\p{L}\\p{N}_.%\\[\\]-]{1,64})(?:\\\\*[\"'])?\\s*[=:]\\s*");
    /** What names the value behind it: {@code name="password" type="text" value=}. */
    private static final Pattern NAMED_BEFORE = Pattern.compile("\\b(?:name|key)\\\\*[\"']?\\s*[=:]\\s*\\\\*[\"']?"
            + "([\\p{L}\\p{N}_.-]{1,64})\\\\*[\"']?[\\s,][^<>{}]{0,100}?\\b(?:value|content)\\\\*[\"']?\\s*[=:]\\s*");
    /** What carries a secret in a URL's query, though the name says nothing elsewhere. */
    private static final Pattern SECRET_PARAMETER =
            Pattern.compile("code|otp|ticket|sig|jwt|auth|assertion|saml(request|response)|magic|invite");

    /** How often a text may have been encoded. */
    private static final int MOST_ENCODED = 2;

    private static final Pattern NUMBER = Pattern.compile("(?<![\\p{L}\\p{N}_$])\\.?\\d[\\p{L}\\p{N}.]*");
    private static final String VALUES = " [";
    private static final String VALUES_END = "] in ";

    /** What is secret without anybody's rules. */
    public static final Masking PLAIN = new Masking(SecretRules.NONE);

    private final FieldNames names;
    private final List<com.google.re2j.Pattern> values;

    /** @param names of what is secret, too */
    public Masking(Set<String> names) {
        this(new SecretRules(names, List.of()));
    }

    /** @param rules what is secret, too */
    public Masking(SecretRules rules) {
        this.names = new FieldNames(rules.names());
        this.values = rules.values();
    }

    /** The verdict with the values of secret places, and secrets within other values, masked. */
    public Verdict mask(Verdict verdict) {
        if (verdict.differences().isEmpty()) {
            return verdict;
        }
        DifferenceMask mask = new DifferenceMask(this);
        return new Verdict(
                verdict.kind(),
                verdict.reason(),
                verdict.differences().stream().map(mask::of).toList());
    }

    /** Whether somebody has chosen that name to be secret. */
    boolean isChosen(String name) {
        return names.isIn(name);
    }

    /** The difference with its values masked where they are secret. */
    public Difference mask(Difference difference) {
        return new DifferenceMask(this).of(difference);
    }

    /** Whether a header, parameter or field of that name holds a secret. */
    public boolean isSecret(String name) {
        if (names.isIn(name)) {
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
        SecretSpans secrets = secrets(text);
        return secrets.isEmpty() ? text : secrets.masked(0, text.length());
    }

    /** Where a text holds what looks like the assignment of a secret or like credentials, be it encoded. */
    SecretSpans secrets(String text) {
        return secrets(text, MOST_ENCODED);
    }

    private SecretSpans secrets(String text, int encoded) {
        SecretSpans secrets = new SecretSpans(text);
        SecretForms.find(text, secrets);
        chosen(text, secrets);
        assigned(text, secrets);
        for (DecodedText decoded : encoded == 0 ? List.<DecodedText>of() : DecodedText.of(text)) {
            secrets(decoded.text(), encoded - 1)
                    .forEach((from, to) -> secrets.add(decoded.start(from), decoded.start(to)));
        }
        if (encoded > 0) {
            CodedJson.find(text, json -> !secrets(json, encoded - 1).isEmpty(), secrets);
        }
        return secrets;
    }

    private void chosen(String text, SecretSpans secrets) {
        for (com.google.re2j.Pattern value : values) {
            com.google.re2j.Matcher found = value.matcher(text);
            while (found.find()) {
                secrets.add(found.start(), found.end());
            }
        }
    }

    private void assigned(String text, SecretSpans secrets) {
        Matcher named = NAMED.matcher(text);
        boolean assigns = text.indexOf('=') >= 0 || text.indexOf(':') >= 0;
        if (assigns && (text.contains("value") || text.contains("content"))) {
            NAMED_BEFORE
                    .matcher(text)
                    .results()
                    .filter(found -> isSecret(found.group(1)))
                    .forEach(found -> secrets.add(found.end(), AssignedValue.end(text, found.end())));
        }
        for (int from = 0; assigns && from < text.length() && named.find(from); ) {
            from = named.end();
            boolean secret = isSecret(decoded(named.group(1)));
            if (secret || isForOnce(text, named)) {
                int end = AssignedValue.end(text, from);
                if (end > from && (secret || SecretForms.isRandom(text.substring(from, end)))) {
                    secrets.add(from, end);
                    from = end;
                }
            }
        }
    }

    /** A code may be a coupon's, too: only what looks made up by chance is good for once. */
    private static boolean isForOnce(String text, Matcher named) {
        int before = named.start() - 1;
        return before >= 0
                && (text.charAt(before) == '?' || text.charAt(before) == '&')
                && SECRET_PARAMETER
                        .matcher(named.group(1).toLowerCase(Locale.ROOT))
                        .matches();
    }

    /** A name as it was before it was put into a URL. */
    private static String decoded(String name) {
        if (name.indexOf('%') < 0) {
            return name;
        }
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return name;
        }
    }

    /**
     * An SQL statement without what its string literals hold, and maybe with its bound values behind it: of one that
     * names a chosen field neither numbers nor bound values are shown, as nobody here knows which of them belong to it.
     */
    public String statement(String sql) {
        if (!names.isIn(sql)) {
            return within(sql);
        }
        int values = sql.indexOf(VALUES);
        int end = sql.lastIndexOf(VALUES_END);
        String stated = values < 0 ? sql : sql.substring(0, values);
        String shown = NUMBER.matcher(within(stated)).replaceAll(Matcher.quoteReplacement(MASK));
        return values < 0 ? shown : shown + ' ' + MASK + (end < values ? "" : sql.substring(end + 1));
    }

    /** A Redis command, of which neither chosen values are shown nor anything behind the name of a chosen field. */
    public String command(String words) {
        int end = names.endIn(words);
        String shown = end < 0 || end == words.length() ? words : words.substring(0, end) + " " + MASK;
        SecretSpans secrets = new SecretSpans(shown);
        chosen(shown, secrets);
        return secrets.masked(0, shown.length());
    }

    /** A request target with one-time links and the values of secret query and path parameters masked. */
    public String target(String target) {
        int query = target.indexOf('?');
        return query < 0 ? within(target) : within(target.substring(0, query)) + within(target.substring(query));
    }

    /** The value of a header, masked if the name says it's secret. */
    public String header(String name, String value) {
        return isSecret(name) ? MASK : within(value);
    }
}
