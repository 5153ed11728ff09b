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

    /** What can be made, and what its words are. A network is named by its number: see {@code NetworkNamespace}. */
    public enum Kind {
        /** A process that is killed with what it started: pid, start in clock ticks, what it is. */
        PROCESS,
        /** A network namespace that is deleted with the processes in it: its name, which holds the session's id. */
        NAMESPACE,
        /** A network link that is deleted: the number of its network, its name, which holds the session's id. */
        LINK,
        /**
         * A rule of the packet filter that is deleted: the number of its network, then the program and its words, with
         * {@code -A} or {@code -I} and the session's comment.
         */
        RULE,
        /** A directory that is deleted with all that is in it: its path, below the session's own or its images'. */
        DIRECTORY,
        /** A container that is removed: engine, name. It has the session's label. */
        CONTAINER,
        /** An image of a container that is removed: engine, name. It has the session's label. */
        IMAGE,
        /** A network of a container engine that is removed: engine, name. It has the session's label. */
        NETWORK
    }

    /** The words in one line, for a message. */
    String text() {
        return kind + " " + String.join(" ", words);
    }
}
