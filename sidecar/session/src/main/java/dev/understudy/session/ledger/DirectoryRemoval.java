package dev.understudy.session.ledger;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.List;

/**
 * Deletes directories of a session: its own ones and what is below, never through a symbolic link.
 *
 * <p>Each step opens a name in a directory that is open already, openat(2): what somebody moves meanwhile changes
 * nothing.
 */
final class DirectoryRemoval {
    private static final int DEEPEST = 1_000;

    private final List<Path> roots;

    DirectoryRemoval(List<Path> roots) {
        this.roots = List.copyOf(roots);
    }

    /** Deletes a directory of the session's, unless it isn't there. */
    void remove(String text) throws RemovalException {
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException damaged) {
            throw RemovalException.foreign("its entry isn't a path: it was damaged");
        }
        if (!path.isAbsolute()
                || !path.equals(path.normalize())
                || roots.stream().noneMatch(root -> root.isAbsolute() && path.startsWith(root))) {
            throw RemovalException.foreign("it isn't below the session's own directories: " + roots);
        }
        delete(path);
    }

    /** Deletes a directory, wherever it is. */
    void delete(Path path) throws RemovalException {
        try {
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return;
            }
            Path parent = path.getParent();
            if (parent == null || !parent.toRealPath().equals(parent)) {
                throw new RemovalException("a symbolic link is on the way to it");
            }
            requireNoMounts(path);
            try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent)) {
                if (!(stream instanceof SecureDirectoryStream<Path> secure)) {
                    throw new RemovalException("this file system can't be deleted from safely");
                }
                deleteEntry(secure, path.getFileName(), 0);
            }
        } catch (IOException failed) {
            throw new RemovalException(String.valueOf(failed.getMessage()), failed);
        }
    }

    private static void deleteEntry(SecureDirectoryStream<Path> parent, Path name, int depth)
            throws IOException, RemovalException {
        if (depth > DEEPEST) {
            throw new RemovalException("more than " + DEEPEST + " directories within each other");
        }
        try {
            boolean isDirectory = parent.getFileAttributeView(
                            name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes()
                    .isDirectory();
            if (!isDirectory) {
                parent.deleteFile(name);
                return;
            }
            try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                for (Path entry : directory) {
                    deleteEntry(directory, entry.getFileName(), depth + 1);
                }
            }
            parent.deleteDirectory(name);
        } catch (NoSuchFileException gone) {
            // somebody else was faster
        }
    }

    /** What is mounted there isn't the session's: deleting would reach into it. */
    private static void requireNoMounts(Path path) throws IOException, RemovalException {
        String mounts = new String(Files.readAllBytes(Path.of("/proc/self/mountinfo")), StandardCharsets.UTF_8);
        for (String line : mounts.lines().toList()) {
            String[] fields = line.split(" ", -1);
            String point = fields.length > 4 ? fields[4].replace("\\040", " ") : "";
            if (point.startsWith("/") && Path.of(point).startsWith(path)) {
                throw new RemovalException("something is mounted in it: umount " + point);
            }
        }
    }
}
