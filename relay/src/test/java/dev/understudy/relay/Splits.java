package dev.understudy.relay;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Function;
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
    public static void alike(byte[] input, Function<List<byte[]>, ?> reading) throws Exception {
        Object whole = bounded(input.length, () -> reading.apply(List.of(input)));
        assertThat(bounded(input.length, () -> reading.apply(pieces(input, 1))))
                .as("byte by byte")
                .isEqualTo(whole);
        assertThat(bounded(input.length, () -> reading.apply(pieces(input, 40))))
                .as("in pieces")
                .isEqualTo(whole);
    }

    /** Checks that reading so many bytes allocates little. Measured again where it is much: classes may be loaded. */
    public static <T> T bounded(int bytes, Callable<T> reading) throws Exception {
        long most = ALLOCATED + ALLOCATED_PER_BYTE * bytes;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        T read = reading.call();
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        for (int n = 0; n < 2 && allocated > most; n++) {
            before = THREADS.getCurrentThreadAllocatedBytes();
            read = reading.call();
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated).as("bytes allocated for %d", bytes).isLessThanOrEqualTo(most);
        return read;
    }

    private static List<byte[]> pieces(byte[] input, int longest) {
        CRC32 crc = new CRC32();
        crc.update(input);
        Random random = new Random(crc.getValue());
        List<byte[]> pieces = new ArrayList<>();
        for (int at = 0; at < input.length; ) {
            int length = Math.min(input.length - at, 1 + random.nextInt(1 + random.nextInt(longest)));
            pieces.add(Arrays.copyOfRange(input, at, at + length));
            at += length;
        }
        return pieces;
    }
}
