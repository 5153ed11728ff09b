package dev.understudy.divergence.wire.postgres;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One typed message: the type byte and the body without the length field. Immutable by agreement: nobody writes to the
 * body.
 */
public final class PgMessage {
    /** Bytes of the type and the length field in front of each body. */
    public static final int HEADER = 5;

    private final char type;
    private final byte[] body;

    public PgMessage(char type, byte[] body) {
        this.type = type;
        this.body = body;
    }

    /** The type byte, e.g. {@code 'D'}; its meaning depends on the direction. */
    public char type() {
        return type;
    }

    /** The body itself, not a copy. */
    public byte[] body() {
        return body;
    }

    /** Bytes of this message on the wire. */
    public int wireLength() {
        return HEADER + body.length;
    }

    /** A reader at the start of the body. */
    public PgReader reader() {
        return new PgReader(body);
    }

    /** Appends the message as it stands on the wire. */
    public void writeTo(ByteBuffer out) {
        out.put((byte) type).putInt(body.length + 4).put(body);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PgMessage message && message.type == type && Arrays.equals(message.body, body);
    }

    @Override
    public int hashCode() {
        return 31 * type + Arrays.hashCode(body);
    }

    /** Type and length only: bodies may hold secrets. */
    @Override
    public String toString() {
        return type + "[" + body.length + "]";
    }
}
