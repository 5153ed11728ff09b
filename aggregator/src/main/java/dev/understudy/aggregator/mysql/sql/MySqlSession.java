package dev.understudy.aggregator.mysql.sql;

import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.ServerStatus;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one connection has agreed on and set, followed alike for a recorded and for a replayed connection. Confined to
 * its connection.
 */
public final class MySqlSession {
    /** The server has rolled back the whole transaction to resolve a deadlock. */
    public static final int DEADLOCK = 1213;

    /** Capabilities that change what statements mean or how their results look. */
    private static final long DECISIVE = Capabilities.FOUND_ROWS
            | Capabilities.IGNORE_SPACE
            | Capabilities.MULTI_STATEMENTS
            | Capabilities.MARIADB_EXTENDED_METADATA;

    /** Settings that only say how long something may take. */
    private static final Set<String> INDIFFERENT = Set.of(
            "wait_timeout",
            "interactive_timeout",
            "net_read_timeout",
            "net_write_timeout",
            "lock_wait_timeout",
            "innodb_lock_wait_timeout",
            "max_execution_time",
            "max_statement_time");

    private static final int MODE_WORDS = 24;

    /** Memory of a setting besides its texts. */
    private static final long PER_SETTING = 120;

    private static final int FOLLOWED = ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANSACTION;

    private final TreeMap<String, String> settings = new TreeMap<>();
    private final SqlSpelling spelling;
    private final MySqlTransactionModes modes;
    private final Memory memory = new Memory();
    private Capabilities agreed = new Capabilities(0);
    private String database = "";
    private String settled = "";
    private int collation;
    private int status = ServerStatus.AUTOCOMMIT;

    /** A session as it is before its login, with a server of which no more is known. */
    public MySqlSession() {
        this(() -> null);
    }

    /** @param usualLevel the isolation level of sessions that choose none; gives null while that isn't known */
    public MySqlSession(Supplier<@Nullable String> usualLevel) {
        this(usualLevel, SqlSpelling.MEANING);
    }

    /**
     * A session as it is before its login.
     *
     * @param usualLevel the isolation level of sessions that choose none; gives null while that isn't known
     * @param spelling whether white space and comments count
     */
    public MySqlSession(Supplier<@Nullable String> usualLevel, SqlSpelling spelling) {
        this.spelling = spelling;
        modes = new MySqlTransactionModes(usualLevel);
        changed();
    }

    /** The session begins. */
    public void login(Capabilities both, int ofCollation, String ofDatabase) {
        agreed = both;
        begin(ofCollation);
        database = ofDatabase;
    }

    /** The session is as it was at its start, with another user, database and collation. */
    public void changeUser(int ofCollation, String ofDatabase) {
        begin(ofCollation);
        database = ofDatabase;
    }

    /** The session is as new, except for its database; its collation is the server's. */
    public void reset() {
        begin(0);
    }

    private void begin(int ofCollation) {
        collation = ofCollation;
        settings.clear();
        modes.forget();
        memory.forget();
        status = ServerStatus.AUTOCOMMIT;
        changed();
    }

    public Capabilities agreed() {
        return agreed;
    }

    /** The client may send several statements in one text from now on, or may no longer. */
    public void multiStatements(boolean on) {
        long bit = Capabilities.MULTI_STATEMENTS;
        agreed = on ? new Capabilities(agreed.bits() | bit) : agreed.without(bit);
        changed();
    }

    public String database() {
        return database;
    }

    public void use(String other) {
        database = other;
    }

    /** Whether autocommit is on and a transaction is open, in the bits of {@link ServerStatus}. */
    public int status() {
        return status;
    }

    /** The server has said how the session stands. */
    public void status(int told) {
        boolean before = inTransaction();
        status = told & FOLLOWED;
        if (inTransaction() && !before) {
            modes.begin(Map.of());
        } else if (before && !inTransaction()) {
            modes.end();
        }
    }

