package dev.understudy.session.bundle;

import java.io.IOException;

/** A bundle that can't be made, read or replayed; the message is one line that names the place and the way out. */
public final class BundleException extends IOException {
    private static final long serialVersionUID = 1;

    /** A reason alone. */
    public BundleException(String message) {
        super(message);
    }

    /** A reason with what led to it. */
    public BundleException(String message, Throwable cause) {
        super(message, cause);
    }
}
