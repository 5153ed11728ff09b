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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;

/**
 * What tap and lane process tell each other besides records, in a mapped file: the lane process what it wants, the tap
 * process what it has counted. Each number has one writer; all can be read when its writer is dead.
 *
 * <pre>
 *   file   magic "UCTL" · version · number of listeners · lives: the lane process's · usage: the tap process's
 *          · … slots of 1024 bytes from 4096 · then texts of 8192 bytes · then what is kept, 8192 bytes each
 *   slot   wanted, turns, half: the lane process's · checksum of the identity
 *          · … counters from 128: the tap process's, but for the unknown bytes
 *   text   version, odd while it is written · length · UTF-8: the tap process's
 *   kept   two halves, of which the slot says the one that counts: length · UTF-8: the lane process's
 * </pre>
 */
public final class ControlBlock {
    /** The most listeners that one may be for. */
    public static final int MOST_LISTENERS = 4096;

    /** {@link #wanted} while nobody wants a listener's bytes. */
    public static final int OFF = 0;

    private static final int MAGIC = 'U' << 24 | 'C' << 16 | 'T' << 8 | 'L';
    private static final int VERSION = 2;
    private static final int VERSION_AT = 4;
    private static final int LISTENERS_AT = 8;
    private static final int LIVES_AT = 12;
    private static final int RESIDENT_AT = 16;
    private static final int DESCRIPTORS_AT = 24;
    private static final int SLOTS = 4096;
    private static final int SLOT = 1024;
    private static final int WANTED_AT = 0;
    private static final int TURNS_AT = 4;
    private static final int IDENTITY_AT = 8;
    private static final int HALF_AT = 16;
    private static final int COUNTERS_AT = 128;
    private static final int MOST_COUNTERS = (SLOT - COUNTERS_AT) / Long.BYTES;
    private static final int TEXT = 8192;
    private static final int TEXT_HEADER = 8;
    private static final int KEPT = 8192;
    private static final int HALF = KEPT / 2;
    private static final int LISTENER = SLOT + TEXT + KEPT;
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
     * Makes one for listeners that nobody wants yet.
     *
     * @param identities of each listener what makes it another one where it changes
     * @throws IOException if there is no room for it, or something of that name is there already
     */
    public static ControlBlock create(Path file, List<String> identities) throws IOException {
        int listeners = identities.size();
        if (listeners < 1 || listeners > MOST_LISTENERS) {
            throw new IllegalArgumentException("listeners: " + listeners + " (expected: 1 to " + MOST_LISTENERS + ")");
        }
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options, OwnerOnly.file())) {
            ByteBuffer zeros = ByteBuffer.allocate(size(listeners));
            while (zeros.hasRemaining()) {
                channel.write(zeros, zeros.position());
            }
            ControlBlock control = new ControlBlock(map(channel, listeners), listeners);
            for (int number = 0; number < listeners; number++) {
                control.bytes.putLong(control.slot(number) + IDENTITY_AT, checksum(identities.get(number)));
            }
            control.bytes
                    .putInt(VERSION_AT, VERSION)
                    .putInt(LISTENERS_AT, listeners)
                    .putInt(0, MAGIC);
            return control;
        }
    }

    /**
     * Opens one that another process has made.
     *
     * @throws IOException if it isn't one of this version
     */
    public static ControlBlock open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long listeners = (channel.size() - SLOTS) / LISTENER;
            if (listeners < 1 || listeners > MOST_LISTENERS || channel.size() != size((int) listeners)) {
                throw new IOException(file + ": " + channel.size() + " bytes (expected: a control block)");
            }
            ControlBlock control = new ControlBlock(map(channel, (int) listeners), (int) listeners);
            if (control.bytes.getInt(0) != MAGIC
                    || control.bytes.getInt(VERSION_AT) != VERSION
                    || control.bytes.getInt(LISTENERS_AT) != listeners) {
                throw new IOException(file + ": not a control block, or one of another version");
            }
            return control;
        }
    }

    private static int size(int listeners) {
        return SLOTS + listeners * LISTENER;
    }

    private static MappedByteBuffer map(FileChannel channel, int listeners) throws IOException {
        MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, size(listeners));
        bytes.order(ByteOrder.nativeOrder());
        return bytes;
    }

    private static long checksum(String identity) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    /** How many listeners it is for. */
    public int listeners() {
        return listeners;
    }

    /** Counts one more lane process, which this one is. */
    public void addLife() {
        INTS.setRelease(bytes, LIVES_AT, lives() + 1);
    }

    /** How many lane processes there have been, with the one that there may be now. */
    public int lives() {
        return Math.max(0, (int) INTS.getAcquire(bytes, LIVES_AT));
    }

    /** Says what the tap process takes; for that. */
    public void usage(long residentBytes, long descriptors) {
        LONGS.setOpaque(bytes, RESIDENT_AT, residentBytes);
        LONGS.setOpaque(bytes, DESCRIPTORS_AT, descriptors);
    }

    /** The tap process's resident memory in bytes, the rings included; -1 if the system doesn't say. */
    public long residentBytes() {
        return (long) LONGS.getOpaque(bytes, RESIDENT_AT);
    }

    /** File descriptors that the tap process has open; -1 if the system doesn't say. */
    public long descriptors() {
        return (long) LONGS.getOpaque(bytes, DESCRIPTORS_AT);
    }

    /** Whether it was made for that listener. */
    public boolean isOf(int listener, String identity) {
        return bytes.getLong(slot(listener) + IDENTITY_AT) == checksum(identity);
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

    /**
     * Keeps something about a listener for the lane process that follows; for the lane process, one thread at a time.
     * What was kept before stays if it ends meanwhile.
     *
     * @return false if there is no room for that much; then nothing has changed
     */
    public boolean keep(int listener, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > HALF - Integer.BYTES) {
            return false;
        }
        int half = 1 - half(listener);
        int at = keptAt(listener, half);
        bytes.putInt(at, utf8.length);
        bytes.put(at + Integer.BYTES, utf8, 0, utf8.length);
        INTS.setRelease(bytes, slot(listener) + HALF_AT, half);
        return true;
    }

    /** What an earlier lane process has kept about a listener; "" if there is nothing. */
    public String kept(int listener) {
        int at = keptAt(listener, half(listener));
        int length = bytes.getInt(at);
        if (length < 0 || length > HALF - Integer.BYTES) {
            return "";
        }
        byte[] utf8 = new byte[length];
        bytes.get(at + Integer.BYTES, utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private int half(int listener) {
        return (int) INTS.getAcquire(bytes, slot(listener) + HALF_AT) & 1;
    }

    private int keptAt(int listener, int half) {
        return SLOTS + listeners * (SLOT + TEXT) + checked(listener) * KEPT + half * HALF;
    }

    private int textAt(int listener) {
        return SLOTS + listeners * SLOT + checked(listener) * TEXT;
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
