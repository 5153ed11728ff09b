package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.LongText;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What kind of statement a text is, as far as recording and replaying treat kinds differently. */
public enum PgStatementKind {
    BEGIN,
    COMMIT,
    ROLLBACK,
    ROLLBACK_TO,
    /** Prepares a transaction for a commit in two phases, and so takes it away from its session. */
    PREPARE,
    SAVEPOINT,
    RELEASE,
    SET,
    RESET,
    DISCARD,
    DEALLOCATE,
    LISTEN,
    UNLISTEN,
    SHOW,
    /** {@code SELECT 1}, as pools send it to see whether a connection lives. */
    PING,
    /** No statement at all, as pgjdbc's {@code isValid} sends it. */
    EMPTY,
    /** Reads what drivers cache per connection: catalogues, the server's version, the current schema. */
    CATALOGUE,
    /** Reads only, as far as its words tell; a function that it calls may do more. */
    READ,
    /** Moves bulk data in a protocol of its own. */
    COPY,
    /** Reads on from a cursor. */
    FETCH,
    /** A function called by its oid, which is no statement. */
    CALL,
    /** Everything else. */
    OTHER;

    private static final Set<PgStatementKind> OF_THE_SESSION = Set.of(
            BEGIN,
            COMMIT,
            ROLLBACK,
            ROLLBACK_TO,
            SAVEPOINT,
            RELEASE,
            SET,
            RESET,
            DISCARD,
            DEALLOCATE,
            LISTEN,
            UNLISTEN,
            PING,
            EMPTY);

    private static final Set<PgStatementKind> DECIDED_BY_THE_SERVER =
            Set.of(SET, RESET, DISCARD, DEALLOCATE, LISTEN, UNLISTEN);

    /** Words with which statements begin, and tags, that concern no session. */
    private static final Set<String> OF_DATA =
            Set.of("INSERT", "UPDATE", "DELETE", "MERGE", "SELECT", "WITH", "CREATE", "ALTER", "DROP", "COMMENT");

    private static final Set<String> WITHOUT_SNAPSHOT = Set.of("LOCK", "SET", "NOTIFY", "CHECKPOINT");

    /** What makes a SELECT more than a read; words in a literal or a comment count too, which errs on the safe side. */
    private static final Pattern CHANGES = Pattern.compile(
            "\\b(into|for\\s+(no\\s+key\\s+)?update|for\\s+(key\\s+)?share|nextval"
                    + "|setval|set_config|pg_advisory\\w*|lo_\\w+)\\b",
            Pattern.CASE_INSENSITIVE);

    /** How the words begin that {@link #CHANGES} looks for. */
    private static final List<String> CHANGING =
            List.of("into", "for", "nextval", "setval", "set_config", "pg_advisory", "lo_");

    private static final Set<List<String>> ABOUT_THE_SERVER = Set.of(
            List.of("SELECT", "CURRENT_SCHEMA", "(", ")"),
            List.of("SELECT", "CURRENT_CATALOG"),
            List.of("SELECT", "CURRENT_DATABASE", "(", ")"),
            List.of("SELECT", "CURRENT_USER"),
            List.of("SELECT", "VERSION", "(", ")"));

    /** The kind of one statement; of several the first decides, so they are to be taken apart before. */
    public static PgStatementKind of(String statement) {
        List<String> words = PostgresText.firstWords(statement, 6);
        if (words.isEmpty() || words.equals(List.of(";"))) {
            return EMPTY;
        }
        String second = words.size() > 1 ? words.get(1) : "";
        return switch (words.get(0)) {
            case "BEGIN" -> BEGIN;
            case "START" -> second.equals("TRANSACTION") ? BEGIN : OTHER;
            case "COMMIT", "END" -> second.equals("PREPARED") ? OTHER : COMMIT;
            case "ROLLBACK", "ABORT" ->
                second.equals("PREPARED") ? OTHER : words.contains("TO") ? ROLLBACK_TO : ROLLBACK;
            case "PREPARE" -> second.equals("TRANSACTION") ? PREPARE : OTHER;
            case "SAVEPOINT" -> SAVEPOINT;
            case "RELEASE" -> RELEASE;
            case "SET" -> second.equals("CONSTRAINTS") ? OTHER : SET;
            case "RESET" -> RESET;
            case "DISCARD" -> DISCARD;
            case "DEALLOCATE" -> DEALLOCATE;
            case "LISTEN" -> LISTEN;
            case "UNLISTEN" -> UNLISTEN;
            case "SHOW" -> SHOW;
            case "COPY" -> COPY;
            case "FETCH", "MOVE" -> FETCH;
            case "SELECT" -> LongText.shortened(statement) ? OTHER : select(statement, words);
            case "VALUES", "TABLE" -> READ;
            default -> OTHER;
        };
    }

