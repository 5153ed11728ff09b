package dev.understudy.example.demo.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** The temp folder that holds all files of a run and goes with it. */
final class Folder {
    private final Path path;

    private Folder(Path path) {
        this.path = path;
    }

    /** A folder of a name that nobody else has; it isn't there yet. */
    static Folder named() {
        String name = "understudy-demo-" + UUID.randomUUID();
        return new Folder(Path.of(System.getProperty("java.io.tmpdir"), name));
    }

    /** Makes the folder, for its owner's eyes only, with another one in it for the temp files of child processes. */
    void create() throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectory(path);
        }
        Files.createDirectory(path.resolve("tmp"));
    }

    Path path() {
        return path;
    }

    Path file(String name) {
        return path.resolve(name);
    }

    /** Copies the logs and the configuration files to another folder, if that can be written. */
    void keepLogs(Path other) throws IOException {
        if (!Files.isDirectory(path) || !Files.isWritable(other.getParent())) {
            return;
        }
        delete(other);
        Files.createDirectory(other);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path, "*.{log,yaml}")) {
            for (Path file : files) {
                Files.copy(file, other.resolve(file.getFileName()));
            }
        }
    }

    /** Processes may still be removing their own files meanwhile. */
    void delete() throws IOException {
        delete(path);
    }

    private static void delete(Path path) throws IOException {
        IOException last = null;
        for (int attempt = 0; attempt < 5; attempt++) {
            try (Stream<Path> files = Files.walk(path)) {
                List<Path> deepestFirst =
                        files.sorted(Comparator.reverseOrder()).toList();
                for (Path file : deepestFirst) {
                    Files.deleteIfExists(file);
                }
                return;
            } catch (NoSuchFileException e) {
                return;
            } catch (UncheckedIOException e) {
                last = e.getCause();
            } catch (IOException e) {
                last = e;
            }
        }
        throw last == null ? new IOException(path + " keeps filling") : last;
    }
}
