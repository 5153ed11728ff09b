package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Form;

/**
 * What can be told of an exchange of production's that the debug JVM hasn't asked for.
 *
 * @param id its number, from 1 in the order of recording
 * @param connection production's, by its number
 * @param startNanos when its request began, on the journal's clock
 * @param endNanos when its reply was complete
 * @param onDisk whether its reply is on disk
 */
public record JournalItem(long id, Form form, long connection, long startNanos, long endNanos, boolean onDisk) {}
