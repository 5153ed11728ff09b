package dev.understudy.aggregator.exchange;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Appends values to a buffer in the way that {@link PackedReader} reads them. */
public final class PackedWriter {
    private final ByteBuf out;

    public PackedWriter(ByteBuf out) {
        this.out = out;
    }

    /** The lowest eight bits. */
    public PackedWriter octet(int value) {
        out.writeByte(value);
        return this;
    }

    /** All 64 bits. */
    public PackedWriter word(long value) {
        out.writeLong(value);
        return this;
    }

    /** A number that is mostly small and never negative: seven bits a byte. */
    public PackedWriter number(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("number: " + value + " (expected: >= 0)");
        }
        int left = value;
        while (left > 0x7f) {
            out.writeByte((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.writeByte(left);
        return this;
    }

    /** Bytes, after their number. */
    public PackedWriter bytes(byte[] bytes) {
        number(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    /** A text. */
    public PackedWriter text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A form, all of it. */
    public PackedWriter form(Form form) {
        form.writeTo(this);
        return this;
    }
}
