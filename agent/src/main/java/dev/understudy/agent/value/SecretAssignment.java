package dev.understudy.agent.value;

/**
 * Where a value ends that stands in a text behind its name: quoted, as a JSON object or array, or as a word. Stateless.
 */
final class SecretAssignment {
    private static final String ENDS = "&,;<>\"'{}";

    private SecretAssignment() {}

    /**
     * The end of the value that begins at {@code at}: {@code at} itself if there is none, the text's end if it is cut
     * off.
     */
    static int end(String text, int at) {
        int begin = at;
        while (begin < text.length() && text.charAt(begin) == '\\') {
            begin++;
        }
        char first = begin < text.length() ? text.charAt(begin) : ' ';
        if (first == '"' || first == '\'') {
            return begin == at ? endOfQuoted(text, at) : endOfEscaped(text, at, text.substring(at, begin + 1));
        }
        if (begin == at && (first == '{' || first == '[')) {
            return endOfStructure(text, at);
        }
        int end = at;
        while (end < text.length() && !endsWord(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean endsWord(char c) {
        return Character.isWhitespace(c) || ENDS.indexOf(c) >= 0;
    }

    /** Within what is itself quoted. */
    private static int endOfEscaped(String text, int at, String quote) {
        int end = text.indexOf(quote, at + quote.length());
        return end < 0 ? text.length() : end + quote.length();
    }

    private static int endOfQuoted(String text, int at) {
        char quote = text.charAt(at);
        for (int i = at + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == quote) {
                boolean doubled = quote == '\'' && i + 1 < text.length() && text.charAt(i + 1) == quote;
                if (!doubled) {
                    return i + 1;
                }
                i++;
            }
        }
        return text.length();
    }

    private static int endOfStructure(String text, int at) {
        int open = 0;
        for (int i = at; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                i = endOfQuoted(text, i) - 1;
            } else if (c == '{' || c == '[') {
                open++;
            } else if ((c == '}' || c == ']') && --open == 0) {
                return i + 1;
            }
        }
        return text.length();
    }
}
