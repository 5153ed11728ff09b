package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.KernelFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Where numbers are in a JVM's perf data, the file {@code hsperfdata_USER/PID} that {@code jstat} reads: HotSpot's
 * {@code perfMemory.hpp}, version 2.0.
 *
 * <p>Whoever runs that JVM may have written anything there: every place is checked against the file's size, nothing is
 * allocated by a length in it, and it is read, not mapped, since a mapped file that is cut ends who reads it.
 *
 * @param longs the place of each number, by name
 * @param texts each text, by name
 * @param entries how many entries there were; more appear while a JVM starts
 */
record PerfData(Map<String, Integer> longs, Map<String, String> texts, int entries, ByteOrder order) {
    /** A larger file isn't read; a JVM's is 32 KiB unless it was set otherwise. */
    static final int MOST_BYTES = 1 << 18;

    private static final int MOST_ENTRIES = 8192;
    private static final int MOST_TEXT = 256;
    private static final int MAGIC = 0xcafec0c0;
    private static final int PROLOGUE = 32;
    private static final int ENTRY = 20;

    /**
     * Reads all of a file.
     *
     * @param wanted which names matter
     * @throws IOException if it can't be read, isn't such a file or is damaged, or isn't complete yet
     */
    static PerfData read(KernelFile file, Predicate<String> wanted) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(PROLOGUE);
        fill(file, start);
        int used = order(start).getInt(8);
        if (used < PROLOGUE || used > MOST_BYTES) {
            throw new IOException("perf data: " + used + " bytes in use (expected: 32 to " + MOST_BYTES + ")");
        }
        ByteBuffer all = ByteBuffer.allocate(used);
        fill(file, all);
        return parse(all, wanted);
    }

    private static void fill(KernelFile file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (file.read(bytes, bytes.position()) == 0) {
                break;
            }
        }
        bytes.flip();
    }

    /** Checks the file's first bytes, and sets the order of the others. */
    private static ByteBuffer order(ByteBuffer bytes) throws IOException {
        if (bytes.limit() < PROLOGUE || bytes.order(ByteOrder.BIG_ENDIAN).getInt(0) != MAGIC) {
            throw new IOException("perf data: no such file (expected: it begins with CAFEC0C0)");
        }
        if (bytes.get(5) != 2) {
            throw new IOException("perf data: version " + bytes.get(5) + " (expected: 2)");
        }
        if (bytes.get(7) == 0) {
            throw new IOException("perf data: not complete yet");
        }
        return bytes.order(bytes.get(4) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    }

    /**
     * Finds the numbers in a file's bytes.
     *
     * @param bytes from the first to the limit
     * @throws IOException if they aren't perf data, or are damaged; names the place
     */
    static PerfData parse(ByteBuffer bytes, Predicate<String> wanted) throws IOException {
        order(bytes);
        int limit = bytes.limit();
        int at = bytes.getInt(24);
        int count = bytes.getInt(28);
        if (count < 0 || count > MOST_ENTRIES) {
            throw new IOException("perf data: " + count + " entries (expected: up to " + MOST_ENTRIES + ")");
        }
        Map<String, Integer> longs = new TreeMap<>();
        Map<String, String> texts = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            check(at >= PROLOGUE && at <= limit - ENTRY, at, "an entry");
            int length = bytes.getInt(at);
            int name = bytes.getInt(at + 4);
            int vector = bytes.getInt(at + 8);
            int data = bytes.getInt(at + 16);
            check(length >= ENTRY && length <= limit - at, at, "a length within the file");
            check(name >= ENTRY && name < length && data > name && data <= length - 1, at, "name and value within it");
            String key = text(bytes, at + name, at + data);
            if (wanted.test(key)) {
                if (bytes.get(at + 12) == 'J' && vector == 0 && data <= length - Long.BYTES) {
                    longs.put(key, at + data);
                } else if (bytes.get(at + 12) == 'B') {
                    texts.put(key, text(bytes, at + data, at + length));
                }
            }
            at += length;
        }
        return new PerfData(Map.copyOf(longs), Map.copyOf(texts), count, bytes.order());
    }

    private static void check(boolean holds, int place, String expected) throws IOException {
        if (!holds) {
            throw new IOException("perf data: damaged at byte " + place + " (expected: " + expected + ")");
        }
    }

    private static String text(ByteBuffer bytes, int from, int to) {
        int most = Math.min(to, from + MOST_TEXT);
        int end = from;
        while (end < most && bytes.get(end) != 0) {
            end++;
        }
        byte[] text = new byte[end - from];
        bytes.get(from, text);
        return new String(text, StandardCharsets.US_ASCII);
    }
}
