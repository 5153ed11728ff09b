package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Messages of either side, one after the other. */
final class Wire {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Wire startup(int code, String... words) {
        PgWriter body = new PgWriter().int32(code);
        for (String word : words) {
            body.string(word);
        }
        if (words.length > 0) {
            body.int8(0);
        }
        byte[] packet = body.toBytes();
        bytes.writeBytes(ByteBuffer.allocate(4).putInt(packet.length + 4).array());
        bytes.writeBytes(packet);
        return this;
    }

    Wire message(char type, PgWriter body) {
        PgMessage message = body.toMessage(type);
        ByteBuffer wire = ByteBuffer.allocate(message.wireLength());
        message.writeTo(wire);
        bytes.writeBytes(wire.array());
        return this;
    }

    /** With strings only. */
    Wire text(char type, String... words) {
        PgWriter body = new PgWriter();
        for (String word : words) {
            body.string(word);
        }
        return message(type, body);
    }

    Wire parse(String name, String sql) {
        return message('P', new PgWriter().string(name).string(sql).int16(0));
    }

    Wire bind(String statement) {
        return message(
                'B',
                new PgWriter().string("").string(statement).int16(0).int16(0).int16(0));
    }

    /** Describes, runs, and waits. */
    Wire run() {
        message('D', new PgWriter().int8('P').string(""));
        message('E', new PgWriter().string("").int32(0));
        return message('S', new PgWriter());
    }

    Wire authentication(int code) {
        return message('R', new PgWriter().int32(code));
    }

    Wire columns(String... names) {
        PgWriter body = new PgWriter().int16(names.length);
        for (String name : names) {
            body.string(name).int32(0).int16(0).int32(25).int16(-1).int32(-1).int16(0);
        }
        return message('T', body);
    }

    Wire row(String... values) {
        PgWriter body = new PgWriter().int16(values.length);
        for (String value : values) {
            body.value(value.getBytes(StandardCharsets.UTF_8));
        }
        return message('D', body);
    }

    Wire error(String state, String message) {
        return message(
                'E',
                new PgWriter()
                        .int8('V')
                        .string("ERROR")
                        .int8('C')
                        .string(state)
                        .int8('M')
                        .string(message)
                        .int8(0));
    }

    Wire ready() {
        return message('Z', new PgWriter().int8('I'));
    }

    Wire raw(byte... some) {
        bytes.writeBytes(some);
        return this;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
