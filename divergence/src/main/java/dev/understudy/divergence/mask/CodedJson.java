package dev.understudy.divergence.mask;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds JSON in Base64 (RFC 4648, both alphabets, maybe cut off) that holds a secret. Stateless. */
final class CodedJson {
    /** Of an object or array that begins with a name, a text or another one. */
    private static final Pattern CODED =
            Pattern.compile("(?<![A-Za-z0-9+/_-])(?:ey[A-Za-z0-9]|W[yw3])[A-Za-z0-9+/_-]{9,}={0,2}");

    private static final int GROUP = 4;

    private CodedJson() {}

    static void find(String text, Predicate<String> holdsSecret, SecretSpans secrets) {
        if (text.contains("ey") || text.indexOf('W') >= 0) {
            CODED.matcher(text)
                    .results()
                    .filter(found -> holdsSecret.test(decoded(found)))
                    .forEach(found -> secrets.add(found.start(), found.end()));
        }
    }

    private static String decoded(MatchResult found) {
        String coded = found.group().replace("=", "").replace('-', '+').replace('_', '/');
        int whole = coded.length() % GROUP == 1 ? coded.length() - 1 : coded.length();
        byte[] bytes = Base64.getDecoder().decode(coded.substring(0, whole));
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
