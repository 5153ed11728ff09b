package dev.understudy.sidecar.tee;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a listener does with the input it relays, beside relaying it. */
public enum TeeMode {
    /** Gives it to the debug JVM. */
    ON,
    /** Keeps it for the debug JVM, as long as the window holds, and gives it nothing. */
    PAUSED,
    /** Nothing: bytes aren't copied at all. */
    OFF;

    /** The word for it on command lines and in documents: {@code on}, {@code paused}, {@code off}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The mode with that word.
     *
     * @throws IllegalArgumentException if there is none; the message says which there are
     */
    public static TeeMode of(String word) {
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("mode: " + word + " (expected: one of "
                        + Arrays.stream(values()).map(TeeMode::word).collect(Collectors.joining(", ")) + ")"));
    }
}
