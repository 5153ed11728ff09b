package dev.understudy.divergence.noise.learn;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.noise.NoiseRule;

/**
 * One difference in the light of its exchange.
 *
 * @param request method and target
 * @param production the value without quotes
 * @param debug the value without quotes
 */
record Sighting(
        String request,
        Difference difference,
        String production,
        String debug,
        TextSpan productionSpan,
        TextSpan debugSpan) {
    static Sighting of(String request, Difference difference, TextSpan production, TextSpan debug) {
        String ours = difference.production();
        String theirs = difference.debug();
        return new Sighting(
                request,
                difference,
                ours == null ? "" : NoiseRule.unquoted(ours),
                theirs == null ? "" : NoiseRule.unquoted(theirs),
                production,
                debug);
    }
}
