package dev.understudy.session.program;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * The source files below a folder, or in a jar, as one archive. A session's programs run as a user who may not read the
 * folder itself. Immutable once it is read.
 */
public final class SourceArchive {
    /** What the sidecar shows of a file. */
    private static final int LARGEST = 1 << 20;

    private static final int MOST_FILES = 50_000;
    /** Of one, and of all that a session has: its programs' place is in memory. */
    private static final int MOST_BYTES = 64 << 20;

    private static final int MOST_DEPTH = 40;
    private static final Set<String> ENDINGS = Set.of(".java", ".kt", ".scala");

    private final Path root;
    private final ByteArrayOutputStream archived = new ByteArrayOutputStream();
    private int files;

    private SourceArchive(Path root) {
        this.root = root;
    }

    /**
     * Reads all of each.
     *
     * @throws IOException as {@link #of}, or if they are larger than one may be
     */
    public static List<SourceArchive> of(List<Path> roots) throws IOException {
        List<SourceArchive> archives = new ArrayList<>();
        long bytes = 0;
        for (Path root : roots) {
            SourceArchive archive = of(root);
            bytes += archive.archived.size();
            if (bytes > MOST_BYTES) {
                throw new IOException(root + ": with it more than 64 MiB of source (expected: what is looked into)");
            }
            archives.add(archive);
        }
        return archives;
    }

    /**
     * Reads all of it.
     *
     * @param root a folder or a jar
     * @throws IOException if it can't be read, has no source, or more than 50,000 files or 64 MiB compressed; the
     *     message names it
     */
    static SourceArchive of(Path root) throws IOException {
        SourceArchive archive = new SourceArchive(root);
        try (ZipOutputStream out = new ZipOutputStream(archive.archived)) {
            if (Files.isDirectory(root)) {
                archive.addFolder(out);
            } else {
                archive.addJar(out);
            }
        }
        if (archive.files == 0) {
            throw new IOException(root + ": no source (expected: files that end in .java, .kt or .scala)");
        }
        return archive;
    }

    /** A zip file's bytes. */
    byte[] bytes() {
        return archived.toByteArray();
    }

    private void addFolder(ZipOutputStream out) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(root, MOST_DEPTH)) {
            walk.filter(file -> isSource(file.toString()) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .limit(MOST_FILES + 1L)
                    .forEach(found::add);
        } catch (UncheckedIOException unreadable) {
            throw new IOException(root + " can't be read: " + unreadable.getMessage(), unreadable);
        }
        for (Path file : found) {
            try (InputStream in = Files.newInputStream(file)) {
                add(root.relativize(file).toString(), in, out);
            }
        }
    }

    private void addJar(ZipOutputStream out) throws IOException {
        try (ZipFile jar = open()) {
            Enumeration<? extends ZipEntry> entries = jar.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (isSource(entry.getName())) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        add(entry.getName(), in, out);
                    }
                }
            }
        }
    }

    private ZipFile open() throws IOException {
        try {
            return new ZipFile(root.toFile());
        } catch (IOException unreadable) {
            throw new IOException(root + " can't be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static boolean isSource(String name) {
        return ENDINGS.stream().anyMatch(name::endsWith);
    }

    private void add(String name, InputStream in, ZipOutputStream out) throws IOException {
        byte[] content = in.readNBytes(LARGEST + 1);
        if (content.length > LARGEST) {
            return;
        }
        if (++files > MOST_FILES || archived.size() > MOST_BYTES) {
            throw new IOException(root + ": more than " + MOST_FILES + " files, or 64 MiB (expected: the folder of"
                    + " one project)");
        }
        out.putNextEntry(new ZipEntry(name));
        out.write(content);
        out.closeEntry();
    }
}
