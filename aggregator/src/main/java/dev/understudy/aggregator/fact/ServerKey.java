package dev.understudy.aggregator.fact;

/**
 * Under which key something is known of a server itself, such as how it greets.
 *
 * @param name in the file that the next process reads: unique among those of a protocol
 * @param type what is known: a record or a text, which Jackson writes and reads
 */
public record ServerKey<T>(String name, Class<T> type) {}
