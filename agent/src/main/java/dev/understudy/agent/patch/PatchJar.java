package dev.understudy.agent.patch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The class files in a jar, bounded whatever the jar says of itself. */
final class PatchJar {
    private static final int MOST_CLASSES = 2000;
    private static final int MOST_BYTES = 32 << 20;
    private static final String SUFFIX = ".class";

    private PatchJar() {}

    /**
     * The class files by their names with slashes.
     *
     * @throws IOException if it isn't a jar, or too much is in it
     */
    static Map<String, byte[]> read(byte[] jar) throws IOException {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        int left = MOST_BYTES;
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String name = entry.getName();
                byte[] bytes = in.readNBytes(left + 1);
                left -= bytes.length;
                if (left < 0 || classes.size() >= MOST_CLASSES) {
                    throw new IOException("more than " + MOST_CLASSES + " classes or " + MOST_BYTES + " bytes");
                }
                if (name.endsWith(SUFFIX)) {
                    classes.put(name.substring(0, name.length() - SUFFIX.length()), bytes);
                }
            }
        } catch (IllegalArgumentException oddName) {
            throw new IOException("can't be read: " + oddName.getMessage(), oddName);
        }
        if (classes.isEmpty()) {
            throw new IOException("no class file is in it");
        }
        return classes;
    }
}
