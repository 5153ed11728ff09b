package dev.understudy.divergence.compare.sql;

/**
 * One column of a result.
 *
 * @param name as the client sees it
 * @param type the type in the protocol's own terms; the same text on both sides if it means the same to a client
 */
public record SqlColumn(String name, String type) {}
