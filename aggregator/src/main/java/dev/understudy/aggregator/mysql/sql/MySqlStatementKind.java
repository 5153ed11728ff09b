package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.sql.SqlTokens;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What kind of statement a text is, as far as recording and replaying treat kinds differently. */
public enum MySqlStatementKind {
    BEGIN,
    COMMIT,
    ROLLBACK,
    ROLLBACK_TO,
    SAVEPOINT,
    RELEASE,
    /** Settings and variables of the session; not those of the server. */
    SET,
    USE,
    /** {@code SELECT 1}, as pools send it to see whether a connection lives. */
    PING,
    /** Reads what drivers cache per connection: catalogues, variables of the server and the session. */
    CATALOGUE,
    /** Reads only, as far as its words tell; a function that it calls may do more. */
    READ,
    /** Sends a file of the client's, which isn't recorded. */
    FILE,
    /** Everything else. */
    OTHER;

    private static final Set<MySqlStatementKind> OF_THE_SESSION =
            Set.of(BEGIN, COMMIT, ROLLBACK, ROLLBACK_TO, SAVEPOINT, RELEASE, SET, USE);
    private static final Set<String> SHOWN = Set.of(
            "VARIABLES",
            "SESSION",
            "GLOBAL",
            "COLLATION",
            "CHARACTER",
            "CHARSET",
            "ENGINES",
            "PLUGINS",
            "DATABASES",
            "SCHEMAS",
            "TABLES",
            "FULL",
            "COLUMNS",
            "FIELDS",
            "KEYS",
            "INDEX",
            "INDEXES",
            "PRIVILEGES",
            "CREATE");

    /** Words that make more of a SELECT than reading. */
    private static final Pattern CHANGES = Pattern.compile(
            "\\b(into|for\\s+(update|share)|lock\\s+in|procedure|nextval|setval|lastval"
                    + "|next\\s+value|get_lock|release_lock"
                    + "|release_all_locks|sleep|benchmark|uuid_short|last_insert_id\\s*\\(\\s*[^)\\s])\\b|:=",
            Pattern.CASE_INSENSITIVE);

    /** What a SELECT of variables may name that isn't the same whenever it is asked for. */
    private static final Pattern FLEETING = Pattern.compile(
            "@@[\\w.]*(identity|insert_id|_count|timestamp|rand_seed|in_transaction|gtid|last_|proxy|pseudo|binlog_pos)"
                    + "|information_schema\\W+(processlist|innodb|\\w*status|profiling|\\w*statistics)",
            Pattern.CASE_INSENSITIVE);

    private static final Set<List<String>> ABOUT_THE_SERVER = Set.of(
            List.of("SELECT", "VERSION", "(", ")"),
            List.of("SELECT", "DATABASE", "(", ")"),
            List.of("SELECT", "SCHEMA", "(", ")"),
            List.of("SELECT", "USER", "(", ")"),
            List.of("SELECT", "CURRENT_USER", "(", ")"),
            List.of("SELECT", "CURRENT_USER"));

    /** The kind of one statement; of several the first decides, so they are to be taken apart before. */
    public static MySqlStatementKind of(String statement) {
        List<String> words = MySqlText.firstWords(statement, 6);
        if (words.isEmpty()) {
            return OTHER;
        }
        String second = words.size() > 1 ? words.get(1) : "";
        return switch (words.get(0)) {
            case "BEGIN" -> words.size() == 1 || second.equals("WORK") ? BEGIN : OTHER;
            case "START" -> second.equals("TRANSACTION") ? BEGIN : OTHER;
            case "COMMIT" -> plain(words) ? COMMIT : OTHER;
            case "ROLLBACK" -> words.contains("TO") ? ROLLBACK_TO : plain(words) ? ROLLBACK : OTHER;
            case "SAVEPOINT" -> SAVEPOINT;
            case "RELEASE" -> second.equals("SAVEPOINT") ? RELEASE : OTHER;
            case "SET" -> Assignments.ofTheSession(statement) ? SET : OTHER;
            case "USE" -> USE;
            case "LOAD" -> FILE;
            case "SELECT" -> select(statement, words);
            case "SHOW" -> show(statement, words);
            case "DESC", "DESCRIBE", "VALUES", "TABLE" -> READ;
            case "EXPLAIN" -> words.contains("ANALYZE") ? OTHER : READ;
            default -> OTHER;
        };
    }

    /** Neither CHAIN nor RELEASE. */
    private static boolean plain(List<String> words) {
        return words.size() == 1 || (words.size() == 2 && words.get(1).equals("WORK"));
    }

    private static MySqlStatementKind select(String statement, List<String> words) {
        if (words.equals(List.of("SELECT", "1"))) {
            return PING;
        }
        if (CHANGES.matcher(statement).find()) {
            return OTHER;
        }
        if (ABOUT_THE_SERVER.contains(words)) {
            return CATALOGUE;
        }
        boolean variables = words.size() > 1 && words.get(1).startsWith("@@") && !mentions(statement, "FROM");
        boolean catalogue = mentions(statement, "INFORMATION_SCHEMA");
        return (variables || catalogue) && !FLEETING.matcher(statement).find() ? CATALOGUE : READ;
    }

    private static MySqlStatementKind show(String statement, List<String> words) {
        boolean named = words.size() > 1 && SHOWN.contains(words.get(1));
        return named && !mentions(statement, "STATUS") && !mentions(statement, "PROCESSLIST") ? CATALOGUE : READ;
    }

    private static boolean mentions(String statement, String word) {
        MySqlText sql = new MySqlText(statement);
        for (SqlTokens.Token token = sql.next(); token != SqlTokens.Token.END; token = sql.next()) {
            if (token == SqlTokens.Token.WORD && sql.word().equalsIgnoreCase(word)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the statement concerns its own session only, is answered there and never recorded. */
    public boolean local() {
        return OF_THE_SESSION.contains(this);
    }

    /**
     * Whether every session in the same state gets the same answer, so that it is remembered and given any number of
     * times.
     */
    public boolean lasting() {
        return this == CATALOGUE || this == PING;
    }

    /** Whether it leaves the data as it is. */
    public boolean reads() {
        return this == READ || lasting();
    }
}
