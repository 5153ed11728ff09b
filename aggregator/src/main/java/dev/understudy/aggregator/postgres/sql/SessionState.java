package dev.understudy.aggregator.postgres.sql;

/**
 * What a statement's answer depends on besides its text: two sessions with equal states may be given each other's answers.
 *
 * @param database the session's database
 * @param settings those that decide what names and policies mean: search_path, role, settings of the application's own
 */
public record SessionState(String database, String settings) {
    /** For people: the database, and the settings if there are any. */
    String display() {
        return settings.isEmpty() ? database : database + " with " + settings;
    }
}
