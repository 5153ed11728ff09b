package dev.understudy.divergence.content;

import java.nio.charset.StandardCharsets;

/**
 * Finds where the tokens of one JSON text (RFC 8259) in UTF-8 begin and end, and makes nothing of them. It takes no
 * text that {@link JsonText} doesn't take but for malformed UTF-8 and a name that stands twice in an object, and leaves
 * some alone that are rare: those with a name that is spelled with escapes, or with very long tokens. Confined to one
 * thread.
 */
public final class JsonScanner {
    private static final int LONGEST = 10_000;
    private static final String[] LITERALS = {"true", "false", "null"};

    /** What a token is. */
    public enum Token {
        BEGIN_OBJECT,
        END_OBJECT,
        BEGIN_ARRAY,
        END_ARRAY,
        NAME,
        TEXT,
        NUMBER,
        LITERAL,
        /** Nothing follows but blanks. */
        END,
        /** It isn't a JSON text, or one that is left alone; nothing follows. */
        WRONG
    }

    private enum Next {
        VALUE,
        FIRST_ITEM,
        FIRST_NAME,
        NAME,
        COLON,
        SEPARATOR,
        NOTHING
    }

    private final byte[] text;
    private final boolean[] objects = new boolean[JsonText.MAX_DEPTH + 1];
    private int depth;
    private Next next = Next.VALUE;
    private int at;
    private int start;
    private boolean escaped;

    /** Before the first token. */
    public JsonScanner(byte[] text) {
        this.text = text;
    }

    /** Where the token begins; of a string that is its quote. */
    public int start() {
        return start;
    }

    /** Where it ends: one beyond its last byte. */
    public int end() {
        return at;
    }

    /** Whether a string is spelled with escapes. */
    public boolean escaped() {
        return escaped;
    }

    /** In how many objects and arrays the next token is. */
    public int depth() {
        return depth;
    }

    /** A string without escapes, as it is meant. */
    public String string() {
        return new String(text, start + 1, at - start - 2, StandardCharsets.UTF_8);
    }

    /** The token, as it is spelled. */
    public String spelled() {
        return new String(text, start, at - start, StandardCharsets.UTF_8);
    }

    /**
     * Goes to a place at which a value begins, and over it, if it is a string or a number; else it is
     * {@link Token#WRONG}.
     */
    public Token scalarAt(int place) {
        at = place;
        start = place;
        escaped = false;
        if (place >= text.length) {
            return Token.WRONG;
        }
        if (text[place] == '"') {
            return string(Token.TEXT);
        }
        return number();
    }

    /** The next token. */
    public Token next() {
        Token token = token();
        if (token == Token.WRONG) {
            next = Next.NOTHING;
            at = text.length;
        }
        return token;
    }

    private Token token() {
        skipBlanks();
        if (next == Next.COLON || (next == Next.SEPARATOR && at < text.length && text[at] == ',')) {
            if (at == text.length || text[at] != (next == Next.COLON ? ':' : ',')) {
                return Token.WRONG;
            }
            at++;
            next = next == Next.COLON || !objects[depth] ? Next.VALUE : Next.NAME;
            skipBlanks();
        }
        start = at;
        escaped = false;
        if (at == text.length) {
            return next == Next.NOTHING ? Token.END : Token.WRONG;
        }
        byte first = text[at];
        boolean ends = next == Next.SEPARATOR || next == Next.FIRST_ITEM || next == Next.FIRST_NAME;
        if (ends && depth > 0 && first == (objects[depth] ? '}' : ']')) {
            at++;
            boolean object = objects[depth--];
            next = depth == 0 ? Next.NOTHING : Next.SEPARATOR;
            return object ? Token.END_OBJECT : Token.END_ARRAY;
        }
        return switch (next) {
            case NOTHING, SEPARATOR, COLON -> Token.WRONG;
            case NAME, FIRST_NAME -> name(first);
            case VALUE, FIRST_ITEM -> value(first);
        };
    }

    private Token name(byte first) {
        Token token = first == '"' ? string(Token.NAME) : Token.WRONG;
        next = Next.COLON;
        return escaped || at - start > LONGEST ? Token.WRONG : token;
    }

    private Token value(byte first) {
        if (first == '{' || first == '[') {
            if (depth == JsonText.MAX_DEPTH) {
                return Token.WRONG;
            }
            at++;
            objects[++depth] = first == '{';
            next = first == '{' ? Next.FIRST_NAME : Next.FIRST_ITEM;
            return first == '{' ? Token.BEGIN_OBJECT : Token.BEGIN_ARRAY;
        }
        next = depth == 0 ? Next.NOTHING : Next.SEPARATOR;
        if (first == '"') {
            return string(Token.TEXT);
        }
        return first == '-' || isDigit(first) ? number() : literal();
    }

    private Token string(Token token) {
        for (at++; at < text.length; at++) {
            byte b = text[at];
            if (b == '"') {
                at++;
                return token;
            }
            if (b >= 0 && b < ' ') {
                return Token.WRONG;
            }
            if (b == '\\' && !escape()) {
                return Token.WRONG;
            }
        }
        return Token.WRONG;
    }

    /** Ends on its last byte. */
    private boolean escape() {
        escaped = true;
        at++;
        if (at == text.length) {
            return false;
        }
        if (text[at] != 'u') {
            return "\"\\/bfnrt".indexOf(text[at]) >= 0;
        }
        for (int i = 0; i < 4; i++) {
            at++;
            if (at == text.length || Character.digit(text[at], 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private Token number() {
        at += text[at] == '-' ? 1 : 0;
        int whole = at;
        boolean good = digits() && (text[whole] != '0' || at == whole + 1);
        if (good && at < text.length && text[at] == '.') {
            at++;
            good = digits();
        }
        if (good && at < text.length && (text[at] == 'e' || text[at] == 'E')) {
            at++;
            at += at < text.length && (text[at] == '+' || text[at] == '-') ? 1 : 0;
            good = digits();
        }
        return good && at - start <= LONGEST ? Token.NUMBER : Token.WRONG;
    }

    private boolean digits() {
        int from = at;
        while (at < text.length && isDigit(text[at])) {
            at++;
        }
        return at > from;
    }

    private Token literal() {
        for (String literal : LITERALS) {
            int length = literal.length();
            boolean is = at + length <= text.length;
            for (int i = 0; i < length && is; i++) {
                is = text[at + i] == literal.charAt(i);
            }
            if (is) {
                at += length;
                return Token.LITERAL;
            }
        }
        return Token.WRONG;
    }

    private void skipBlanks() {
        while (at < text.length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
            at++;
        }
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
