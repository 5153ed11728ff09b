package dev.understudy.agent.ring;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ring itself: slots in a mapped file, the oldest overwritten first, in the format that the package's documentation
 * tells.
 *
 * <p>{@link #write} is for any threads and takes no lock: each call has a slot of its own, and two that meet in one, a
 * whole round apart, leave a slot whose check is wrong. {@link #name} is for one thread.
 */
final class Ring {
    static final int CALL = 1;
    static final int COST = 2;
    static final int STANCE = 3;
    static final int DECISION = 4;
    static final int DROPPED = 5;
    static final int THREW = 256;
    static final int METHOD_NAME = 1;
    static final int REASON_NAME = 2;

    private static final int HEAD = 64;
    private static final int SLOT = 64;
    private static final int VERSION = 1;
    private static final int NAMES_USED = 32;
    private static final int NAME_HEAD = 8;
    private static final int LONGEST_NAME = 1000;
    private static final int CHUNK = 1 << 16;
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer bytes;
    private final int namesBytes;
    private final int slots;
    private final AtomicLong next = new AtomicLong();
    private int namesUsed;

    private Ring(ByteBuffer bytes, int namesBytes, int slots) {
        this.bytes = bytes;
        this.namesBytes = namesBytes;
        this.slots = slots;
    }

    /**
     * Begins one in that file; what was there is kept beside it, as {@code FILE.old}. All of it is written once, so
     * that no disk is found full later, when that would be an error in the thread that writes.
     *
     * @param size of the file, in bytes
     * @throws IOException if the file can't be written in full
     */
    static Ring open(Path file, int size, long nowMicros) throws IOException {
        if (Files.exists(file) && Files.size(file) > 0) {
            Files.move(file, file.resolveSibling(file.getFileName() + ".old"), StandardCopyOption.REPLACE_EXISTING);
        }
        int names = Math.max(SLOT, size / 8 / SLOT * SLOT);
        int slots = Math.max(1, (size - HEAD - names) / SLOT);
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options, ownerOnly(file))) {
            int length = HEAD + names + slots * SLOT;
            for (int at = 0; at < length; ) {
                ByteBuffer zeros = ByteBuffer.allocate(Math.min(CHUNK, length - at));
                while (zeros.hasRemaining()) {
                    at += channel.write(zeros, at);
                }
            }
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, length);
            return begin(mapped, names, slots, (int) ProcessHandle.current().pid(), nowMicros);
        }
    }

    /** What a service said to its users is nobody else's business. */
    private static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** One in that memory, which is zero. */
    static Ring begin(ByteBuffer memory, int namesBytes, int slots, int pid, long nowMicros) {
        memory.order(ByteOrder.LITTLE_ENDIAN);
        memory.putInt(8, VERSION)
                .putInt(12, namesBytes)
                .putInt(16, slots)
                .putInt(20, pid)
                .putLong(24, nowMicros);
        byte[] magic = "USTDRING".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < magic.length; i++) {
            memory.put(i, magic[i]);
        }
        return new Ring(memory, namesBytes, slots);
    }

    /** Says what a number means; false if there is no room for that any more. */
    boolean name(int kind, int number, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(LONGEST_NAME, text.length);
        int at = HEAD + namesUsed;
        if (namesUsed + NAME_HEAD + length > namesBytes) {
            return false;
        }
        bytes.putShort(at, (short) kind).putShort(at + 2, (short) length).putInt(at + 4, number);
        for (int i = 0; i < length; i++) {
            bytes.put(at + NAME_HEAD + i, text[i]);
        }
        namesUsed += NAME_HEAD + length;
        LONGS.setRelease(bytes, NAMES_USED, (long) namesUsed);
        return true;
    }

    /** Writes a record over the oldest. */
    void write(int kind, int number, long micros, long a, long b, long c, long d, int e) {
        long sequence = next.incrementAndGet();
        int at = HEAD + namesBytes + (int) ((sequence - 1) % slots) * SLOT;
        LONGS.setVolatile(bytes, at, 0L);
        VarHandle.storeStoreFence();
        bytes.putInt(at + 8, kind).putInt(at + 12, number).putLong(at + 16, micros);
        bytes.putLong(at + 24, a).putLong(at + 32, b).putLong(at + 40, c).putLong(at + 48, d);
        long head = (kind & 0xFFFFFFFFL) | (long) number << 32;
        long check = mix(mix(mix(mix(mix(mix(mix(mix(0, sequence), head), micros), a), b), c), d), e & 0xFFFFFFFFL);
        bytes.putInt(at + 56, e).putInt(at + 60, (int) check);
        LONGS.setRelease(bytes, at, sequence);
    }

    private static long mix(long h, long x) {
        long mixed = (h ^ x) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }
}
