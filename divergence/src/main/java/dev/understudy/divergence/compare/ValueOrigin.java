package dev.understudy.divergence.compare;

import org.jspecify.annotations.Nullable;

/**
 * The whole texts that the values of a difference were cut from, for masking: often only what stands around a value
 * shows that it is secret.
 *
 * @param named how long the difference's path was before names of these texts were added to it
 * @param production where production's value stood; null if it is shown whole
 * @param debug the same of debug's
 * @param outer where these texts stood themselves; null if nowhere
 */
public record ValueOrigin(
        int named,
        @Nullable TextRange production,
        @Nullable TextRange debug,
        @Nullable ValueOrigin outer) {}
