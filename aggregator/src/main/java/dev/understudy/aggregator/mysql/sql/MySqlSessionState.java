package dev.understudy.aggregator.mysql.sql;

/**
 * What a statement's answer depends on besides its text: two sessions with equal states may be given each other's
 * answers.
 *
 * @param database the session's database; empty if it has none
 * @param settings what the client has agreed on and has set
 * @param transaction whether autocommit is on, and whether a transaction is open
 */
public record MySqlSessionState(String database, String settings, String transaction) {
    /** The same whatever the transaction. */
    public MySqlSessionState outsideTransactions() {
        return new MySqlSessionState(database, settings, "");
    }

    /** For people. */
    String display() {
        String where = database.isEmpty() ? "no database" : database;
        return transaction.isEmpty() ? where : where + ", " + transaction;
    }
}
