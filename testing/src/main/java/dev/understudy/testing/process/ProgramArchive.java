package dev.understudy.testing.process;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The programs with their libraries, as they lie in this jar; unpacked once for each version. */
public final class ProgramArchive {
    private static final String RESOURCE = "programs.zip";

    private ProgramArchive() {}

    /**
     * Unpacks it below a folder, unless it is there already. Several JVMs may do so at once.
     *
     * @return the folder, laid out as the distribution is
     * @throws IllegalStateException if the archive isn't in the jar
     * @throws UncheckedIOException if the folder can't be written
     */
    public static Path unpack(Path below) {
        try {
            Path programs = below.resolve("programs-" + version());
            if (Files.isDirectory(programs)) {
                return programs;
            }
            Files.createDirectories(below);
            Path room = Files.createTempDirectory(below, "programs-");
            unzip(room);
            try {
                Files.move(room, programs, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException another) {
                delete(room);
                if (!Files.isDirectory(programs)) {
                    throw another;
                }
            }
            return programs;
        } catch (IOException failed) {
            throw new UncheckedIOException(below + ": can't be written: " + failed, failed);
        }
    }

    /**
     * A program's jar.
     *
     * @param programs the folder of all
     * @param name {@code sidecar}, {@code aggregator} or {@code session}
     */
    public static Path jar(Path programs, String name) {
        Path lib = programs.resolve("lib");
        try (Stream<Path> files = Files.list(lib)) {
            return files.filter(file -> file.getFileName().toString().startsWith(name + "-"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(lib + ": no " + name
                            + " in it (expected: what was unpacked there; remove " + programs + ")"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(lib + ": can't be read: " + unreadable, unreadable);
        }
    }

    private static String version() throws IOException {
        try (DigestInputStream in = new DigestInputStream(open(), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest(), 0, 6);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void unzip(Path room) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new BufferedInputStream(open()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = room.resolve(entry.getName()).normalize();
                if (!file.startsWith(room)) {
                    throw new IOException(entry.getName() + ": leads out of the archive");
                }
                if (!entry.isDirectory()) {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
    }

    private static InputStream open() {
        InputStream in = ProgramArchive.class.getResourceAsStream(RESOURCE);
        if (in == null) {
            throw new IllegalStateException(
                    RESOURCE + ": not on the class path (expected: the packaged jar of understudy-testing)");
        }
        return in;
    }

    /**
     * Removes a folder with all that is in it.
     *
     * @throws UncheckedIOException if something can't be removed
     */
    public static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException stays) {
            throw new UncheckedIOException(folder + ": can't be removed: " + stays, stays);
        }
    }
}
