package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.sql.SqlSpelling;

/**
 * What a statement's answer depends on besides its text: two sessions with equal states may be given each other's
 * answers.
 *
 * @param database the session's database
 * @param settings those that decide what names and policies mean: search_path, role, settings of the application's own
 * @param transaction the modes that its transaction has, or one would have, by its own choice; "" for the usual ones
 * @param spelling whether white space and comments count in its statements
 */
public record PgSessionState(String database, String settings, String transaction, SqlSpelling spelling) {
    /** A session where white space and comments don't count. */
    public PgSessionState(String database, String settings, String transaction) {
        this(database, settings, transaction, SqlSpelling.MEANING);
    }

    /** A session whose transactions have the usual modes. */
    PgSessionState(String database, String settings) {
        this(database, settings, "");
    }

    /** The same, as far as it matters to what changes with no transaction. */
    public PgSessionState lasting() {
        return new PgSessionState(database, settings, "", spelling);
    }

    /** All that was chosen, as one text. */
    String chosen() {
        return settings + (settings.isEmpty() || transaction.isEmpty() ? "" : ", ") + transaction;
    }

    /** For people: the database, and what was chosen if anything was. */
    String display() {
        String where = settings.isEmpty() ? database : database + " with " + settings;
        return transaction.isEmpty() ? where : where + ", " + transaction;
    }
}
