package dev.understudy.aggregator.sql;

import dev.understudy.divergence.sql.SqlTokens;
import dev.understudy.divergence.sql.SqlTokens.Token;
import java.util.BitSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * One text of SQL without the white space and the comments that mean nothing. Tokens stay byte for byte, and so does
 * what stands between two of them wherever it may mean something. Confined to its thread; takes anything.
 */
final class PlainSql {
    /** What lies around them joins nothing: neither names nor operators nor comments. */
    private static final String PUNCTUATION = "(),;";

    private static final String OPERATORS = "=<>+-*/%|";

    /** Begin with the names of results, in MySQL, as their expressions are written. */
    private static final Set<String> NAMING = Set.of("SELECT", "RETURNING");

    /** What VALUES names nothing in. */
    private static final Set<String> WRITING = Set.of("INSERT", "REPLACE");

    /** End what a comment begins with that is an instruction for the planner or a proxy. */
    private static final char HINT = '+';

    private final String sql;
    private final SqlTokens tokens;
    private final boolean mySql;
    private final StringBuilder out;
    private final BitSet naming = new BitSet();
    private int depth;
    private String firstWord = "";
    private String lastWord = "";

    /** @param mySql whether results are named by their expressions' text, and a blank before a parenthesis counts */
    PlainSql(String text, Function<String, SqlTokens> dialect, boolean mySql) {
        this.sql = text + '\n'; // what isn't ended takes it along
        this.tokens = dialect.apply(sql);
        this.mySql = mySql;
        this.out = new StringBuilder(text.length());
    }

    String text() {
        Token before = Token.END;
        int end = 0;
        for (Token token = tokens.next(); token != Token.END; token = tokens.next()) {
            between(before, end, token);
            String word = tokens.word();
            out.append(word);
            follow(token, word);
            before = token;
            end = tokens.to();
        }
        if (!blank(end, sql.length()) || dashes()) {
            out.append(sql, end, sql.length());
            end = sql.length();
        }
        return out.substring(0, out.length() - (end == sql.length() ? 1 : 0));
    }

    /** Writes what stands between two tokens, as far as it counts. */
    private void between(Token before, int end, Token next) {
        int from = tokens.from();
        if (from == end) {
            return;
        }
        boolean strings = before == Token.LITERAL && next == Token.LITERAL; // one string, perhaps
        if (strings || dashes() || !blank(end, from) || (isNamed() && !separates(end, from))) {
            out.append(sql, end, from);
        } else if (before != Token.END && !joins(before, sql.charAt(end - 1), next, sql.charAt(from))) {
            out.append(' ');
        }
    }

    /** Whether two minus signs came last, which only what follows keeps from being a comment. */
    private boolean dashes() {
        int length = out.length();
        return length >= 2 && out.charAt(length - 1) == '-' && out.charAt(length - 2) == '-';
    }

    /** Whether two tokens are the same two without a blank. */
    private boolean joins(Token before, char left, Token next, char right) {
        boolean afterMark = before == Token.OTHER || before == Token.SEMICOLON;
        boolean beforeMark = next == Token.OTHER || next == Token.SEMICOLON;
        if (afterMark && PUNCTUATION.indexOf(left) >= 0) {
            return true;
        }
        if (beforeMark && PUNCTUATION.indexOf(right) >= 0) {
            boolean call = mySql && right == '(' && !afterMark;
            return !call;
        }
        boolean operatorBefore = before == Token.OTHER && OPERATORS.indexOf(left) >= 0;
        boolean operatorNext = next == Token.OTHER && OPERATORS.indexOf(right) >= 0;
        return (operatorBefore && isOperand(next, right)) || (operatorNext && isOperand(before, left));
    }

    private boolean isOperand(Token token, char c) {
        return switch (token) {
            case WORD, QUOTED, LITERAL -> true;
            case OTHER -> (c >= '0' && c <= '9') || c == (mySql ? '?' : '$');
            case SEMICOLON, END -> false;
        };
    }

    /** Whether what is here may be part of a result's name. */
    private boolean isNamed() {
        return mySql && !naming.isEmpty();
    }

    /** Whether that stands at the edge of a result's expression. */
    private boolean separates(int end, int from) {
        boolean outermost = naming.nextSetBit(0) == depth;
        boolean comma = sql.charAt(from) == ',' || (end > 0 && sql.charAt(end - 1) == ',');
        boolean edge = lastWord.equals("SELECT") || tokens.word().equalsIgnoreCase("FROM");
        return outermost && (comma || edge);
    }

    private void follow(Token token, String word) {
        if (!mySql) {
            return;
        }
        lastWord = token == Token.WORD ? word.toUpperCase(Locale.ROOT) : "";
        firstWord = firstWord.isEmpty() ? lastWord : firstWord;
        if (token == Token.OTHER && word.equals("(")) {
            depth++;
        } else if (token == Token.OTHER && word.equals(")")) {
            naming.clear(depth);
            depth = Math.max(0, depth - 1);
        } else if (token == Token.SEMICOLON) {
            naming.clear();
            depth = 0;
            firstWord = "";
        } else if (NAMING.contains(lastWord) || (lastWord.equals("VALUES") && !WRITING.contains(firstWord))) {
            naming.set(depth);
        } else if (lastWord.equals("FROM")) {
            naming.clear(depth);
        }
    }

    /** Whether that is white space and comments which mean nothing, all of them ended. */
    private boolean blank(int from, int to) {
        int at = from;
        while (at < to) {
            char c = sql.charAt(at);
            if (" \t\n\r\f".indexOf(c) >= 0) {
                at++;
            } else if (c == '-' || c == '#') {
                int line = sql.indexOf('\n', at) + 1;
                int turn = sql.indexOf('\r', at) + 1;
                if (turn > 0 && turn < line - 1) {
                    return false; // where servers disagree on where the line ends
                }
                at = line;
            } else {
                int comment = comment(at, to);
                if (comment < 0) {
                    return false;
                }
                at = comment;
            }
        }
        return true;
    }

    /** Where the comment ends that begins here; negative if there is none, it isn't ended, or it is a hint. */
    private int comment(int from, int to) {
        if (!sql.startsWith("/*", from)) {
            return -1;
        }
        int begun = from + 2;
        while (begun < to && Character.isLetter(sql.charAt(begun))) {
            begun++;
        }
        if (begun < to && sql.charAt(begun) == HINT) {
            return -1;
        }
        int open = 1;
        int at = from + 2;
        while (at < to && open > 0) {
            if (!mySql && sql.startsWith("/*", at)) {
                open++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                open--;
                at += 2;
            } else {
                at++;
            }
        }
        return open == 0 ? at : -1;
    }
}
