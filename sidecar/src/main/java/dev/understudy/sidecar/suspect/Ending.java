package dev.understudy.sidecar.suspect;

import org.jspecify.annotations.Nullable;

/**
 * How an exchange ended that the debug JVM was told the trace of; secrets are masked already.
 *
 * @param span the debug span, 16 hex digits
 * @param exchange its number within this process
 * @param request e.g. {@code GET /orders/7}
 * @param different whether the replies differ
 * @param status of the debug JVM's reply; 0 if there was none, or its protocol has none
 * @param debugMillis from the request's delivery to the end of debug's reply; null if that never came
 */
public record Ending(
        String span,
        long exchange,
        String listener,
        long connection,
        String request,
        boolean different,
        int status,
        @Nullable Double debugMillis) {}
