package dev.understudy.sidecar.steer;

import dev.understudy.divergence.content.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Class files in a jar, which debug JVMs run in the place of their own. Immutable. */
public final class Patch {
    /** The most classes. */
    static final int MOST_CLASSES = 2000;
    /** The most bytes that they may have together, unpacked. */
    static final int MOST_BYTES = 32 << 20;

    /** A class file's magic number and version, and one byte more. */
    private static final int LOOKED_AT = 9;

    private static final String SUFFIX = ".class";
    private static final int MAGIC = 0xCAFEBABE;

    private final String id;
    private final byte[] jar;
    private final Set<String> classes;

    private Patch(String id, byte[] jar, Set<String> classes) {
        this.id = id;
        this.jar = jar;
        this.classes = classes;
    }

    /**
     * The patch in {@code jar}, which isn't changed any more.
     *
     * @throws IllegalArgumentException if it isn't a jar with class files of an application, or too large
     */
    public static Patch of(byte[] jar) {
        Set<String> classes = new TreeSet<>();
        int left = MOST_BYTES;
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                byte[] begin = in.readNBytes(LOOKED_AT);
                left -= begin.length + passOver(in, left);
                if (left < 0) {
                    throw new IllegalArgumentException(
                            "patch: unpacked larger (expected: at most " + MOST_BYTES + " bytes)");
                }
                if (!entry.isDirectory()) {
                    classes.add(className(entry.getName(), begin));
                }
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("patch: " + unreadable.getMessage() + " (expected: a jar)", unreadable);
        }
        if (classes.isEmpty() || classes.size() > MOST_CLASSES) {
            throw new IllegalArgumentException("patch: " + classes.size() + " classes (expected: a jar with 1 to "
                    + MOST_CLASSES + " class files)");
        }
        return new Patch(id(jar), jar, Set.copyOf(classes));
    }

    /** Its name: the first half of the jar's SHA-256 in hexadecimal. */
    public String id() {
        return id;
    }

    /** The jar; not to be changed. */
    public byte[] jar() {
        return jar;
    }

    /** The classes' names with dots, in order. */
    public Set<String> classes() {
        return new TreeSet<>(classes);
    }

    /** Reads to an entry's end, or some more than {@code most} bytes; how many these were. */
    private static int passOver(InputStream in, int most) throws IOException {
        byte[] buffer = new byte[8 << 10];
        int passed = 0;
        for (int read = in.read(buffer); read > 0; read = passed > most ? 0 : in.read(buffer)) {
            passed += read;
        }
        return passed;
    }

    private static String className(String entry, byte[] bytes) {
        boolean classFile = entry.endsWith(SUFFIX)
                && bytes.length > 8
                && ByteBuffer.wrap(bytes).getInt() == MAGIC;
        if (!classFile || entry.startsWith("META-INF/") || entry.endsWith("module-info.class")) {
            throw new IllegalArgumentException(
                    "patch: " + entry + " (expected: class files only, in their packages' folders)");
        }
        return entry.substring(0, entry.length() - SUFFIX.length()).replace('/', '.');
    }

    private static String id(byte[] jar) {
        byte[] digest = Sha256.of(jar);
        return HexFormat.of().formatHex(digest, 0, digest.length / 2);
    }
}
