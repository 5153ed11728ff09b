package dev.understudy.divergence.wire.http;

/** Ends the framing of a connection; it never leaves the package and carries no stack trace. */
final class Unframable extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    Unframable(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
