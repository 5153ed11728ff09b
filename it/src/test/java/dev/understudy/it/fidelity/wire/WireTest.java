package dev.understudy.it.fidelity.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WireTest {
    @Test
    void pipelinedCommands_getTheirReplies() {
        Connection connection = new Connection();
        keep(connection, true, text("PING\r\n*2\r\n$3\r\nGET\r\n$1\r\na\r\n*1\r\n$4\r\nTIME\r\n"));
        keep(connection, false, text("+PONG\r\n$-1\r\n*2\r\n$1\r\n1\r\n:2\r\n"));

        assertThat(RespReader.read(connection))
                .containsExactly(
                        new Exchange("PING", "+PONG"), new Exchange("GET a", "(nil)"), new Exchange("TIME", "1 :2"));
    }

    @Test
    void commandWithoutReply_isToldApart() {
        Connection connection = new Connection();
        keep(connection, true, text("PING\r\nPING\r\n"));
        keep(connection, false, text("+PONG\r\n"));

        assertThat(RespReader.read(connection)).extracting(Exchange::reply).containsExactly("+PONG", "(none)");
    }

    @Test
    void simpleQueries_haveRowsAndTags() {
        Connection connection = greeted();
        keep(connection, true, message('Q', text("SELECT 1\0")));
        keep(connection, false, message('T', new byte[2]));
        keep(connection, false, message('D', bytes(0, 1, 0, 0, 0, 1, '1')));
        keep(connection, false, message('C', text("SELECT 1\0")));
        keep(connection, false, message('Z', text("I")));
        keep(connection, true, message('Q', text("SELEC 1\0")));
        keep(connection, false, message('E', text("SERROR\0C42601\0Msyntax\0\0")));
        keep(connection, false, message('Z', text("I")));

        assertThat(PgReader.read(connection))
                .containsExactly(
                        new Exchange("SELECT 1", "'1'|\nSELECT 1\n"), new Exchange("SELEC 1", "42601 syntax\n"));
    }

    @Test
    void preparedStatements_areKnownByTheirTextAndValues() {
        Connection connection = greeted();
        keep(connection, true, message('P', text("S_1\0SELECT $1\0\0\0")));
        keep(connection, true, message('B', join(text("\0S_1\0"), bytes(0, 0, 0, 1, 0, 0, 0, 1, '7', 0, 0))));
        keep(connection, true, message('E', bytes(0, 0, 0, 0, 0)));
        keep(connection, true, message('S', new byte[0]));
        keep(connection, false, message('1', new byte[0]));
        keep(connection, false, message('2', new byte[0]));
        keep(connection, false, message('D', bytes(0, 1, 0, 0, 0, 1, '7')));
        keep(connection, false, message('C', text("SELECT 1\0")));
        keep(connection, false, message('Z', text("I")));

        assertThat(PgReader.read(connection))
                .containsExactly(new Exchange("SELECT $1 formats  values '7' results  most 0", "'7'|\nSELECT 1\n"));
    }

    @Test
    void statementAfterAnError_hasNoAnswer() {
        Connection connection = greeted();
        keep(connection, true, message('P', text("\0SELEC\0\0\0")));
        keep(connection, true, message('B', bytes(0, 0, 0, 0, 0, 0, 0, 0)));
        keep(connection, true, message('E', bytes(0, 0, 0, 0, 0)));
        keep(connection, true, message('S', new byte[0]));
        keep(connection, false, message('E', text("C42601\0Msyntax\0\0")));
        keep(connection, false, message('Z', text("I")));

        assertThat(PgReader.read(connection)).extracting(Exchange::reply).containsExactly("42601 syntax\n");
    }

    private static Connection greeted() {
        Connection connection = new Connection();
        keep(connection, true, bytes(0, 0, 0, 8, 0, 3, 0, 0));
        keep(connection, false, message('R', new byte[4]));
        keep(connection, false, message('Z', text("I")));
        return connection;
    }

    private static byte[] message(char type, byte[] body) {
        return ByteBuffer.allocate(5 + body.length)
                .put((byte) type)
                .putInt(4 + body.length)
                .put(body)
                .array();
    }

    private static byte[] join(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private static byte[] bytes(int... values) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int value : values) {
            bytes.write(value);
        }
        return bytes.toByteArray();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void keep(Connection connection, boolean fromClient, byte[] bytes) {
        connection.keep(fromClient, bytes, bytes.length);
    }
}
