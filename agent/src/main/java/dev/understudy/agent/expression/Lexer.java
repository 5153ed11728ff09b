package dev.understudy.agent.expression;

/** Cuts a text into words, from a place on. Confined to one parsing. */
final class Lexer {
    private static final String[] SYMBOLS = {
        "&&", "||", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "!", ".", "(", ")", "[", "]", "{", "}",
        ","
    };

    private final String text;
    private int at;

    Lexer(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /** The next word; the end again and again when there is none. */
    Token next() throws ExpressionProblem {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == text.length()) {
            return new Token(Token.Kind.END, "", at);
        }
        char c = text.charAt(at);
        if (Character.isJavaIdentifierStart(c)) {
            return word(Token.Kind.NAME, nameEnd(at));
        }
        if (c >= '0' && c <= '9') {
            return word(Token.Kind.NUMBER, numberEnd(at));
        }
        if (c == '"' || c == '\'') {
            return quoted(c);
        }
        for (String symbol : SYMBOLS) {
            if (text.startsWith(symbol, at)) {
                return word(Token.Kind.SYMBOL, at + symbol.length());
            }
        }
        throw new ExpressionProblem(at, "'" + c + "' means nothing here");
    }

    private Token word(Token.Kind kind, int end) {
        Token token = new Token(kind, text.substring(at, end), at);
        at = end;
        return token;
    }

    private int nameEnd(int from) {
        int end = from;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private int numberEnd(int from) {
        int end = digitsEnd(from);
        if (end + 1 < text.length() && text.charAt(end) == '.' && isDigit(text.charAt(end + 1))) {
            end = digitsEnd(end + 1);
        }
        return end;
    }

    private int digitsEnd(int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private Token quoted(char quote) throws ExpressionProblem {
        int begin = at;
        StringBuilder content = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == quote) {
                at++;
                return new Token(Token.Kind.TEXT, content.toString(), begin);
            }
            // a backslash keeps its meaning in patterns: only quotes and backslashes are escaped by it
            boolean escaped = c == '\\' && at + 1 < text.length() && "\\\"'".indexOf(text.charAt(at + 1)) >= 0;
            content.append(escaped ? text.charAt(++at) : c);
        }
        throw new ExpressionProblem(begin, "the text has no end (expected: " + quote + ")");
    }
}
