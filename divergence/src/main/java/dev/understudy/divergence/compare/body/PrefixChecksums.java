package dev.understudy.divergence.compare.body;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Tells between which bytes two bodies that aren't held begin to differ: sums of all bytes up to each of at most
 * {@value #MOST} places, which lie the further apart the longer a body is. Sums only say where to look; whether bodies
 * are the same, their hashes say. Confined to one thread until it is read.
 */
public final class PrefixChecksums {
    static final int MOST = 4096;
    private static final int FIRST_STEP = 4096;
    private static final int BYTES_OF_ONE = Integer.BYTES + Long.BYTES;

    private final CRC32C sum = new CRC32C();
    private int[] sums = new int[4];
    private long[] lines = new long[4];
    private int count;
    private long step = FIRST_STEP;
    private long length;
    private long line = 1;

    /**
     * Where two bodies begin to differ.
     *
     * @param from so many bytes are alike
     * @param to the first that isn't comes before so many
     * @param firstLine in which {@code from} lies in the first of the two, from 1
     * @param lastLine in which {@code to} does
     */
    public record Place(long from, long to, long firstLine, long lastLine) {}

    /** Leaves the buffer's position alone. */
    void add(ByteBuffer content) {
        ByteBuffer left = content.duplicate();
        while (left.hasRemaining()) {
            int part = (int) Math.min(left.remaining(), (count + 1) * step - length);
            ByteBuffer piece = left.slice(left.position(), part);
            left.position(left.position() + part);
            for (int i = 0; i < part; i++) {
                line += piece.get(i) == '\n' ? 1 : 0;
            }
            sum.update(piece);
            length += part;
            if (length == (count + 1) * step) {
                put();
            }
        }
    }

    /** Bytes of memory that it occupies. */
    int heldBytes() {
        return sums.length * BYTES_OF_ONE;
    }

    /** Where {@code other}, which isn't the same, begins to differ. */
    public Place differs(PrefixChecksums other) {
        long common = Math.max(step, other.step);
        long shorter = Math.min(length, other.length);
        long from = 0;
        long to = common;
        while (to <= shorter && sums[at(to)] == other.sums[other.at(to)]) {
            from = to;
            to += common;
        }
        return new Place(from, Math.min(to, shorter + 1), lineAt(from), to <= length ? lineAt(to) : line);
    }

    private int at(long bytes) {
        return (int) (bytes / step) - 1;
    }

    private long lineAt(long bytes) {
        return bytes == 0 ? 1 : lines[at(bytes)];
    }

    private void put() {
        if (count == sums.length) {
            sums = Arrays.copyOf(sums, count * 2);
            lines = Arrays.copyOf(lines, count * 2);
        }
        sums[count] = (int) sum.getValue();
        lines[count] = line;
        count++;
        if (count == MOST) {
            for (int i = 0; i < MOST / 2; i++) {
                sums[i] = sums[2 * i + 1];
                lines[i] = lines[2 * i + 1];
            }
            count = MOST / 2;
            step *= 2;
        }
    }
}
