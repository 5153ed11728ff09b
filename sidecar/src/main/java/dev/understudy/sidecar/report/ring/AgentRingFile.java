package dev.understudy.sidecar.report.ring;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is in an agent's ring, also in one whose JVM was killed in the midst of writing. Immutable.
 *
 * @param pid the process that wrote it
 * @param begunMicros when it was begun, in microseconds since 1970
 * @param records what was noted, the oldest first
 * @param torn how many slots had something in them that isn't whole
 */
public record AgentRingFile(long pid, long begunMicros, List<RingRecord> records, int torn) {
    private static final String MAGIC = "USTDRING";
    private static final int VERSION = 1;
    private static final int HEAD = 64;
    private static final int SLOT = 64;
    private static final int NAME_HEAD = 8;
    private static final int METHOD = 1;
    private static final int REASON = 2;
    private static final long LARGEST = (1L << 30) + HEAD;

    /**
     * Reads a file.
     *
     * @throws IOException if it can't be read, or is no ring, with what is wrong with it
     */
    public static AgentRingFile read(Path file) throws IOException {
        if (Files.size(file) > LARGEST) {
            throw new IOException(file + " is no ring: it is larger than any");
        }
        try {
            return parse(ByteBuffer.wrap(Files.readAllBytes(file)));
        } catch (IOException problem) {
            throw new IOException(file + " is no ring: " + problem.getMessage(), problem);
        }
    }

    /**
     * The same for bytes.
     *
     * @throws IOException if they are no ring; whatever else is wrong with them, what is whole is read
     */
    static AgentRingFile parse(ByteBuffer bytes) throws IOException {
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        int size = bytes.remaining();
        if (size < HEAD
                || !StandardCharsets.US_ASCII
                        .decode(bytes.slice(0, MAGIC.length()))
                        .toString()
                        .equals(MAGIC)) {
            throw new IOException("it doesn't begin with " + MAGIC);
        }
        if (bytes.getInt(8) != VERSION) {
            throw new IOException("its version is " + bytes.getInt(8) + " (expected: " + VERSION + ")");
        }
        int namesBytes = bytes.getInt(12);
        int slots = bytes.getInt(16);
        if (namesBytes < 0 || slots < 1 || (long) HEAD + namesBytes + (long) slots * SLOT > size) {
            throw new IOException("it is shorter than it says");
        }
        Names names = names(bytes, (int) Math.max(0, Math.min(namesBytes, bytes.getLong(32))));
        List<RingRecord> records = new ArrayList<>();
        int torn = 0;
        for (int slot = 0; slot < slots; slot++) {
            int at = HEAD + namesBytes + slot * SLOT;
            if (isWhole(bytes, at, slot, slots)) {
                add(bytes, at, names, records);
            } else {
                torn += isEmpty(bytes, at) ? 0 : 1;
            }
        }
        records.sort(Comparator.comparingLong(RingRecord::number));
        return new AgentRingFile(
                Integer.toUnsignedLong(bytes.getInt(20)), bytes.getLong(24), List.copyOf(records), torn);
    }

    private static void add(ByteBuffer bytes, int at, Names names, List<RingRecord> records) {
        int code = bytes.getInt(at + 8);
        RingRecord.Kind kind = RingRecord.kind(code);
        if (kind == null) {
            return;
        }
        int number = bytes.getInt(at + 12);
        records.add(new RingRecord(
                bytes.getLong(at),
                kind,
                names.of(kind, number),
                bytes.getLong(at + 16),
                RingRecord.figures(
                        kind,
                        code,
                        bytes.getLong(at + 24),
                        bytes.getLong(at + 32),
                        bytes.getLong(at + 40),
                        bytes.getLong(at + 48),
                        bytes.getInt(at + 56))));
    }

    private static boolean isWhole(ByteBuffer bytes, int at, int slot, int slots) {
        long sequence = bytes.getLong(at);
        if (sequence <= 0 || (sequence - 1) % slots != slot) {
            return false;
        }
        long check = 0;
        for (int field = 0; field < SLOT - 8; field += 8) {
            check = mix(check, bytes.getLong(at + field));
        }
        check = mix(check, Integer.toUnsignedLong(bytes.getInt(at + 56)));
        return (int) check == bytes.getInt(at + 60);
    }

    private static boolean isEmpty(ByteBuffer bytes, int at) {
        for (int field = 0; field < SLOT; field += 8) {
            if (bytes.getLong(at + field) != 0) {
                return false;
            }
        }
        return true;
    }

    private static long mix(long h, long x) {
        long mixed = (h ^ x) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }

    /** Those before the first that isn't whole. */
    private static Names names(ByteBuffer bytes, int used) {
        Names names = new Names(new HashMap<>(), new HashMap<>());
        int end = HEAD + used;
        for (int at = HEAD; at + NAME_HEAD <= end; ) {
            int kind = bytes.getShort(at);
            int length = bytes.getShort(at + 2);
            if (length < 0 || at + NAME_HEAD + length > end) {
                break;
            }
            String name = StandardCharsets.UTF_8
                    .decode(bytes.slice(at + NAME_HEAD, length))
                    .toString();
            int number = bytes.getInt(at + 4);
            if (kind == METHOD) {
                names.methods().put(number, name);
            } else if (kind == REASON) {
                names.reasons().put(number, name);
            }
            at += NAME_HEAD + length;
        }
        return names;
    }

    /** What numbers stand for. */
    private record Names(Map<Integer, String> methods, Map<Integer, String> reasons) {
        String of(RingRecord.Kind kind, int number) {
            if (kind.isOfMethod()) {
                return methods.getOrDefault(number, "probe " + number);
            }
            return kind == RingRecord.Kind.DECISION ? reasons.getOrDefault(number, "") : "";
        }
    }
}
