package dev.understudy.session.ledger;

/** Something that a session made couldn't be removed. The message says why. */
final class RemovalException extends Exception {
    private static final long serialVersionUID = 1;

    RemovalException(String message) {
        super(message);
    }

    RemovalException(String message, Throwable cause) {
        super(message, cause);
    }
}
