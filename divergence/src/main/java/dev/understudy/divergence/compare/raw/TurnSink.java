package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.compare.Verdict;
import org.jspecify.annotations.Nullable;

/** Is told what came of each turn of a connection. */
public interface TurnSink {
    /**
     * What came of one turn. Secrets aren't masked yet.
     *
     * @param answer what debug said to it; null if it wasn't told that turn, or what it says can't be told apart by
     *     turns
     */
    void turn(RawRequest asked, @Nullable RawAnswer answer, Verdict verdict);
}
