package dev.understudy.observatory.event;

import java.io.IOException;

/** Receives the exchanges of a tier, in the order in which they end on their connection. */
@FunctionalInterface
public interface TierSink {
    /**
     * One exchange.
     *
     * @throws IOException if no more can be taken; reading ends then
     */
    void add(TierExchange exchange) throws IOException;
}
