package dev.understudy.aggregator.http.form;

import org.jspecify.annotations.Nullable;

/**
 * A GraphQL document by its tokens (GraphQL, October 2021, section 2.1): blanks, line ends, commas and comments between
 * them mean nothing. The order of fields does, and so does every character of a string.
 */
final class GraphQlText {
    private static final String IGNORED = " \t\r\n,\uFEFF";
    private static final String PUNCTUATORS = "!$&()=:@[]{|}";
    private static final String BLOCK = "\"\"\"";

    private final String text;
    private final StringBuilder tokens;
    private int at;

    private GraphQlText(String text) {
        this.text = text;
        this.tokens = new StringBuilder(2 * text.length());
    }

    /** Its tokens, each after its length, so that no two lists have the same text; null if it has anything else. */
    static @Nullable String tokens(String document) {
        GraphQlText graphQl = new GraphQlText(document);
        return graphQl.read() ? graphQl.tokens.toString() : null;
    }

    private boolean read() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (IGNORED.indexOf(c) >= 0) {
                at++;
            } else if (c == '#') {
                comment();
            } else {
                int end = end(c);
                if (end < 0) {
                    return false;
                }
                tokens.append(end - at).append(':').append(text, at, end);
                at = end;
            }
        }
        return tokens.length() > 0;
    }

    private void comment() {
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
    }

    /** Where the token ends that begins with this; -1 if none does. */
    private int end(char first) {
        if (PUNCTUATORS.indexOf(first) >= 0) {
            return at + 1;
        }
        if (text.startsWith("...", at)) {
            return at + 3;
        }
        if (text.startsWith(BLOCK, at)) {
            return block();
        }
        if (first == '"') {
            return string();
        }
        return isWord(first) || first == '-' ? word() : -1;
    }

    /** A name or a number; what a number might be is left to who reads it. */
    private int word() {
        int end = at + 1;
        while (end < text.length() && isPartOfWord(end)) {
            end++;
        }
        return end;
    }

    private boolean isPartOfWord(int place) {
        char c = text.charAt(place);
        boolean number = text.charAt(at) == '-' || Character.isDigit(text.charAt(at));
        return isWord(c) || (number && (c == '.' || c == '+' || c == '-'));
    }

    private static boolean isWord(char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private int string() {
        for (int end = at + 1; end < text.length(); end++) {
            char c = text.charAt(end);
            if (c == '"') {
                return end + 1;
            }
            if (c == '\n' || c == '\r') {
                return -1;
            }
            end += c == '\\' ? 1 : 0;
        }
        return -1;
    }

    private int block() {
        int end = text.indexOf(BLOCK, at + BLOCK.length());
        while (end >= 0 && text.charAt(end - 1) == '\\') {
            end = text.indexOf(BLOCK, end + BLOCK.length());
        }
        return end < 0 ? -1 : end + BLOCK.length();
    }
}
