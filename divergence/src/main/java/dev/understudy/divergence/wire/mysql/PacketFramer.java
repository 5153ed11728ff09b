package dev.understudy.divergence.wire.mysql;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one direction of a connection into packets: three bytes of length, one of sequence, the payload. A part of the
 * greatest length is continued by the next one.
 *
 * <p>Memory grows with the bytes that came, not with the length that was announced. Each byte is copied a bounded
 * number of times, whatever the chunks. Not for several threads.
 */
public final class PacketFramer {
    /** Payload bytes of a part that is continued. */
    public static final int FULL = 0xffffff;

    private static final int HEADER = 4;
    private static final int SMALL = 256;
    private static final int KEPT = 65_536;

    private final PacketSink sink;
    private final int limit;
    private final int whole;
    private byte[] payload = new byte[SMALL];
    private int kept;
    private int header;
    private int headerBytes;
    private int left;
    private int sequence;
    private boolean continued;
    private boolean undecided;
    private boolean over;
    private @Nullable PacketTaker taker;

    /** Makes a framer of packets of at most {@code limit} bytes, after joining. */
    public PacketFramer(PacketSink sink, int limit) {
        this(sink, limit, limit);
    }

    /** Makes a framer that asks from {@code whole} bytes on whether a packet is taken as it comes. */
    public PacketFramer(PacketSink sink, int limit, int whole) {
        this.sink = sink;
        this.limit = limit;
        this.whole = Math.min(limit, whole);
    }

    /** Takes all of these bytes. */
    public void feed(ByteBuffer bytes) {
        while (bytes.hasRemaining() && !over) {
            if (headerBytes < HEADER && !header(bytes)) {
                return;
            }
            if (undecided && bytes.hasRemaining()) {
                decide(bytes.get(bytes.position()) & 0xff);
            }
            if (!over && !undecided) {
                take(bytes, Math.min(left, bytes.remaining()));
            }
            if (left == 0 && !over) {
                part();
            }
        }
    }

    /** Bytes held of a packet that isn't complete. */
    public long heldBytes() {
        return kept + (taker == null ? 0 : taker.heldBytes());
    }

    /** Memory that this takes, and what takes a long packet. */
    public long heldMemory() {
        return payload.length + (taker == null ? 0 : taker.heldBytes());
    }

    private boolean header(ByteBuffer bytes) {
        while (headerBytes < HEADER && bytes.hasRemaining()) {
            header |= (bytes.get() & 0xff) << (8 * headerBytes);
            headerBytes++;
        }
        if (headerBytes < HEADER) {
            return false;
        }
        left = header & FULL;
        if (!continued) {
            sequence = header >>> 24;
        }
        long length = (long) kept + left;
        undecided = !continued && length > whole;
        if (taker != null) {
            taker.part(left);
        } else if (continued && length > limit) {
            giveUp(length);
        }
        return !over;
    }

    /** The first byte of a long packet has come. */
    private void decide(int first) {
        undecided = false;
        taker = sink.large(sequence, first, left);
        if (taker != null) {
            taker.part(left);
        } else if (left > limit) {
            giveUp(left);
        }
    }

    private void giveUp(long length) {
        over = true;
        forget();
        sink.oversized(length);
    }

    private void take(ByteBuffer bytes, int take) {
        if (taker == null) {
            keep(bytes, take);
        } else if (take > 0) {
            taker.bytes(bytes.slice(bytes.position(), take));
            bytes.position(bytes.position() + take);
            left -= take;
        }
    }

    private void keep(ByteBuffer bytes, int take) {
        if (payload.length - kept < take) {
            payload = Arrays.copyOf(payload, (int) Math.min(limit, Math.max(2L * payload.length, (long) kept + take)));
        }
        bytes.get(payload, kept, take);
        kept += take;
        left -= take;
    }

    private void part() {
        continued = (header & FULL) == FULL;
        header = 0;
        headerBytes = 0;
        if (continued) {
            return;
        }
        PacketTaker told = taker;
        if (told != null) {
            taker = null;
            told.end();
        } else {
            byte[] complete = Arrays.copyOf(payload, kept);
            forget();
            sink.packet(sequence, complete);
        }
    }

    private void forget() {
        kept = 0;
        if (payload.length > KEPT) {
            payload = new byte[SMALL];
        }
    }
}
