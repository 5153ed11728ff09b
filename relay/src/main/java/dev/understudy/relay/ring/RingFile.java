package dev.understudy.relay.ring;

import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * The mapped file of one ring: a page of header, and then a power of two of bytes for records.
 *
 * <p>The tail is the writer's, as is since when something waits for room, and the head the reader's. Each is written
 * with release and read with acquire, and lies in cache lines of its own.
 */
final class RingFile {
    static final int HEADER = 4096;
    static final int SMALLEST = 64 << 10;
    static final int LARGEST = 1 << 30;

    private static final int MAGIC = 'U' << 24 | 'R' << 16 | 'N' << 8 | 'G';
    private static final int VERSION = 1;
    private static final int VERSION_AT = 4;
    private static final int CAPACITY_AT = 8;
    private static final int TAIL_AT = 256;
    private static final int HEAD_AT = 512;
    private static final int WAITING_AT = 768;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer bytes;
    private final int capacity;

    private RingFile(MappedByteBuffer bytes, int capacity) {
        this.bytes = bytes;
        this.capacity = capacity;
    }

    /**
     * Makes a ring whose memory is there: it is written, so that no later access can find the file system full.
     *
     * @param capacity bytes for records, a power of two from 64 KiB to 1 GiB
     * @throws IOException if there is no room for it, or something of that name is there already
     */
    static RingFile create(Path file, int capacity) throws IOException {
        if (Integer.bitCount(capacity) != 1 || capacity < SMALLEST || capacity > LARGEST) {
            throw new IllegalArgumentException(
                    "capacity: " + capacity + " (expected: a power of two from 64KiB to 1GiB)");
        }
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options, OwnerOnly.file())) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(SMALLEST);
            for (long written = 0; written < HEADER + (long) capacity; ) {
                zeros.clear().limit((int) Math.min(SMALLEST, HEADER + (long) capacity - written));
                written += channel.write(zeros, written);
            }
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, HEADER + (long) capacity);
            bytes.order(ByteOrder.nativeOrder());
            bytes.putInt(VERSION_AT, VERSION).putInt(CAPACITY_AT, capacity).putInt(0, MAGIC);
            bytes.load();
            return new RingFile(bytes, capacity);
        }
    }

    /**
     * Opens a ring that another process has made.
     *
     * @throws IOException if it isn't a ring of this version, or not of the size that it says
     */
    static RingFile open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = channel.size();
            if (size < HEADER + SMALLEST || size > HEADER + (long) LARGEST) {
                throw new IOException(file + ": " + size + " bytes (expected: a ring)");
            }
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
            bytes.order(ByteOrder.nativeOrder());
            int capacity = bytes.getInt(CAPACITY_AT);
            if (bytes.getInt(0) != MAGIC || bytes.getInt(VERSION_AT) != VERSION) {
                throw new IOException(file + ": not a ring, or one of another version");
            }
            if (Integer.bitCount(capacity) != 1 || HEADER + (long) capacity != size) {
                throw new IOException(file + ": " + size + " bytes (expected: " + capacity + " and a header)");
            }
            return new RingFile(bytes, capacity);
        }
    }

    /** Bytes for records. */
    int capacity() {
        return capacity;
    }

    /** Another view of the whole file, with position and limit of its own. */
    ByteBuffer view() {
        return bytes.duplicate().order(ByteOrder.nativeOrder());
    }

    /** Up to where records are written, as far as that was published. */
    long tail() {
        return (long) LONGS.getAcquire(bytes, TAIL_AT);
    }

    /** Publishes what was written before. */
    void tail(long position) {
        LONGS.setRelease(bytes, TAIL_AT, position);
    }

    /** Since when something waits for room, {@link System#nanoTime()}; 0 if nothing does. */
    long waitingSince() {
        return (long) LONGS.getAcquire(bytes, WAITING_AT);
    }

    /** Publishes that, before what is written next. */
    void waitingSince(long nanos) {
        LONGS.setRelease(bytes, WAITING_AT, nanos);
    }

    /** Up to where records are read. */
    long head() {
        return (long) LONGS.getAcquire(bytes, HEAD_AT);
    }

    /** Gives what was read back to the writer. */
    void head(long position) {
        LONGS.setRelease(bytes, HEAD_AT, position);
    }
}
