package dev.understudy.session.clone.container;

import java.nio.file.Path;

/**
 * What of this machine a container sees, and what its copy sees instead.
 *
 * @param number counts the mounts of a specification, from 0
 * @param source on this machine
 * @param destination in the container
 * @param way how the copy gets it
 */
record SpecMount(int number, Path source, String destination, Way way) {
    /** How the copy gets something. */
    enum Way {
        /** A directory below files of its own: what it writes stays in the copy. */
        OVERLAY,
        /** A file of which it has its own. */
        COPY,
        /** A socket, which would lead to somebody else: an empty file. */
        EMPTY,
        /** The machine's own, which can't be covered: for reading only. */
        READ_ONLY
    }
}
