package dev.understudy.divergence.compare.sql;

/**
 * What a server says beside its rows: an error, a warning, a notice.
 *
 * @param state the SQLSTATE; empty if there is none
 * @param message for people
 * @param detail what else is said of this very case; empty if nothing
 * @param rest where in the server's own code it arose, and the like: whatever that is, it doesn't matter to a client
 */
public record SqlNotice(String state, String message, String detail, String rest) {
    /** One that says no more. */
    public SqlNotice(String state, String message) {
        this(state, message, "", "");
    }

    /** In one line. */
    String shown() {
        return (state + " " + message + (detail.isEmpty() ? "" : " (" + detail + ")")).strip();
    }
}
