package dev.understudy.kubernetes.manifest;

import java.io.IOException;

/** What is wrong with a manifest. The message shows the value, what was expected, and so the way out. */
public final class ManifestException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Makes one with its message for the user. */
    public ManifestException(String message) {
        super(message);
    }
}
