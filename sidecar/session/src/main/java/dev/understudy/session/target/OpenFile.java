package dev.understudy.session.target;

import java.util.Set;

/**
 * A file that the target writes, or that has no name any more.
 *
 * @param path as the target sees it
 * @param uses what it does with the file
 * @param bytes its size; -1 if that isn't known
 */
public record OpenFile(String path, Set<FileUse> uses, long bytes) {
    public OpenFile {
        uses = Set.copyOf(uses);
    }
}
