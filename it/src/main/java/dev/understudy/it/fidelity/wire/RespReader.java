package dev.understudy.it.fidelity.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads what a Redis client without subscriptions said and heard: the nth reply is that to the nth command. */
public final class RespReader {
    private RespReader() {}

    public static List<Exchange> read(Connection connection) {
        List<String> commands = values(connection.sent());
        List<String> replies = values(connection.received());
        List<Exchange> exchanges = new ArrayList<>();
        for (int n = 0; n < commands.size(); n++) {
            exchanges.add(new Exchange(commands.get(n), n < replies.size() ? replies.get(n) : "(none)"));
        }
        return exchanges;
    }

    private static List<String> values(byte[] bytes) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        List<String> values = new ArrayList<>();
        while (left.hasRemaining()) {
            values.add(value(left));
        }
        return values;
    }

    private static String value(ByteBuffer left) {
        String line = line(left);
        if (line.isEmpty()) {
            return line;
        }
        char type = line.charAt(0);
        if (type == '$') {
            int length = Integer.parseInt(line.substring(1));
            if (length < 0) {
                return "(nil)";
            }
            byte[] text = new byte[length];
            left.get(text);
            line(left);
            return new String(text, StandardCharsets.ISO_8859_1);
        }
        if (type == '*') {
            List<String> items = new ArrayList<>();
            int count = Integer.parseInt(line.substring(1));
            for (int n = 0; n < count; n++) {
                items.add(value(left));
            }
            return count < 0 ? "(nil)" : String.join(" ", items);
        }
        return line;
    }

    private static String line(ByteBuffer left) {
        StringBuilder line = new StringBuilder();
        while (left.hasRemaining()) {
            char next = (char) (left.get() & 0xFF);
            if (next == '\n') {
                break;
            }
            if (next != '\r') {
                line.append(next);
            }
        }
        return line.toString();
    }
}
