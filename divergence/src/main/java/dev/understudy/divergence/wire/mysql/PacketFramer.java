package dev.understudy.divergence.wire.mysql;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts one direction of a connection into packets: three bytes of length, one of sequence, the payload. A part of the
 * greatest length is continued by the next one.
 *
 * <p>Memory grows with the bytes that came, not with the length that was announced. Each byte is copied a bounded number of
 * times, whatever the chunks. Not for several threads.
 */
public final class PacketFramer {
    /** Payload bytes of a part that is continued. */
    public static final int FULL = 0xffffff;

    private static final int HEADER = 4;
    private static final int SMALL = 256;
    private static final int KEPT = 65_536;

    private final PacketSink sink;
    private final int limit;
    private byte[] payload = new byte[SMALL];
    private int kept;
    private int header;
    private int headerBytes;
    private int left;
    private int sequence;
    private boolean continued;
    private boolean over;

    /** Makes a framer of packets of at most {@code limit} bytes, after joining. */
    public PacketFramer(PacketSink sink, int limit) {
        this.sink = sink;
        this.limit = limit;
    }

    /** Takes all of these bytes. */
    public void feed(ByteBuffer bytes) {
        while (bytes.hasRemaining() && !over) {
            if (headerBytes < HEADER && !header(bytes)) {
                return;
            }
            keep(bytes, Math.min(left, bytes.remaining()));
            if (left == 0 && !over) {
                part();
            }
        }
    }

    /** Bytes held of a packet that isn't complete. */
    public int heldBytes() {
        return kept;
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
        if ((long) kept + left > limit) {
            over = true;
            long length = (long) kept + left;
            forget();
            sink.oversized(length);
        }
        return !over;
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
        if (!continued) {
            byte[] whole = Arrays.copyOf(payload, kept);
            forget();
            sink.packet(sequence, whole);
        }
    }

    private void forget() {
        kept = 0;
        if (payload.length > KEPT) {
            payload = new byte[SMALL];
        }
    }
}
