package dev.understudy.aggregator.postgres.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Walks over SQL text token by token, as far as needed to know where strings, comments and statements end (PostgreSQL
 * manual, "Lexical Structure"). Linear in the text; takes anything.
 */
public final class SqlText {
    private final String text;
    private int at;
    private int start;
    private Consumer<Range> found = comment -> {};

    private SqlText(String text) {
        this.text = text;
    }

    private enum Token {
        WORD,
        QUOTED,
        LITERAL,
        SEMICOLON,
        OTHER,
        END
    }

    /** The statements in a text that aren't empty, without the semicolons and the blanks around them. */
    public static List<String> statements(String text) {
        List<String> statements = new ArrayList<>();
        SqlText sql = new SqlText(text);
        int begin = 0;
        boolean empty = true;
        while (true) {
            Token token = sql.next();
            if (token == Token.SEMICOLON || token == Token.END) {
                if (!empty) {
                    statements.add(text.substring(begin, sql.start).strip());
                }
                if (token == Token.END) {
                    return statements;
                }
                begin = sql.at;
                empty = true;
            } else {
                empty = false;
            }
        }
    }

    /** The first words and symbols in upper case, without comments; a string stands as {@code '}. */
    public static List<String> firstWords(String text, int most) {
        List<String> words = new ArrayList<>();
        SqlText sql = new SqlText(text);
        while (words.size() < most) {
            Token token = sql.next();
            if (token == Token.END) {
                break;
            }
            String word = text.substring(sql.start, sql.at);
            words.add(token == Token.LITERAL ? "'" : token == Token.WORD ? word.toUpperCase(Locale.ROOT) : word);
        }
        return words;
    }

    /** The text in one line for people: blanks and comments folded, what string literals hold left out. */
    public static String display(String text, int most) {
        StringBuilder line = new StringBuilder();
        SqlText sql = new SqlText(text);
        int end = 0;
        for (Token token = sql.next(); token != Token.END && line.length() < most; token = sql.next()) {
            if (sql.start > end && !line.isEmpty()) {
                line.append(' ');
            }
            line.append(token == Token.LITERAL ? "'…'" : text.substring(sql.start, sql.at));
            end = sql.at;
        }
        return line.length() <= most ? line.toString() : line.substring(0, most - 1) + '…';
    }

    /** The stretches of text that are comments in stars, outermost ones only. */
    static List<Range> comments(String text) {
        List<Range> comments = new ArrayList<>();
        SqlText sql = new SqlText(text);
        sql.found = comments::add;
        while (sql.next() != Token.END) {
            // what it passes over is what counts
        }
        return comments;
    }

    /** From the first character up to, and without, the last. */
    record Range(int from, int to) {}

    private Token next() {
        skipBlanksAndComments();
        start = at;
        if (at >= text.length()) {
            return Token.END;
        }
        char c = text.charAt(at);
        if (c == '\'') {
            return quoted(at, '\'', false, Token.LITERAL);
        }
        if (c == '"') {
            return quoted(at, '"', false, Token.QUOTED);
        }
        if (c == '$' && dollarQuoted()) {
            return Token.LITERAL;
        }
        if (Character.isLetter(c) || c == '_') {
            return word();
        }
        at++;
        return c == ';' ? Token.SEMICOLON : Token.OTHER;
    }

    private Token word() {
        while (at < text.length() && inWord(text.charAt(at))) {
            at++;
        }
        if (at < text.length() && text.charAt(at) == '\'' && at - start == 1) {
            char prefix = text.charAt(start);
            if (prefix == 'e' || prefix == 'E') {
                return quoted(at, '\'', true, Token.LITERAL);
            }
        }
        return Token.WORD;
    }

    private static boolean inWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '$';
    }

    private Token quoted(int opening, char quote, boolean escapes, Token token) {
        at = opening + 1;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '\\' && escapes) {
                at++;
            } else if (c == quote) {
                if (at >= text.length() || text.charAt(at) != quote) {
                    return token;
                }
                at++;
            }
        }
        at = text.length();
        return token;
    }

    /** {@code $tag$ … $tag$}; a {@code $1} is no such thing. */
    private boolean dollarQuoted() {
        int end = at + 1;
        while (end < text.length() && inWord(text.charAt(end)) && text.charAt(end) != '$') {
            end++;
        }
        boolean tag = end < text.length() && text.charAt(end) == '$' && !Character.isDigit(text.charAt(at + 1));
        if (!tag) {
            return false;
        }
        String delimiter = text.substring(at, end + 1);
        int closing = text.indexOf(delimiter, end + 1);
        at = closing < 0 ? text.length() : closing + delimiter.length();
        return true;
    }

    private void skipBlanksAndComments() {
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end + 1;
            } else if (text.startsWith("/*", at)) {
                int from = at;
                skipComment();
                found.accept(new Range(from, at));
            } else {
                return;
            }
        }
    }

    /** Such comments nest. */
    private void skipComment() {
        int depth = 0;
        while (at < text.length()) {
            if (text.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (text.startsWith("*/", at)) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return;
                }
            } else {
                at++;
            }
        }
    }
}
