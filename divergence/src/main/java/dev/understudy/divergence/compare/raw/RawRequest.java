package dev.understudy.divergence.compare.raw;

/**
 * What the client said in one turn.
 *
 * @param number that of the turn on its connection, from 1
 * @param word what it begins with, if that is a word of ASCII letters with more behind it; else empty
 * @param said its first bytes, {@value #MOST_SAID} at most, as {@link RawAnswer#said}; may hold secrets
 * @param from how many bytes the client had said on that connection before
 * @param bytes how many it said; 0 if the server spoke first
 * @param arrivedNanos when the first of them arrived, as {@link RawComparison#client} was told; nothing if there are
 *     none
 */
public record RawRequest(long number, String word, String said, long from, long bytes, long arrivedNanos) {
    static final int MOST_SAID = 128;
}
