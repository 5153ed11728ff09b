package dev.understudy.session.outcome;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a session's outcome goes, besides its report.
 *
 * @param folder gets a folder for each outcome; null for none
 * @param webhook gets it as JSON by POST; null for none
 * @param otlp base address of an OTLP/HTTP receiver, such as {@code http://127.0.0.1:4318}; null for none
 */
public record OutcomeSettings(
        @Nullable Path folder,
        @Nullable URI webhook,
        @Nullable URI otlp) {
    /** Nowhere else. */
    public static final OutcomeSettings NONE = new OutcomeSettings(null, null, null);
}
