package dev.understudy.sidecar.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Folders and jars that hold sources. A root may be the folder above the packages, or a project with the usual
 * {@code src/main/java}. Links that lead out of a folder aren't followed. Immutable; reading blocks.
 *
 * @param paths looked at in this order
 */
public record SourceRoots(List<Path> paths) {
    /** Roots that a setting may name. */
    public static final int MOST = 16;

    private static final List<String> BELOW =
            List.of("", "src/main/java/", "src/main/kotlin/", "src/main/scala/", "src/test/java/");

    private static final int LARGEST = 1 << 20;

    public SourceRoots {
        paths = List.copyOf(paths);
    }

    /**
     * The source of a class; null if no root has it.
     *
     * @throws IOException if no root has it and one can't be read, or if it has more than 1 MiB; the message names that
     */
    public @Nullable SourceFile find(SourceName name) throws IOException {
        IOException problem = null;
        for (Path root : paths) {
            try {
                SourceFile found = Files.isDirectory(root) ? inFolder(root, name.file()) : inJar(root, name.file());
                if (found != null) {
                    return found;
                }
            } catch (IOException unreadable) {
                problem = new IOException(root + " can't be read: " + unreadable, unreadable);
            }
        }
        if (problem != null) {
            throw problem;
        }
        return null;
    }

    private static @Nullable SourceFile inFolder(Path folder, String file) throws IOException {
        Path root = folder.toRealPath();
        for (String name : names(file)) {
            Path candidate = root.resolve(name);
            if (Files.isRegularFile(candidate)) {
                Path found = candidate.toRealPath();
                if (found.startsWith(root)) {
                    try (InputStream in = Files.newInputStream(found)) {
                        return read(found.toString(), in);
                    }
                }
            }
        }
        return null;
    }

    private static @Nullable SourceFile inJar(Path jar, String file) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (String name : names(file)) {
                ZipEntry entry = zip.getEntry(name);
                if (entry != null) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        return read(jar + "!" + name, in);
                    }
                }
            }
        }
        return null;
    }

    private static SourceFile read(String path, InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(LARGEST + 1);
        if (bytes.length > LARGEST) {
            throw new IOException(path + " has more than " + LARGEST + " bytes");
        }
        return SourceFile.of(path, bytes);
    }

    /** Kotlin puts functions that belong to no class into one that is called after the file. */
    private static List<String> names(String file) {
        String kotlin = file.endsWith("Kt") ? file.substring(0, file.length() - 2) : file;
        return BELOW.stream()
                .flatMap(below ->
                        List.of(below + file + ".java", below + kotlin + ".kt", below + file + ".scala").stream())
                .toList();
    }
}
