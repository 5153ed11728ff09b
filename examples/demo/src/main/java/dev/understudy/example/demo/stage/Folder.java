package dev.understudy.example.demo.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The temp folder that holds all files of a run and goes with it. */
final class Folder {
    private final Path path;

    private Folder(Path path) {
        this.path = path;
    }

    /** Makes the folder, and makes it the temp folder of this JVM, so that libraries leave nothing elsewhere. */
    static Folder create() throws IOException {
        // not Files.createTempDirectory: it would settle for good where temp files go
        Path path = Path.of(
                System.getProperty("java.io.tmpdir"),
                "understudy-demo-" + ProcessHandle.current().pid());
        delete(path);
        Files.createDirectory(path);
        System.setProperty(
                "java.io.tmpdir", Files.createDirectory(path.resolve("tmp")).toString());
        return new Folder(path);
    }

    Path path() {
        return path;
    }

    Path file(String name) {
        return path.resolve(name);
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
