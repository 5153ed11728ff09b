package dev.understudy.session.target;

/** A target that can't be debugged, or isn't there. The message has the reason, and names the way out. */
public final class TargetException extends Exception {
    private static final long serialVersionUID = 1;

    public TargetException(String message) {
        super(message);
    }

    public TargetException(String message, Throwable cause) {
        super(message, cause);
    }
}
