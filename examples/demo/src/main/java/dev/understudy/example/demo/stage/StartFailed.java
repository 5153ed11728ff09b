package dev.understudy.example.demo.stage;

/** Something that takes part didn't start; the message says what, why, and the way out if there is one. */
public final class StartFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public StartFailed(String message) {
        super(message);
    }

    StartFailed(String message, Throwable cause) {
        super(message + ": " + cause, cause);
    }
}
