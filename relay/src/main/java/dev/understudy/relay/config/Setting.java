package dev.understudy.relay.config;

import org.jspecify.annotations.Nullable;

/**
 * One setting as a reader asks for it; the tables in the documents are made of these.
 *
 * @param path its place in the file, such as {@code window.memory}; items of lists by number
 * @param expected what may be written there, as messages say it; empty if the reader only looks whether it is there
 * @param otherwise what holds where it isn't set; null if it is required, a list, or only looked for
 */
public record Setting(
        String path, Kind kind, String expected, @Nullable Object otherwise) {
    /** How a setting is asked for. */
    public enum Kind {
        /** It has to be there. */
        REQUIRED,
        /** It has a default. */
        OPTIONAL,
        /** A list, empty unless it is there. */
        LIST,
        /** A list that has to be there. */
        REQUIRED_LIST,
        /** The reader looks whether it is there. */
        LOOKED_FOR
    }
}
