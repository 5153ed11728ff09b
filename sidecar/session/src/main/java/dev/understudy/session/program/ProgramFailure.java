package dev.understudy.session.program;

/** A program of the session didn't start. The message says why, and where its log is. */
public final class ProgramFailure extends Exception {
    private static final long serialVersionUID = 1;

    public ProgramFailure(String message) {
        super(message);
    }

    public ProgramFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
