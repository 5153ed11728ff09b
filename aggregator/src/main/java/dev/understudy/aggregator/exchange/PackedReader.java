package dev.understudy.aggregator.exchange;

import dev.understudy.aggregator.body.LargeBody;
import io.netty.buffer.ByteBuf;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads what a {@link PackedWriter} wrote; allocates no more than is there, whatever the bytes say. */
public final class PackedReader {
    private final ByteBuf in;
    private final @Nullable LargeBody large;

    public PackedReader(ByteBuf in) {
        this(in, null);
    }

    /** @param large the part of the reply that isn't here */
    public PackedReader(ByteBuf in, @Nullable LargeBody large) {
        this.in = in;
        this.large = large;
    }

    /** The part of the reply that lies in files of its own; null if there is none. */
    public @Nullable LargeBody large() {
        return large;
    }

    /** From 0 to 255. */
    public int octet() throws IOException {
        return need(1).readUnsignedByte();
    }

    /** All 64 bits. */
    public long word() throws IOException {
        return need(Long.BYTES).readLong();
    }

    /** Never negative. */
    public int number() throws IOException {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int octet = octet();
            value |= (octet & 0x7f) << shift;
            if (octet < 0x80) {
                if (value < 0 || (shift == 28 && octet > 7)) {
                    break;
                }
                return value;
            }
        }
        throw new IOException("a number is too large");
    }

    /** How many values follow, each of which takes at least so many bytes. */
    public int count(int least) throws IOException {
        int count = number();
        if ((long) count * least > in.readableBytes()) {
            throw new EOFException(count + " values in " + in.readableBytes() + " bytes");
        }
        return count;
    }

    /** Bytes, as an array of their own. */
    public byte[] bytes() throws IOException {
        int length = count(1);
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    /** A text. */
    public String text() throws IOException {
        int length = count(1);
        return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }

    /** A form. */
    public Form form() throws IOException {
        return Form.readFrom(this);
    }

    /**
     * Checks that this was all.
     *
     * @throws IOException if anything is left
     */
    public void end() throws IOException {
        if (in.isReadable()) {
            throw new IOException(in.readableBytes() + " bytes too many");
        }
    }

    private ByteBuf need(int bytes) throws EOFException {
        if (in.readableBytes() < bytes) {
            throw new EOFException("the reply ends too early");
        }
        return in;
    }
}
