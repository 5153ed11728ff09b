package dev.understudy.it.bench.journal;

import dev.understudy.it.bench.journal.Recordings.Exchange;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What a PostgreSQL client and its server say, as bytes. */
final class PgWire {
    private static final String SQL = "SELECT id, item, price FROM orders WHERE id = ";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    private PgWire() {}

    /** The start of a session without a password. */
    static Exchange greeting() {
        byte[] settings = Recordings.ascii("user\0bench\0database\0bench\0\0");
        byte[] startup = new PgWire()
                .number(settings.length + 8)
                .number(196_608)
                .raw(settings)
                .bytes();
        PgWire reply = new PgWire()
                .message('R', new PgWire().number(0))
                .message('S', new PgWire().text("client_encoding").text("UTF8"))
                .message('S', new PgWire().text("server_version").text("17.0"))
                .message('K', new PgWire().number(1).number(2))
                .ready();
        return new Exchange(startup, reply.bytes());
    }

    /** A simple query. */
    static Exchange simple(int number, int rows) {
        PgWire request = new PgWire().message('Q', new PgWire().text(SQL + number));
        return new Exchange(
                request.bytes(), new PgWire().result(rows, true).ready().bytes());
    }

    /** A statement that is prepared, described and executed as drivers do. */
    static Exchange prepared(int number, int rows) {
        byte[] value = Recordings.ascii(Integer.toString(number));
        PgWire request = new PgWire()
                .message('P', new PgWire().text("").text(SQL + "$1").two(1).number(23))
                .message(
                        'B',
                        new PgWire()
                                .text("")
                                .text("")
                                .two(0)
                                .two(1)
                                .number(value.length)
                                .raw(value)
                                .two(0))
                .message('D', new PgWire().raw(Recordings.ascii("P")).text(""))
                .message('E', new PgWire().text("").number(0))
                .message('S', new PgWire());
        PgWire reply = new PgWire().message('1', new PgWire()).message('2', new PgWire());
        return new Exchange(request.bytes(), reply.result(rows, true).ready().bytes());
    }

    private PgWire result(int rows, boolean described) {
        if (described) {
            PgWire columns = new PgWire().two(3);
            for (String column : new String[] {"id", "item", "price"}) {
                columns.text(column)
                        .number(16_384)
                        .two(1)
                        .number(25)
                        .two(-1)
                        .number(-1)
                        .two(0);
            }
            message('T', columns);
        }
        for (int i = 0; i < rows; i++) {
            message(
                    'D',
                    new PgWire().two(3).value("4711").value("a recorded item").value("12.50"));
        }
        return message('C', new PgWire().text("SELECT " + rows));
    }

    private PgWire value(String value) {
        return number(value.length()).raw(Recordings.ascii(value));
    }

    private PgWire ready() {
        return message('Z', new PgWire().raw(Recordings.ascii("I")));
    }

    private PgWire message(char type, PgWire body) {
        byte[] content = body.bytes();
        return raw(new byte[] {(byte) type}).number(content.length + 4).raw(content);
    }

    private PgWire text(String text) {
        return raw(Recordings.ascii(text + "\0"));
    }

    private PgWire two(int value) {
        return write(() -> out.writeShort(value));
    }

    private PgWire number(int value) {
        return write(() -> out.writeInt(value));
    }

    private PgWire raw(byte[] raw) {
        return write(() -> out.write(raw));
    }

    private byte[] bytes() {
        return bytes.toByteArray();
    }

    private PgWire write(Writing writing) {
        try {
            writing.run();
            return this;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @FunctionalInterface
    private interface Writing {
        void run() throws IOException;
    }
}
