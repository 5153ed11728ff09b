package dev.understudy.it.fidelity.server;

import java.time.Instant;

/**
 * A call of the debug side that no recorded reply fitted.
 *
 * @param why one sentence of the aggregator's
 */
public record RefusedCall(Instant at, String form, String why) {}
