package dev.understudy.session.ledger;

import java.util.List;

/**
 * Something that a session made on this machine.
 *
 * @param id counts from 1 within the session
 * @param kind what it is, which says how it is undone
 * @param words what names it, depending on the kind; no secret is among them
 */
public record LedgerEntry(int id, Kind kind, List<String> words) {
    public LedgerEntry {
        words = List.copyOf(words);
    }

    /** What can be made, and what its words are. */
    public enum Kind {
        /** A process that is killed: pid, start in clock ticks, what it is. */
        PROCESS,
        /** A network namespace that is deleted: its name. */
        NAMESPACE,
        /** A network link that is deleted: its name. */
        LINK,
        /** A rule of the packet filter that is deleted: pid in whose network it is or "-", then the program's words, with -A. */
        RULE,
        /** A directory that is deleted with all that is in it: its path. */
        DIRECTORY,
        /** A container that is removed: engine, name. */
        CONTAINER,
        /** An image of a container that is removed: engine, name. */
        IMAGE,
        /** A network of a container engine that is removed: engine, name. */
        NETWORK
    }
}
