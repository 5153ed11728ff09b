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
final class PatchClassFiles {
    private PatchClassFiles() {}

    /**
     * A jar with nothing but them.
     *
     * @throws IOException if they can't be read, or there are none
     */
    static byte[] packed(Path place) throws IOException {
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
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file)
                        .toString()
                        .replace(file.getFileSystem().getSeparator(), "/");
                if (isClass(name)) {
                    files.put(name, Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    private static Map<String, byte[]> ofJar(Path jar) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (isClass(entry.getName())) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        files.put(entry.getName(), in.readAllBytes());
                    }
                }
            }
        }
        return files;
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.startsWith("META-INF/") && !name.endsWith("module-info.class");
    }
}
