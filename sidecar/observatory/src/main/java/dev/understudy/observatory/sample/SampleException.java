package dev.understudy.observatory.sample;

import java.io.IOException;

/** Samples can't be had; its message names the file, where it matters the line, and the way out. */
public final class SampleException extends IOException {
    private static final long serialVersionUID = 1L;

    /** With a message for a user. */
    public SampleException(String message) {
        super(message);
    }
}
