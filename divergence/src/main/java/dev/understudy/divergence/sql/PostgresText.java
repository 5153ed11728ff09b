package dev.understudy.divergence.sql;

import java.util.List;
import java.util.Set;

/** Where strings, comments and statements end in PostgreSQL's text (PostgreSQL manual, "Lexical Structure"). */
public final class PostgresText extends SqlTokens {
    private final String text;

    public PostgresText(String text) {
        super(text);
        this.text = text;
    }

    /** The statements in a text that aren't empty, without the semicolons and the blanks around them. */
    public static List<String> statements(String text) {
        return new PostgresText(text).statements();
    }

    /** The first words and symbols in upper case, without comments; a string stands as {@code '}. */
    public static List<String> firstWords(String text, int most) {
        return new PostgresText(text).firstWords(most);
    }

    /** The verb and the first table, as far as these words introduce it, e.g. {@code SELECT ORDERS}. */
    public static String family(String text, Set<String> beforeTable) {
        return new PostgresText(text).family(beforeTable, 60);
    }

    /**
     * The name that a statement ends with, a semicolon aside, as the server reads it: in small letters unless it stands
     * in quotes; "" if it ends with none.
     */
    public static String lastName(String text) {
        return new PostgresText(text).lastName();
    }

    /** Whether the order of the statement's rows means something: true unless it is known not to. */
    public static boolean asksForOrder(String statement) {
        return new PostgresText(statement).asksForOrder();
    }

    /** The text in one line for people: blanks and comments folded, what string literals hold left out. */
    public static String display(String text, int most) {
        return new PostgresText(text).display(most);
    }

    /** The stretches of text that are comments in stars, outermost ones only. */
    public static List<Range> comments(String text) {
        return new PostgresText(text).comments();
    }

    private String lastName() {
        String name = "";
        for (Token token = next(); token != Token.END && token != Token.SEMICOLON; token = next()) {
            name = token == Token.WORD ? small(word()) : token == Token.QUOTED ? unquoted(word()) : "";
        }
        return name;
    }

    /** Letters beyond ASCII stay as they are in encodings of several bytes. */
    private static String small(String word) {
        char[] letters = word.toCharArray();
        for (int i = 0; i < letters.length; i++) {
            letters[i] = letters[i] <= 'Z' ? Character.toLowerCase(letters[i]) : letters[i];
        }
        return new String(letters);
    }

    private static String unquoted(String quoted) {
        boolean closed = quoted.chars().filter(c -> c == '"').count() % 2 == 0;
        return !closed ? "" : quoted.substring(1, quoted.length() - 1).replace("\"\"", "\"");
    }

    @Override
    protected int read(int from) {
        char c = text.charAt(from);
        if (c == '\'') {
            return found(Token.LITERAL, quoted(from, false));
        }
        if (c == '"') {
            return found(Token.QUOTED, quoted(from, false));
        }
        int dollars = c == '$' ? dollarQuoted(from) : from;
        if (dollars > from) {
            return found(Token.LITERAL, dollars);
        }
        if (Character.isLetter(c) || c == '_') {
            return word(from);
        }
        return found(c == ';' ? Token.SEMICOLON : Token.OTHER, from + 1);
    }

    private int word(int from) {
        int end = from;
        while (end < text.length() && inWord(text.charAt(end))) {
            end++;
        }
        char prefix = text.charAt(from);
        boolean escaping = end - from == 1 && (prefix == 'e' || prefix == 'E') && text.startsWith("'", end);
        return escaping ? found(Token.LITERAL, quoted(end, true)) : found(Token.WORD, end);
    }

    private static boolean inWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }

    /** Where {@code $tag$ … $tag$} ends; {@code from} for a {@code $1}, which is no such thing. */
    private int dollarQuoted(int from) {
        int end = from + 1;
        while (end < text.length() && inWord(text.charAt(end)) && text.charAt(end) != '$') {
            end++;
        }
        boolean tag = end < text.length() && text.charAt(end) == '$' && !Character.isDigit(text.charAt(from + 1));
        if (!tag) {
            return from;
        }
        String delimiter = text.substring(from, end + 1);
        int closing = text.indexOf(delimiter, end + 1);
        return closing < 0 ? text.length() : closing + delimiter.length();
    }

    @Override
    protected int pass(int from) {
        if (from >= text.length()) {
            return from;
        }
        if (Character.isWhitespace(text.charAt(from))) {
            return from + 1;
        }
        if (text.startsWith("--", from)) {
            return line(from);
        }
        return text.startsWith("/*", from) ? comment(from) : from;
    }

    /** Such comments nest. */
    private int comment(int from) {
        int depth = 0;
        int at = from;
        while (at < text.length()) {
            if (text.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (text.startsWith("*/", at)) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return at;
                }
            } else {
                at++;
            }
        }
        return at;
    }
}
