package dev.understudy.agent.bootstrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The agent's own class files in one entry of its jar, which isn't compressed as a whole: of a jar's entries the JDK
 * looks at every name before the first is read, by code that isn't compiled yet when an agent starts.
 *
 * <p>The entry begins with the number of slots, a power of two; then come the slots, of three numbers each: a name's
 * {@link #hash}, where its part begins behind the slots, and how long that is, 0 where the slot is free. A name whose
 * slot is taken has the next that is free. A part is the length of the name (two bytes), the name with dots in UTF-8,
 * the length of the class file, and the class file deflated. Numbers are of four bytes, the highest first. For any
 * threads.
 */
public final class ClassStore {
    /** The entry's name. */
    public static final String ENTRY = "inst/classes";

    private static final int SLOT = 12;

    private final JarFile jar;
    private final @Nullable JarEntry entry;
    private volatile byte @Nullable [] slots;

    /** Of a jar that stays open; there are no classes if it has no such entry. */
    ClassStore(JarFile jar) {
        this.jar = jar;
        this.entry = jar.getJarEntry(ENTRY);
    }

    /** By which the first slot of a name, with dots, is found: in its lowest bits. */
    public static int hash(String name) {
        int hash = name.hashCode();
        return hash ^ hash >>> 16;
    }

    /**
     * The class file of that name, with dots; null if there is none.
     *
     * @throws IOException if it can't be read
     */
    byte @Nullable [] find(String name) throws IOException {
        if (entry == null) {
            return null;
        }
        byte[] all = slots();
        int hash = hash(name);
        int mask = all.length / SLOT - 1;
        for (int slot = hash & mask, left = mask; left >= 0; slot = slot + 1 & mask, left--) {
            int length = number(all, slot * SLOT + 8);
            if (length == 0) {
                return null;
            }
            if (number(all, slot * SLOT) == hash) {
                byte[] part = read(entry, 4L + all.length + number(all, slot * SLOT + 4), length);
                int named = (part[0] & 0xFF) << 8 | (part[1] & 0xFF);
                if (name.equals(new String(part, 2, named, StandardCharsets.UTF_8))) {
                    return inflated(part, 2 + named);
                }
            }
        }
        return null;
    }

    private byte[] slots() throws IOException {
        byte[] known = slots;
        if (known == null && entry != null) {
            known = read(entry, 4, number(read(entry, 0, 4), 0) * SLOT);
            slots = known;
        }
        return known == null ? new byte[0] : known;
    }

    /** To skip takes no time, as the entry isn't compressed. */
    private byte[] read(JarEntry entry, long from, int length) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            for (long left = from; left > 0; ) {
                long skipped = in.skip(left);
                if (skipped <= 0) {
                    throw new IOException(jar.getName() + ": " + ENTRY + " is too short");
                }
                left -= skipped;
            }
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new IOException(jar.getName() + ": " + ENTRY + " is too short");
            }
            return bytes;
        }
    }

    private byte[] inflated(byte[] part, int from) throws IOException {
        byte[] bytes = new byte[number(part, from)];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(part, from + 4, part.length - from - 4);
            if (inflater.inflate(bytes) < bytes.length || inflater.inflate(new byte[1]) > 0 || !inflater.finished()) {
                throw new IOException(jar.getName() + ": " + ENTRY + " is damaged");
            }
            return bytes;
        } catch (DataFormatException damaged) {
            throw new IOException(jar.getName() + ": " + ENTRY + " is damaged", damaged);
        } finally {
            inflater.end();
        }
    }

    private static int number(byte[] bytes, int at) {
        return bytes[at] << 24 | (bytes[at + 1] & 0xFF) << 16 | (bytes[at + 2] & 0xFF) << 8 | (bytes[at + 3] & 0xFF);
    }
}
