package dev.understudy.session.clone;

/** A clone couldn't be made. Production runs on. The message says why, and names the way out. */
public final class CloneException extends Exception {
    private static final long serialVersionUID = 1;

    public CloneException(String message) {
        super(message);
    }

    public CloneException(String message, Throwable cause) {
        super(message, cause);
    }
}
