package dev.understudy.sidecar.command.steer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** The class files of a folder or a jar, packed so that the same files make the same bytes. */
public final class PatchClassFiles {
    /** Files of a folder, or entries of a jar, that are looked at. */
    private static final int MOST_FILES = 20_000;
    /** Bytes of all class files together; a sidecar takes no more. */
    private static final int MOST_BYTES = 32 << 20;

    private PatchClassFiles() {}

    /**
     * A jar with nothing but them.
     *
     * @throws IOException if they can't be read, there are none, or more than a sidecar takes
     */
    public static byte[] packed(Path place) throws IOException {
        if (!Files.exists(place)) {
            throw new NoSuchFileException(place.toString());
        }
        Map<String, byte[]> files = Files.isDirectory(place) ? ofFolder(place) : ofJar(place);
        if (files.isEmpty()) {
            throw new IOException(place + ": no class files (expected: a folder such as target/classes, or a jar)");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setTime(0);
                out.putNextEntry(entry);
                out.write(file.getValue());
                out.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static Map<String, byte[]> ofFolder(Path folder) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> found = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            long room = MOST_BYTES;
            int seen = 0;
            for (Path file : (Iterable<Path>) found.filter(Files::isRegularFile)::iterator) {
                String name = folder.relativize(file)
                        .toString()
                        .replace(file.getFileSystem().getSeparator(), "/");
                if (isClass(name)) {
                    byte[] bytes = read(Files.newInputStream(file), room);
                    room -= bytes.length;
                    files.put(name, bytes);
                }
                check(folder, ++seen, room);
            }
        }
        return files;
    }

    private static Map<String, byte[]> ofJar(Path jar) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            long room = MOST_BYTES;
            int seen = 0;
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (isClass(entry.getName())) {
                    byte[] bytes = read(zip.getInputStream(entry), room);
                    room -= bytes.length;
                    files.put(entry.getName(), bytes);
                }
                check(jar, ++seen, room);
            }
        }
        return files;
    }

    /** All of it, or one byte more than there is room for. */
    private static byte[] read(InputStream in, long room) throws IOException {
        try (in) {
            return in.readNBytes((int) room + 1);
        }
    }

    private static void check(Path place, int seen, long room) throws IOException {
        if (seen > MOST_FILES || room < 0) {
            throw new IOException(place + ": more than " + MOST_FILES + " files, or " + (MOST_BYTES >> 20)
                    + " MiB of classes (expected: a folder or jar with the changed classes alone)");
        }
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.startsWith("META-INF/") && !name.endsWith("module-info.class");
    }
}
