package dev.understudy.divergence.mask;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Finds secrets by their own form, whatever they are called: credentials of HTTP, keys of cloud services and code
 * hosts, signed tokens, private keys in PEM, passwords in URLs and one-time links. Stateless; time grows with the
 * text's length.
 */
final class SecretForms {
    private static final Pattern CREDENTIALS = Pattern.compile("\\b(?:Bearer|Basic|Digest)\\s+([A-Za-z0-9._~+/=-]{4,})"
            + "|\\b(?i:Bearer|Basic|Digest)\\s+([A-Za-z0-9._~+/=-]{8,})");

    /** AWS, Google, GitHub, GitLab, Slack, Stripe, SendGrid, npm; signed JSON (RFC 7519). */
    private static final Pattern KEYS = Pattern.compile("\\b(?:(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}"
            + "|AIza[0-9A-Za-z_-]{35}"
            + "|gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}|glpat-[A-Za-z0-9_-]{20,255}"
            + "|xox[abeprs]-[A-Za-z0-9-]{10,255}"
            + "|[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}"
            + "|SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}"
            + "|npm_[A-Za-z0-9]{36}"
            + "|eyJ[A-Za-z0-9_-]{8,512}\\.eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?"
            + "|eyJ[A-Za-z0-9_-]{8,512}(?:\\.[A-Za-z0-9_-]*){4})");

    /** What one of {@link #KEYS} has in it: looking for these first costs a fraction. */
    private static final List<String> KEY_MARKS = List.of(
            "AKIA", "ASIA", "AROA", "AIDA", "AIza", "gh", "glpat-", "xox", "k_live_", "k_test_", "SG.", "npm_", "eyJ");

    private static final Pattern URL_PASSWORD = Pattern.compile("://[^/\\s:@\"'<>]{0,256}:([^/\\s@\"'<>]{1,256})(?=@)");

    /** A segment of a path that names what a link is good for once, and the next one. */
    private static final Pattern ONE_TIME_LINK = Pattern.compile(
            "/(?:[a-z]+[-_])?(?:reset|verify|verification|confirm|confirmation"
                    + "|activate|activation|invite|invitation|magic"
                    + "|recover|recovery|unlock|otp|token|one-time)(?:[-_][a-z]+)?/([A-Za-z0-9._~%=-]{8,})",
            Pattern.CASE_INSENSITIVE);

    private static final int SHORTEST = 8;
    private static final int LONGER_THAN_WORDS = 24;
    private static final String PEM_BEGIN = "-----BEGIN ";
    private static final String PEM_KEY = "PRIVATE KEY-----";
    private static final String PEM_END = "-----END ";

    private SecretForms() {}

    /** Adds where such secrets stand in a text. */
    static void find(String text, SecretSpans spans) {
        privateKeys(text, spans);
        if (text.chars().anyMatch(Character::isWhitespace)) {
            CREDENTIALS.matcher(text).results().forEach(found -> spans.add(group(found), found.end()));
        }
        if (KEY_MARKS.stream().anyMatch(text::contains)) {
            KEYS.matcher(text).results().forEach(found -> spans.add(found.start(), found.end()));
        }
        if (text.contains("://")) {
            URL_PASSWORD.matcher(text).results().forEach(found -> spans.add(found.start(1), found.end(1)));
        }
        if (text.indexOf('/') >= 0) {
            ONE_TIME_LINK
                    .matcher(text)
                    .results()
                    .filter(found -> isRandom(found.group(1)))
                    .forEach(found -> spans.add(found.start(1), found.end(1)));
        }
        CardNumbers.find(text, spans);
    }

    private static int group(MatchResult found) {
        return Math.max(found.start(1), found.start(2));
    }

    /** Words of a route have no digits among their letters, and numbers no letters. */
    static boolean isRandom(String segment) {
        if (segment.length() < SHORTEST) {
            return false;
        }
        boolean mixed =
                segment.chars().anyMatch(Character::isDigit) && segment.chars().anyMatch(Character::isLetter);
        return mixed || segment.length() >= LONGER_THAN_WORDS;
    }

    /** To its end, or the text's, if that comes first. */
    private static void privateKeys(String text, SecretSpans spans) {
        int begin = text.indexOf(PEM_BEGIN);
        while (begin >= 0) {
            int label = text.indexOf("-----", begin + PEM_BEGIN.length());
            int body = label < 0 ? text.length() : label + 5;
            int end = text.indexOf(PEM_END, body);
            end = end < 0 ? text.length() : end;
            if (text.startsWith(PEM_KEY, body - PEM_KEY.length())) {
                spans.add(body, end);
            }
            begin = text.indexOf(PEM_BEGIN, end);
        }
    }
}
