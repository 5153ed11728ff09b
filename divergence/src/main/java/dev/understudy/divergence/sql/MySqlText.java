package dev.understudy.divergence.sql;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Where strings, comments and statements end in MySQL's text (MySQL manual, "Language Structure"). A comment that the
 * server executes, {@code /*! … *}{@code /}, is text.
 *
 * <p>Backslashes are taken to escape, as they do unless sql_mode says otherwise.
 */
public final class MySqlText extends SqlTokens {
    private final String text;

    public MySqlText(String text) {
        super(text);
        this.text = text;
    }

    /** The statements in a text that aren't empty, without the semicolons and the blanks around them. */
    public static List<String> statements(String text) {
        return new MySqlText(text).statements();
    }

    /** The first words and symbols in upper case, without comments; a string stands as {@code '}. */
    public static List<String> firstWords(String text, int most) {
        return new MySqlText(text).firstWords(most);
    }

    /** The verb and the first table, as far as these words introduce it, e.g. {@code SELECT ORDERS}. */
    public static String family(String text, Set<String> beforeTable) {
        return new MySqlText(text).family(beforeTable, 60);
    }

    /** Whether the order of the statement's rows means something: true unless it is known not to. */
    public static boolean asksForOrder(String statement) {
        return new MySqlText(statement).asksForOrder();
    }

    /** The text in one line for people: blanks and comments folded, what string literals hold left out. */
    public static String display(String text, int most) {
        return new MySqlText(text).display(most);
    }

    /** The stretches of text that are comments in stars. */
    public static List<Range> comments(String text) {
        return new MySqlText(text).comments();
    }

    @Override
    protected String folded(Token token, String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    @Override
    protected int read(int from) {
        char c = text.charAt(from);
        if (c == '\'' || c == '"') {
            return found(Token.LITERAL, quoted(from, true));
        }
        if (c == '`') {
            return found(Token.QUOTED, quoted(from, false));
        }
        if (inWord(c) || c == '@') {
            int end = from;
            while (end < text.length() && text.charAt(end) == '@') {
                end++;
            }
            while (end < text.length() && inWord(text.charAt(end))) {
                end++;
            }
            return found(Token.WORD, end);
        }
        return found(c == ';' ? Token.SEMICOLON : Token.OTHER, from + 1);
    }

    private static boolean inWord(char c) {
        return c >= 0x80 || c == '_' || c == '$' || Character.isLetterOrDigit(c);
    }

    @Override
    protected int pass(int from) {
        if (from >= text.length()) {
            return from;
        }
        char c = text.charAt(from);
        if (c <= ' ') {
            return from + 1;
        }
        boolean dashes = text.startsWith("--", from) && (from + 2 >= text.length() || text.charAt(from + 2) <= ' ');
        if (c == '#' || dashes) {
            return line(from);
        }
        if (text.startsWith("/*", from) && !executed(from)) {
            int end = text.indexOf("*/", from + 2);
            return end < 0 ? text.length() : end + 2;
        }
        return from;
    }

    private boolean executed(int comment) {
        return text.startsWith("!", comment + 2) || text.startsWith("M!", comment + 2);
    }
}
