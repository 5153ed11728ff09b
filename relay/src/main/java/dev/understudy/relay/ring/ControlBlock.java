package dev.understudy.relay.ring;

import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * What tap and lane process tell each other besides records, in a mapped file: the lane process what it wants, the tap
 * process what it has counted. Each number has one writer; all can be read when its writer is dead.
 *
 * <pre>
 *   file   magic "UCTL" · version · number of listeners · … slots of 1024 bytes from 4096 · then texts of 8192 bytes
 *   slot   wanted, turns: the lane process's · … counters from 128: the tap process's
 *   text   version, odd while it is written · length · UTF-8: the tap process's
 * </pre>
 */
public final class ControlBlock {
    /** The most listeners that fit. */
    public static final int MOST_LISTENERS = 64;

    /** {@link #wanted} while nobody wants a listener's bytes. */
    public static final int OFF = 0;

    private static final int MAGIC = 'U' << 24 | 'C' << 16 | 'T' << 8 | 'L';
    private static final int VERSION = 1;
    private static final int VERSION_AT = 4;
    private static final int LISTENERS_AT = 8;
    private static final int SLOTS = 4096;
    private static final int SLOT = 1024;
    private static final int WANTED_AT = 0;
    private static final int TURNS_AT = 4;
    private static final int COUNTERS_AT = 128;
    private static final int MOST_COUNTERS = (SLOT - COUNTERS_AT) / Long.BYTES;
    private static final int TEXTS = SLOTS + MOST_LISTENERS * SLOT;
    private static final int TEXT = 8192;
    private static final int TEXT_HEADER = 8;
    private static final int SIZE = TEXTS + MOST_LISTENERS * TEXT;
    private static final int READS = 100;
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final MappedByteBuffer bytes;
    private final int listeners;

    private ControlBlock(MappedByteBuffer bytes, int listeners) {
        this.bytes = bytes;
        this.listeners = listeners;
    }

    /**
     * Makes one for that many listeners, each of which nobody wants yet.
     *
     * @throws IOException if there is no room for it, or something of that name is there already
     */
    public static ControlBlock create(Path file, int listeners) throws IOException {
        if (listeners < 1 || listeners > MOST_LISTENERS) {
            throw new IllegalArgumentException("listeners: " + listeners + " (expected: 1 to " + MOST_LISTENERS + ")");
        }
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options, OwnerOnly.file())) {
            ByteBuffer zeros = ByteBuffer.allocate(SIZE);
            while (zeros.hasRemaining()) {
                channel.write(zeros, zeros.position());
            }
            MappedByteBuffer bytes = map(channel);
            bytes.putInt(VERSION_AT, VERSION).putInt(LISTENERS_AT, listeners).putInt(0, MAGIC);
            return new ControlBlock(bytes, listeners);
        }
    }

    /**
     * Opens one that another process has made.
     *
     * @throws IOException if it isn't one of this version
     */
    public static ControlBlock open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() != SIZE) {
                throw new IOException(file + ": " + channel.size() + " bytes (expected: " + SIZE + ")");
            }
            MappedByteBuffer bytes = map(channel);
            int listeners = bytes.getInt(LISTENERS_AT);
            boolean known = bytes.getInt(0) == MAGIC && bytes.getInt(VERSION_AT) == VERSION;
            if (!known || listeners < 1 || listeners > MOST_LISTENERS) {
                throw new IOException(file + ": not a control block, or one of another version");
            }
            return new ControlBlock(bytes, listeners);
        }
    }

    private static MappedByteBuffer map(FileChannel channel) throws IOException {
        MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
        bytes.order(ByteOrder.nativeOrder());
        return bytes;
    }

    /** How many listeners it is for. */
    public int listeners() {
        return listeners;
    }

    /**
     * {@link #OFF} while nobody wants that listener's bytes; else a number that is another one after each time it was
     * off, and for each lane process. Asked before each read: a plain load.
     */
    public int wanted(int listener) {
        return (int) INTS.getOpaque(bytes, slot(listener) + WANTED_AT);
    }

    /**
     * Asks for that listener's bytes, from the next request of each connection that is open already; for the lane
     * process.
     */
    public void want(int listener) {
        int turns = Math.max(0, (int) INTS.get(bytes, slot(listener) + TURNS_AT)) % Integer.MAX_VALUE + 1;
        INTS.set(bytes, slot(listener) + TURNS_AT, turns);
        INTS.setRelease(bytes, slot(listener) + WANTED_AT, turns);
    }

    /** Asks for no more of them; for the lane process. */
    public void stop(int listener) {
        INTS.setRelease(bytes, slot(listener) + WANTED_AT, OFF);
    }

    /** The value of one of a listener's counters. */
    public long counter(int listener, int number) {
        return (long) LONGS.getOpaque(bytes, counterAt(listener, number));
    }

    /** Sets it; for the tap process. */
    public void counter(int listener, int number, long value) {
        LONGS.setOpaque(bytes, counterAt(listener, number), value);
    }

    /** Says something longer about a listener, cut to what there is room for; for the tap process, one thread. */
    public void text(int listener, String text) {
        int at = textAt(listener);
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, TEXT - TEXT_HEADER);
        int version = (int) INTS.get(bytes, at) | 1;
        INTS.setVolatile(bytes, at, version);
        bytes.putInt(at + Integer.BYTES, length);
        bytes.put(at + TEXT_HEADER, utf8, 0, length);
        INTS.setRelease(bytes, at, version + 1);
    }

    /** What was last said about it; "" if that can't be read. */
    public String text(int listener) {
        int at = textAt(listener);
        for (int n = 0; n < READS; n++) {
            int version = (int) INTS.getAcquire(bytes, at);
            int length = bytes.getInt(at + Integer.BYTES);
            if ((version & 1) == 0 && length >= 0 && length <= TEXT - TEXT_HEADER) {
                byte[] utf8 = new byte[length];
                bytes.get(at + TEXT_HEADER, utf8);
                VarHandle.acquireFence();
                if (version == (int) INTS.getOpaque(bytes, at)) {
                    return new String(utf8, StandardCharsets.UTF_8);
                }
            }
            Thread.onSpinWait();
        }
        return "";
    }

    private int textAt(int listener) {
        return TEXTS + checked(listener) * TEXT;
    }

    private int counterAt(int listener, int number) {
        if (number < 0 || number >= MOST_COUNTERS) {
            throw new IndexOutOfBoundsException(number);
        }
        return slot(listener) + COUNTERS_AT + number * Long.BYTES;
    }

    private int slot(int listener) {
        return SLOTS + checked(listener) * SLOT;
    }

    private int checked(int listener) {
        if (listener < 0 || listener >= listeners) {
            throw new IndexOutOfBoundsException(listener);
        }
        return listener;
    }
}
