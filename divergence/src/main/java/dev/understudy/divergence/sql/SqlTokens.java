package dev.understudy.divergence.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Walks over SQL text token by token, as far as needed to know where strings, comments and statements end; which they
 * are, a dialect says. Linear in the text; takes anything. Not for several threads.
 */
public abstract class SqlTokens {
    /** Statements that give rows in no order, unless they ask for one. */
    private static final Set<String> UNORDERED =
            Set.of("SELECT", "WITH", "VALUES", "TABLE", "INSERT", "REPLACE", "UPDATE", "DELETE", "MERGE");

    private final String text;
    private int at;
    private int start;
    private Token kind = Token.END;
    private Consumer<Range> comments = comment -> {};

    protected SqlTokens(String text) {
        this.text = text;
    }

    /** A stretch of text: from the first character up to, and without, the last. */
    public record Range(int from, int to) {}

    /** What a piece of text is. */
    public enum Token {
        /** A name, a keyword; in some dialects a number, or a variable with the signs in front of it. */
        WORD,
        /** A name in quotes. */
        QUOTED,
        /** A string. */
        LITERAL,
        /** The end of a statement. */
        SEMICOLON,
        /** Any other sign. */
        OTHER,
        /** The end of the text. */
        END
    }

    /**
     * Where the token ends that begins at {@code from}, which is neither a blank nor a comment; what it is goes to
     * {@link #found}.
     */
    protected abstract int read(int from);

    /** Where the blank or the comment ends that begins at {@code from}; {@code from} if there is none. */
    protected abstract int pass(int from);

    /** A word as it is compared; in upper case unless it is a sign or a name in quotes. */
    protected String folded(Token token, String word) {
        return token == Token.WORD ? word.toUpperCase(Locale.ROOT) : word;
    }

    /** The token that is being read is this, and goes up to {@code end}, which is returned. */
    protected final int found(Token what, int end) {
        kind = what;
        return end;
    }

    /** The next token. */
    public final Token next() {
        int passed = pass(at);
        while (passed > at) {
            if (text.startsWith("/*", at)) {
                comments.accept(new Range(at, passed));
            }
            at = passed;
            passed = pass(at);
        }
        start = at;
        if (at >= text.length()) {
            return Token.END;
        }
        at = read(at);
        return kind;
    }

    /** The token that was found last. */
    public final String word() {
        return text.substring(start, at);
    }

    /** Where the token that was found last begins. */
    public final int from() {
        return start;
    }

    /** Where it ends. */
    public final int to() {
        return at;
    }

    /** Where what is in quotes ends that are opened at {@code opening}; doubled, they stand for themselves. */
    protected final int quoted(int opening, boolean escapes) {
        char quote = text.charAt(opening);
        int i = opening + 1;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c == '\\' && escapes) {
                i++;
            } else if (c == quote) {
                if (i >= text.length() || text.charAt(i) != quote) {
                    return i;
                }
                i++;
            }
        }
        return text.length();
    }

    /** Where a comment ends that takes the rest of the line. */
    protected final int line(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end + 1;
    }

    /** The statements in the text that aren't empty, without the semicolons and the blanks around them. */
    protected final List<String> statements() {
        List<String> statements = new ArrayList<>(1);
        int begin = 0;
        boolean empty = true;
        while (true) {
            Token token = next();
            if (token == Token.SEMICOLON || token == Token.END) {
                if (!empty) {
                    statements.add(text.substring(begin, start).strip());
                }
                if (token == Token.END) {
                    return statements;
                }
                begin = at;
                empty = true;
            } else {
                empty = false;
            }
        }
    }

    /** The first words and symbols, folded, without comments; a string stands as {@code '}. */
    protected final List<String> firstWords(int most) {
        List<String> words = new ArrayList<>();
        while (words.size() < most) {
            Token token = next();
            if (token == Token.END) {
                break;
            }
            words.add(token == Token.LITERAL ? "'" : folded(token, word()));
        }
        return words;
    }

    /**
     * The first word, and what stands behind the first of {@code before} if that is among the first {@code most};
     * folded, e.g. verb and table.
     */
    protected final String family(Set<String> before, int most) {
        String verb = "";
        String last = "";
        for (int read = 0; read < most; read++) {
            Token next = next();
            if (next == Token.END) {
                break;
            }
            String word = next == Token.LITERAL ? "'" : folded(next, word());
            if (before.contains(last)) {
                return verb + " " + word;
            }
            verb = read == 0 ? word : verb;
            last = word;
        }
        return verb;
    }

    /**
     * Whether the order of its rows means something: where the statement asks for one outside of all parentheses, and
     * where it isn't known to ask for none. One that begins with a parenthesis, and COPY, ask for an order wherever
     * they do.
     */
    protected final boolean asksForOrder() {
        Token token = next();
        String first = word().toUpperCase(Locale.ROOT);
        boolean opens = (token == Token.OTHER && first.equals("(")) || (token == Token.WORD && first.equals("COPY"));
        if (!opens && !(token == Token.WORD && UNORDERED.contains(first))) {
            return true;
        }
        int depth = 0;
        boolean order = false;
        for (; token != Token.END; token = next()) {
            String word = word().toUpperCase(Locale.ROOT);
            if (token == Token.OTHER) {
                depth += word.equals("(") ? 1 : word.equals(")") ? -1 : 0;
            }
            if (order && token == Token.WORD && word.equals("BY") && (opens || depth == 0)) {
                return true;
            }
            order = token == Token.WORD && word.equals("ORDER");
        }
        return false;
    }

    /** The text in one line for people: blanks and comments folded, what string literals hold left out. */
    protected final String display(int most) {
        StringBuilder line = new StringBuilder();
        int end = 0;
        for (Token token = next(); token != Token.END && line.length() < most; token = next()) {
            if (start > end && !line.isEmpty()) {
                line.append(' ');
            }
            line.append(token == Token.LITERAL ? "'…'" : word());
            end = at;
        }
        return line.length() <= most ? line.toString() : line.substring(0, most - 1) + '…';
    }

    /** The stretches of text that are comments in stars, outermost ones only. */
    protected final List<Range> comments() {
        List<Range> all = new ArrayList<>();
        comments = all::add;
        while (next() != Token.END) {
            // what it passes over is what counts
        }
        return all;
    }
}
