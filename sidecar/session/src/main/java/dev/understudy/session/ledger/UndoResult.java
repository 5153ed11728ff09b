package dev.understudy.session.ledger;

import java.util.List;

/**
 * What came of an undo.
 *
 * @param removed what is gone now, in words
 * @param left what is still there
 */
public record UndoResult(List<String> removed, List<Remainder> left) {
    public UndoResult {
        removed = List.copyOf(removed);
        left = List.copyOf(left);
    }

    /** Whether nothing is left. */
    public boolean isComplete() {
        return left.isEmpty();
    }

    /**
     * Something that couldn't be removed.
     *
     * @param what it is
     * @param reason why it is still there
     * @param byHand a command that removes it
     */
    public record Remainder(String what, String reason, String byHand) {}
}
