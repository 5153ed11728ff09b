package dev.understudy.divergence.wire.mysql.result;

import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import java.nio.charset.StandardCharsets;

/**
 * A statement has failed.
 *
 * @param code the server's number for the error
 * @param state SQLSTATE, five characters
 */
public record Err(int code, String state, String message) implements ResultEnd {
    private static final int MARKER = '#';
    private static final int STATE = 5;

    /** Reads an ERR packet. */
    public static Err read(byte[] payload) {
        MySqlReader in = new MySqlReader(payload).skip(1);
        int code = in.int16();
        String state = "HY000";
        if (in.remaining() > STATE && in.peek() == MARKER) {
            state = new String(in.skip(1).bytes(STATE), StandardCharsets.ISO_8859_1);
        }
        return new Err(code, state, new String(in.rest(), StandardCharsets.UTF_8));
    }

    /** The ERR packet that says this. */
    public byte[] encode() {
        return new MySqlWriter()
                .int8(0xff)
                .int16(code)
                .int8(MARKER)
                .bytes(state.getBytes(StandardCharsets.ISO_8859_1))
                .bytes(message.getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }

    @Override
    public long bytes() {
        return 80L + 2L * message.length();
    }
}
