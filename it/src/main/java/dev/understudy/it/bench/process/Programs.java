package dev.understudy.it.bench.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a machine keeps its programs. */
public final class Programs {
    private static final Path POSTGRESQL = Path.of("/usr/lib/postgresql");

    private Programs() {}

    /** The program of that name: on the PATH, in {@code /usr/sbin}, or in PostgreSQL's own folder. */
    public static Optional<Path> find(String name) {
        return folders().stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    public static String path(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalStateException(name + ": not installed"))
                .toString();
    }

    private static List<Path> folders() {
        List<Path> folders = new ArrayList<>();
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            folders.add(Path.of(folder));
        }
        folders.add(Path.of("/usr/sbin"));
        if (Files.isDirectory(POSTGRESQL)) {
            try (DirectoryStream<Path> versions = Files.newDirectoryStream(POSTGRESQL)) {
                versions.forEach(version -> folders.add(version.resolve("bin")));
            } catch (IOException unreadable) {
                return folders;
            }
        }
        return folders;
    }
}
