package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.compare.Verdict;

/** Is told what came of each turn of a connection. */
public interface TurnSink {
    /**
     * What came of one turn. Secrets aren't masked yet.
     *
     * @param number that of the turn on its connection, from 1
     * @param word what the client's bytes begin with, if that is a word of ASCII letters with more behind it; else empty
     * @param asked how many bytes the client said
     */
    void turn(long number, String word, long asked, Verdict verdict);
}
