package dev.understudy.divergence.compare.raw;

/**
 * What debug said to one turn, as far as it is known to be said to that.
 *
 * @param said its first bytes, {@value #MOST_SAID} at most: printable ASCII as it is, others as {@code \x00}; may hold
 *     secrets
 * @param whole whether there is an answer, and its end is known
 * @param nanos if it is whole: from when debug was told the turn's first byte to when the answer's last one came
 */
public record RawAnswer(String said, boolean whole, long nanos) {
    static final int MOST_SAID = 64;
}
