package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.sql.SqlTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Takes a SET statement apart. */
final class Assignments {
    /** What is set for the server, for other users, or for one statement. */
    private static final Set<String> NOT_OF_THE_SESSION =
            Set.of("GLOBAL", "PERSIST", "PERSIST_ONLY", "PASSWORD", "STATEMENT", "DEFAULT", "RESOURCE");

    private static final Set<String> SCOPES = Set.of("SESSION", "LOCAL", "@@SESSION", "@@LOCAL");
    private static final int LONGEST = 65_536;
    private static final int MODE_WORDS = 24;

    /**
     * One assignment.
     *
     * @param name in lower case, without a scope; with its sign if it is a user's variable; a mode of the next
     *     transaction alone begins with {@link MySqlTransactionModes#NEXT}
     * @param value as written, without quotes
     */
    record Assignment(String name, String value) {}

    private Assignments() {}

    static boolean ofTheSession(String statement) {
        if (statement.length() > LONGEST) {
            return false;
        }
        for (String part : parts(statement)) {
            List<String> words = MySqlText.firstWords(part, 3);
            String first = words.isEmpty() ? "" : words.get(0);
            if (NOT_OF_THE_SESSION.contains(first)
                    || first.equals("@@GLOBAL")
                    || first.startsWith("@@PERSIST")
                    || words.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The assignments of a SET statement, in their order. */
    static List<Assignment> of(String statement) {
        List<Assignment> assignments = new ArrayList<>();
        List<String> words = MySqlText.firstWords(statement, MODE_WORDS);
        int scope = words.size() > 1 && SCOPES.contains(words.get(1)) ? 2 : 1;
        if (words.size() > scope && words.get(scope).equals("TRANSACTION")) {
            String once = scope == 1 ? MySqlTransactionModes.NEXT : "";
            MySqlTransactionModes.named(words)
                    .forEach((mode, value) -> assignments.add(new Assignment(once + mode, value)));
            return assignments;
        }
        for (String part : parts(statement)) {
            assignments.add(assignment(part));
        }
        return assignments;
    }

    private static Assignment assignment(String part) {
        MySqlText sql = new MySqlText(part);
        SqlTokens.Token token = sql.next();
        String name = sql.word().toUpperCase(Locale.ROOT);
        boolean scoped = SCOPES.contains(name);
        if (scoped) {
            token = sql.next();
            if (sql.word().equals(".")) {
                token = sql.next();
            }
            name = sql.word().toUpperCase(Locale.ROOT);
        }
        switch (name) {
            case "NAMES", "CHARSET", "ROLE" -> {
                return new Assignment(name.toLowerCase(Locale.ROOT), value(part, sql.to()));
            }
            case "CHARACTER" -> {
                sql.next();
                return new Assignment("charset", value(part, sql.to()));
            }
            default -> {
                String plain = name.startsWith("@@") ? name.substring(2) : name;
                if (token == SqlTokens.Token.QUOTED && plain.length() > 2) {
                    plain = plain.substring(1, plain.length() - 1);
                }
                int end = sql.to();
                sql.next();
                if (sql.word().equals(":")) {
                    sql.next();
                }
                int from = sql.word().equals("=") ? sql.to() : end;
                plain = plain.toLowerCase(Locale.ROOT);
                boolean once = name.startsWith("@@") && !scoped && MySqlTransactionModes.one(plain);
                return new Assignment(once ? MySqlTransactionModes.NEXT + plain : plain, value(part, from));
            }
        }
    }

    private static String value(String part, int from) {
        String value = part.substring(Math.min(from, part.length())).strip();
        boolean quoted = value.length() >= 2
                && (value.charAt(0) == '\'' || value.charAt(0) == '"')
                && value.indexOf(value.charAt(0), 1) == value.length() - 1;
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** What stands between the commas that are in no parentheses, behind the word SET. */
    private static List<String> parts(String statement) {
        List<String> parts = new ArrayList<>();
        MySqlText sql = new MySqlText(statement);
        sql.next();
        int begin = sql.to();
        int depth = 0;
        for (SqlTokens.Token token = sql.next(); token != SqlTokens.Token.END; token = sql.next()) {
            String word = token == SqlTokens.Token.OTHER ? sql.word() : "";
            depth += word.equals("(") ? 1 : word.equals(")") ? -1 : 0;
            if (depth == 0 && word.equals(",")) {
                parts.add(statement.substring(begin, sql.from()).strip());
                begin = sql.to();
            }
        }
        parts.add(statement.substring(begin).strip());
        return parts;
    }
}
