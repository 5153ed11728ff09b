package dev.understudy.divergence.wire;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.zip.CRC32;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One input as it may arrive: whole, byte by byte, and in pieces. Where the pieces end is decided by the input itself,
 * so that what was found with it is found again.
 */
public final class Splits {
    /** What reading may allocate, and for each byte that came. */
    private static final long ALLOCATED = 4 << 20;

    private static final long ALLOCATED_PER_BYTE = 2_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Splits() {}

    /**
     * Checks that what is read doesn't depend on the pieces, and that nothing is allocated for bytes that never came.
     *
     * @param reading returns what it made of the pieces
     */
    public static void alike(byte[] input, Function<List<ByteBuffer>, ?> reading) {
        Object whole = bounded(input, List.of(ByteBuffer.wrap(input)), reading);
        assertThat(bounded(input, pieces(input, 1), reading)).as("byte by byte").isEqualTo(whole);
        assertThat(bounded(input, pieces(input, 40), reading)).as("in pieces").isEqualTo(whole);
    }

    /**
     * Checks that what comes whole is read as the same twice, and that little is allocated for it.
     *
     * @param reading returns what it made of the input
     */
    public static void repeatable(byte[] input, Supplier<?> reading) {
        Object first = bounded(input, List.of(), whole -> reading.get());
        assertThat(bounded(input, List.of(), whole -> reading.get()))
                .as("again")
                .isEqualTo(first);
    }

    /** Measured again where it is much: the first time, classes are loaded. */
    private static Object bounded(byte[] input, List<ByteBuffer> pieces, Function<List<ByteBuffer>, ?> reading) {
        long most = ALLOCATED + ALLOCATED_PER_BYTE * input.length;
        long allocated = Long.MAX_VALUE;
        Object read = "";
        for (int n = 0; n < 3 && allocated > most; n++) {
            pieces.forEach(ByteBuffer::rewind);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            read = reading.apply(pieces);
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).as("bytes allocated for %d", input.length).isLessThanOrEqualTo(most);
        return read;
    }

    private static List<ByteBuffer> pieces(byte[] input, int longest) {
        CRC32 crc = new CRC32();
        crc.update(input);
        Random random = new Random(crc.getValue());
        List<ByteBuffer> pieces = new ArrayList<>();
        for (int at = 0; at < input.length; ) {
            int length = Math.min(input.length - at, 1 + random.nextInt(1 + random.nextInt(longest)));
            pieces.add(ByteBuffer.wrap(input, at, length).slice());
            at += length;
        }
        return pieces;
    }
}
