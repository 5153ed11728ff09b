package dev.understudy.session.target.proc;

import java.util.Optional;

/**
 * A line of {@code /proc/PID/maps} with a file.
 *
 * @param path as the process sees it
 * @param isWritten whether what the process writes there gets into the file
 * @param isDeleted whether the file has no name any more
 */
public record Mapping(String path, boolean isWritten, boolean isDeleted) {
    private static final String DELETED = " (deleted)";
    private static final int FIELDS = 6;

    /** Reads a line; empty without a file. */
    public static Optional<Mapping> parse(String line) {
        String[] fields = line.split("\\s+", FIELDS);
        if (fields.length < FIELDS || !fields[FIELDS - 1].startsWith("/")) {
            return Optional.empty();
        }
        String path = fields[FIELDS - 1];
        boolean deleted = path.endsWith(DELETED);
        return Optional.of(new Mapping(
                deleted ? path.substring(0, path.length() - DELETED.length()) : path,
                fields[1].matches(".w.s"),
                deleted));
    }
}
