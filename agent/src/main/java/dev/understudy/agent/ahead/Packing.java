package dev.understudy.agent.ahead;

import dev.understudy.agent.bootstrap.ClassStore;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;

/** Puts class files together as a {@link ClassStore} has them; called when the agent's jar is built. */
public final class Packing {
    private static final String CLASS = ".class";
    private static final String VISIBLE = "dev.understudy.agent.bootstrap.";
    private static final String ENTRY_POINT = "dev.understudy.agent.Agent";

    private Packing() {}

    /**
     * Packs the classes in the first folder, but those that the application may see, into the file that is named
     * second.
     */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Map<String, byte[]> classes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Iterator<Path> all = files.iterator(); all.hasNext(); ) {
                Path file = all.next();
                String path = folder.relativize(file).toString();
                String name = path.endsWith(CLASS)
                        ? path.substring(0, path.length() - CLASS.length())
                                .replace('/', '.')
                                .replace('\\', '.')
                        : ENTRY_POINT;
                if (!name.equals(ENTRY_POINT) && !name.startsWith(VISIBLE)) {
                    classes.put(name, Files.readAllBytes(file));
                }
            }
        }
        Files.write(Path.of(arguments[1]), packed(classes));
    }

    /** The entry with these classes, by their names with dots; in the same order it is always the same. */
    static byte[] packed(Map<String, byte[]> classes) throws IOException {
        int slots = Integer.highestOneBit(Math.max(1, 2 * classes.size())) * 2;
        ByteBuffer table = ByteBuffer.allocate(4 + 12 * slots).putInt(slots);
        ByteArrayOutputStream parts = new ByteArrayOutputStream();
        for (Map.Entry<String, byte[]> one : classes.entrySet()) {
            int begins = parts.size();
            add(parts, one.getKey().getBytes(StandardCharsets.UTF_8), one.getValue());
            int slot = ClassStore.hash(one.getKey()) & (slots - 1);
            while (table.getInt(4 + 12 * slot + 8) != 0) {
                slot = slot + 1 & (slots - 1);
            }
            table.position(4 + 12 * slot);
            table.putInt(ClassStore.hash(one.getKey())).putInt(begins).putInt(parts.size() - begins);
        }
        byte[] packed = new byte[table.capacity() + parts.size()];
        System.arraycopy(table.array(), 0, packed, 0, table.capacity());
        System.arraycopy(parts.toByteArray(), 0, packed, table.capacity(), parts.size());
        return packed;
    }

    private static void add(ByteArrayOutputStream parts, byte[] name, byte[] classFile) throws IOException {
        DataOutputStream out = new DataOutputStream(parts);
        out.writeShort(name.length);
        out.write(name);
        out.writeInt(classFile.length);
        DeflaterOutputStream deflated = new DeflaterOutputStream(parts);
        deflated.write(classFile);
        deflated.finish();
    }
}