    private boolean inTransaction() {
        return (status & ServerStatus.IN_TRANSACTION) != 0;
    }

    /** Whether what runs now is part of a transaction that lasts until it is ended. */
    public boolean transactional() {
        return status != ServerStatus.AUTOCOMMIT;
    }

    /** No transaction is open any more. */
    public void end() {
        status &= ~ServerStatus.IN_TRANSACTION;
        modes.end();
    }

    /** What of all this decides which answers statements get. */
    public MySqlSessionState state() {
        boolean auto = (status & ServerStatus.AUTOCOMMIT) != 0;
        String transaction = !auto ? "autocommit=0" : transactional() ? "in a transaction" : "";
        String own = modes.text();
        String separator = transaction.isEmpty() || own.isEmpty() ? "" : ", ";
        return new MySqlSessionState(database, settled, transaction + separator + own);
    }

    /** Memory that all of it takes: settings are there twice, and as a text. */
    public long heldBytes() {
        return PER_SETTING * settings.size() + 4L * settled.length() + 2L * database.length() + memory.heldBytes();
    }

    /** Whether the session has chosen an isolation level for all of its transactions. */
    public boolean choseLevel() {
        return modes.choseLevel();
    }

    /** The text of a statement as it counts. */
    String spelled(String sql) {
        return LongRest.begun(sql) ? sql : spelling.mySql(sql);
    }

    /** What the session remembers of what this statement asks for; 0 if it asks for nothing such. */
    long remembers(String sql) {
        return memory.of(sql);
    }

    /** The session ran a statement, and the server refused it. */
    public void failed(String sql, List<BoundValue> values, int code) {
        memory.failed(spelled(sql), number(values));
        if (code == DEADLOCK) {
            end();
        }
        passed(MySqlStatementKind.of(sql));
    }

    /** The session ran a statement, and the server didn't refuse it. */
    public void ran(MySqlStatementKind command, String sql, List<BoundValue> values) {
        memory.ran(command, spelled(sql), number(values));
        switch (command) {
            case SET -> Assignments.of(sql).forEach(this::set);
            case USE -> database = name(sql.substring(3));
            case BEGIN -> {
                if (inTransaction()) {
                    end();
                }
                status |= ServerStatus.IN_TRANSACTION;
                modes.begin(MySqlTransactionModes.named(MySqlText.firstWords(sql, MODE_WORDS)));
            }
            case COMMIT, ROLLBACK -> end();
            default -> passed(command);
        }
    }

    /** A statement that is a transaction of its own has used up what was for the next one. */
    private void passed(MySqlStatementKind command) {
        if (!command.local() && !transactional()) {
            modes.end();
        }
    }

    private static long number(List<BoundValue> values) {
        return values.isEmpty()
                ? 0
                : Memory.hash(values.stream().map(BoundValue::canonical).toList());
    }

    private void set(Assignments.Assignment assignment) {
        String name = assignment.name();
        String value = assignment.value();
        if (name.equals("autocommit")) {
            autocommit(value.toLowerCase(Locale.ROOT));
        } else if (MySqlTransactionModes.one(name)) {
            modes.set(name, value);
        } else if (value.equalsIgnoreCase("default")) {
            settings.remove(name);
        } else if (!name.startsWith("@") && !INDIFFERENT.contains(name)) {
            settings.put(name, value);
        }
        changed();
    }

    private void autocommit(String value) {
        switch (value) {
            case "0", "off", "false" -> status &= ~ServerStatus.AUTOCOMMIT;
            case "1", "on", "true", "default" -> {
                if (transactional()) {
                    modes.end();
                }
                status = ServerStatus.AUTOCOMMIT;
            }
            default -> settings.put("autocommit", value);
        }
    }

    private static String name(String written) {
        return written.strip().replace("`", "");
    }

    private void changed() {
        settled = collation + "/" + Long.toHexString(agreed.bits() & DECISIVE) + " " + settings;
    }
}
