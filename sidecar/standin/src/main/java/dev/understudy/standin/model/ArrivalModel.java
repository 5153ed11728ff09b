package dev.understudy.standin.model;

import dev.understudy.standin.value.Quantiles;

/**
 * When requests come. Immutable.
 *
 * @param perSecond requests per second over the whole time, above 0
 * @param gapsMillis time between the begins of two requests that follow each other, on whatever connection
 * @param connections how many connections were open at once, at least 1
 * @param requestsPerConnection how many requests one connection has before it is closed
 */
public record ArrivalModel(double perSecond, Quantiles gapsMillis, int connections, Quantiles requestsPerConnection) {
    public ArrivalModel {
        if (!(perSecond > 0) || Double.isInfinite(perSecond)) {
            throw new IllegalArgumentException("rate: " + perSecond + " (expected: > 0 per second)");
        }
        if (connections < 1) {
            throw new IllegalArgumentException("connections: " + connections + " (expected: >= 1)");
        }
    }
}
