package dev.understudy.session.clone.checkpoint;

import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.target.TargetProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a snapshot: CRIU's images or a command, the scripts, {@code files/} with files as they were, and
 * notes for the restore. Only its owner may look into it.
 */
public record SnapshotFolder(Path directory) {
    private static final int DELETE_TRIES = 100;
    private static final long DELETE_PAUSE = 20_000_000;
    private static final String NOTES = "understudy.properties";

    /** Makes it with the scripts of that name. It must not be there. */
    public static SnapshotFolder create(Path directory, String... scripts) throws IOException {
        Files.createDirectory(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        SnapshotFolder folder = new SnapshotFolder(directory);
        Files.createDirectory(folder.files());
        for (String script : scripts) {
            try (InputStream in = SnapshotFolder.class.getResourceAsStream(script)) {
                if (in == null) {
                    throw new IOException(script + ": not in this program");
                }
                Files.copy(in, folder.path(script));
                Files.setPosixFilePermissions(folder.path(script), PosixFilePermissions.fromString("rwx------"));
            }
        }
        return folder;
    }

    /** A place for a snapshot of {@code target}, of which there is none yet. */
    public static Path place(CloneLimits limits, TargetProcess target) {
        String unique = UUID.randomUUID().toString().substring(0, 8);
        return limits.images().resolve("understudy-" + target.pid() + "-" + unique);
    }

    public Path path(String name) {
        return directory.resolve(name);
    }

    /** Files as they were, each below this at the path that the process saw. */
    public Path files() {
        return path("files");
    }

    /** Where a file of the process is kept; its path has no way out of {@link #files}. */
    public Path file(String path) throws IOException {
        Path file = files().resolve(path.replaceFirst("^/+", "")).normalize();
        if (!file.startsWith(files()) || file.equals(files())) {
            throw new IOException(path + ": an odd path of a file");
        }
        return file;
    }

    /** Writes lines into a file of it; none of them may have more than one line. */
    public void write(String name, List<String> lines) throws IOException {
        Files.writeString(path(name), lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }

    public void writeNotes(Properties notes) throws IOException {
        try (OutputStream out = Files.newOutputStream(path(NOTES))) {
            notes.store(out, null);
        }
    }

    public Properties notes() throws IOException {
        Properties notes = new Properties();
        try (InputStream in = Files.newInputStream(path(NOTES))) {
            notes.load(in);
        }
        return notes;
    }

    /** The bytes of all that is in it. */
    public long bytes() throws IOException {
        try (var walk = Files.walk(directory)) {
            return walk.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /** The lines of a log that report errors: the first three. One is harmless: a limit that CRIU would raise. */
    public String errors(String log) {
        return ProcFile.lines(path(log)).stream()
                .filter(line -> line.contains("Error") && !line.contains("RLIMIT_NOFILE for self"))
                .limit(3)
                .map(line -> line.replaceAll("\\p{Cntrl}", " ").strip())
                .map(line -> line.substring(0, Math.min(line.length(), 300)))
                .collect(Collectors.joining("; "));
    }

    /**
     * Deletes it with all that is in it, and follows no link out of it. A script of a CRIU that was killed may still
     * write into it for a moment. False if something of it is still there.
     */
    public boolean delete() {
        for (int i = 0; i < DELETE_TRIES; i++) {
            deleteOnce();
            if (!Files.exists(directory)) {
                return true;
            }
            LockSupport.parkNanos(DELETE_PAUSE);
        }
        return false;
    }

    private void deleteOnce() {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failed)
                        throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException left) {
            // it is tried again
        }
    }
}
