package dev.understudy.session.ledger;

/** Something that a session made couldn't be removed. The message says why. */
final class RemovalException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean isForeign;

    private RemovalException(String message, boolean isForeign) {
        super(message);
        this.isForeign = isForeign;
    }

    RemovalException(String message) {
        this(message, false);
    }

    RemovalException(String message, Throwable cause) {
        super(message, cause);
        this.isForeign = false;
    }

    /** The entry names something that isn't the session's, or nothing at all. */
    static RemovalException foreign(String message) {
        return new RemovalException(message, true);
    }

    /** Whether nobody should remove it, because it isn't the session's. */
    boolean isForeign() {
        return isForeign;
    }
}
