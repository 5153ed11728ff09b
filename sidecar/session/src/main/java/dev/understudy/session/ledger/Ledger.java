package dev.understudy.session.ledger;

import dev.understudy.session.ledger.LedgerEntry.Kind;

/** The list of what a session has made. For any thread. */
public interface Ledger {
    /**
     * Writes down that something is about to be made. It is on disk when this returns.
     *
     * @throws java.io.UncheckedIOException if it can't be written down; then nothing may be made
     */
    LedgerEntry add(Kind kind, String... words);

    /** Writes down that an entry's thing is no longer there. */
    void remove(LedgerEntry entry);

    /** Undoes what an entry says, if it is there, and removes the entry; false if it couldn't be undone. */
    boolean undo(LedgerEntry entry) throws InterruptedException;
}