    /**
     * Whether a message whose text was {@linkplain LongText shortened} may be recorded, and answered: what it begins
     * with concerns data, and not the session. It counts as {@link #OTHER}. Further statements behind that are told by
     * what is answered ({@link #plain}).
     */
    public static boolean readable(Frontend shortened) {
        String sql = shortened instanceof Frontend.Query query
                ? query.sql()
                : shortened instanceof Frontend.Parse parse ? parse.sql() : "";
        List<String> words = PostgresText.firstWords(sql, 1);
        return !words.isEmpty() && OF_DATA.contains(words.get(0));
    }

    /** Whether a CommandComplete is that of a statement that leaves the session as it was. */
    public static boolean plain(PgMessage commandComplete) {
        String tag = commandComplete.reader().string();
        int end = tag.indexOf(' ');
        return OF_DATA.contains(end < 0 ? tag : tag.substring(0, end));
    }

    /** Whether what ends a transaction begins another one like it. */
    public static boolean chained(String statement) {
        List<String> words = PostgresText.firstWords(statement, 5);
        return words.contains("CHAIN") && !words.contains("NO");
    }

    private static PgStatementKind select(String statement, List<String> words) {
        List<String> bare = words.get(words.size() - 1).equals(";") ? words.subList(0, words.size() - 1) : words;
        if (bare.equals(List.of("SELECT", "1"))) {
            return PING;
        }
        boolean catalogue = statement.contains("pg_catalog.") || statement.contains("information_schema.");
        if (catalogue || ABOUT_THE_SERVER.contains(bare)) {
            return CATALOGUE;
        }
        return mayChange(statement) && CHANGES.matcher(statement).find() ? OTHER : READ;
    }

    /** Spares almost all statements the pattern: whether one of its words may begin anywhere. */
    private static boolean mayChange(String statement) {
        for (int i = 0; i < statement.length(); i++) {
            if ("ifnsplIFNSPL".indexOf(statement.charAt(i)) >= 0) {
                for (String word : CHANGING) {
                    if (statement.regionMatches(true, i, word, 0, word.length())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Whether the statement concerns its own session only, is answered there and never recorded. */
    public boolean local() {
        return OF_THE_SESSION.contains(this);
    }

    /** Whether production's server decides what becomes of such a statement, though it is its session's own. */
    public boolean settled() {
        return DECIDED_BY_THE_SERVER.contains(this);
    }

    /** Whether a transaction block is another one, or none, behind such a statement. */
    public boolean bounds() {
        return this == BEGIN || ends();
    }

    /** Whether such a statement ends a transaction block, be it a failed one. */
    public boolean ends() {
        return this == COMMIT || this == ROLLBACK || this == PREPARE;
    }

    /** Whether the server takes a snapshot for such a statement, from which on its transaction's modes stand. */
    public boolean takesSnapshot(String statement) {
        if (this != OTHER) {
            return this != FETCH && !local();
        }
        List<String> words = PostgresText.firstWords(statement, 1);
        return words.isEmpty() || !WITHOUT_SNAPSHOT.contains(words.get(0));
    }

    /** Whether every session gets the same answer, so that it is remembered and given any number of times. */
    public boolean lasting() {
        return this == CATALOGUE || this == SHOW;
    }
}
