package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.content.JsonScanner;
import dev.understudy.divergence.content.JsonScanner.Token;
import dev.understudy.divergence.content.JsonText;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * In which way JSON within a text is written, whatever its values are: the alphabet and padding of Base64, the
 * characters that are percent-encoded, and in the JSON blanks and the order of members. Stateless.
 */
final class JsonCoding {
    private static final List<Base64.Encoder> ENCODERS = List.of(
            Base64.getEncoder(),
            Base64.getUrlEncoder(),
            Base64.getEncoder().withoutPadding(),
            Base64.getUrlEncoder().withoutPadding());

    private JsonCoding() {}

    static boolean isSame(EmbeddedJson.Form form, String ours, String theirs) {
        byte[] mine = EmbeddedJson.utf8(form, ours);
        byte[] its = EmbeddedJson.utf8(form, theirs);
        if (mine == null || its == null) {
            return false;
        }
        boolean coded = switch (form) {
            case PLAIN -> true;
            case BASE64 -> isSameBase64(ours, mine, theirs, its);
            case PERCENT -> isSameEncoding(ours, theirs);
        };
        return coded && isSameJson(mine, its);
    }

    private static boolean isSameBase64(String ours, byte[] mine, String theirs, byte[] its) {
        return ENCODERS.stream()
                .anyMatch(encoder -> encoder.encodeToString(mine).equals(ours)
                        && encoder.encodeToString(its).equals(theirs));
    }

    private static boolean isSameEncoding(String ours, String theirs) {
        Set<String> encoded = new HashSet<>();
        Set<String> plain = new HashSet<>();
        read(ours, encoded, plain);
        read(theirs, encoded, plain);
        return encoded.stream().noneMatch(code -> plain.contains(decoded(code)) || encoded.contains(inOtherCase(code)));
    }

    private static void read(String text, Set<String> encoded, Set<String> plain) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '%' && i + 2 < text.length()) {
                encoded.add(text.substring(i + 1, i + 3));
                i += 2;
            } else {
                plain.add(text.charAt(i) == '+' ? " " : text.substring(i, i + 1));
            }
        }
    }

    private static String decoded(String code) {
        return String.valueOf((char) Integer.parseInt(code, 16));
    }

    /** Of a code with a letter the one that means the same; else none. */
    private static String inOtherCase(String code) {
        StringBuilder other = new StringBuilder();
        for (int i = 0; i < code.length(); i++) {
            char c = code.charAt(i);
            other.append(Character.isLowerCase(c) ? Character.toUpperCase(c) : Character.toLowerCase(c));
        }
        return other.toString().equals(code) ? "" : other.toString();
    }

    /** But for values that differ in meaning, too. */
    private static boolean isSameJson(byte[] ours, byte[] theirs) {
        JsonScanner mine = new JsonScanner(ours);
        JsonScanner its = new JsonScanner(theirs);
        int end = 0;
        int other = 0;
        while (true) {
            Token token = mine.next();
            if (token != its.next() || token == Token.WRONG) {
                return false;
            }
            if (!Arrays.equals(ours, end, mine.start(), theirs, other, its.start())) {
                return false;
            }
            if (token == Token.END) {
                return true;
            }
            end = mine.end();
            other = its.end();
            boolean equal = Arrays.equals(ours, mine.start(), end, theirs, its.start(), other);
            if (!equal && (token == Token.NAME || meansTheSame(ours, mine, theirs, its))) {
                return false;
            }
        }
    }

    private static boolean meansTheSame(byte[] ours, JsonScanner mine, byte[] theirs, JsonScanner its) {
        return value(ours, mine).equals(value(theirs, its));
    }

    private static Object value(byte[] text, JsonScanner at) {
        @Nullable Object value = JsonText.parse(Arrays.copyOfRange(text, at.start(), at.end()));
        return value == null ? at : value;
    }
}
