package dev.understudy.it.fidelity.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what a PostgreSQL client without TLS said and heard, statement by statement: the SQL with its values, and the
 * rows, tag or error that came for it (protocol manual, "Message Flow").
 */
public final class PgReader {
    private static final int TYPED = 1;
    private static final int UNTYPED = 0;

    private final Map<String, String> statements = new HashMap<>();
    private final Map<String, String> portals = new HashMap<>();
    private final List<Exchange> exchanges = new ArrayList<>();
    private final Deque<Asked> asked = new ArrayDeque<>();

    private PgReader() {}

    /** What one connection's statements were and gave, in order. */
    public static List<Exchange> read(Connection connection) {
        PgReader reader = new PgReader();
        ByteBuffer sent = ByteBuffer.wrap(connection.sent());
        int start = sent.remaining() < 4 ? 0 : sent.getInt(0);
        sent.position(Math.min(sent.limit(), start));
        while (sent.remaining() > 4) {
            reader.frontend((char) sent.get(), body(sent));
        }
        reader.backend(ByteBuffer.wrap(connection.received()));
        return reader.exchanges;
    }

    private void frontend(char type, ByteBuffer body) {
        switch (type) {
            case 'Q' -> asked.add(new Asked(type, string(body)));
            case 'P' -> {
                statements.put(string(body), string(body));
                asked.add(new Asked(type, ""));
            }
            case 'B' -> {
                portals.put(string(body), statements.getOrDefault(string(body), "?") + " " + values(body));
                asked.add(new Asked(type, ""));
            }
            case 'E' -> asked.add(new Asked(type, portals.getOrDefault(string(body), "?") + " most " + body.getInt()));
            case 'D', 'C', 'S' -> asked.add(new Asked(type, ""));
            default -> {
                // passwords, Flush, Terminate, COPY's lines: no reply of their own
            }
        }
    }

    private void backend(ByteBuffer received) {
        boolean greeted = false;
        StringBuilder reply = new StringBuilder();
        while (received.remaining() > 4) {
            char type = (char) received.get();
            ByteBuffer body = body(received);
            if (!greeted) {
                greeted = type == 'Z';
                continue;
            }
            switch (type) {
                case 'D' -> reply.append(row(body)).append('\n');
                case 'C' -> {
                    reply.append(string(body)).append('\n');
                    end(reply, asked.peek() != null && asked.peek().type == 'E');
                }
                case 's', 'I' -> end(reply.append(type), asked.peek() != null && asked.peek().type == 'E');
                case 'E' -> failed(reply.append(error(body)));
                case '1', '2', '3', 'n' -> asked.poll();
                case 'T' -> {
                    if (asked.peek() != null && asked.peek().type == 'D') {
                        asked.poll();
                    }
                }
                case 'Z' -> end(reply, true);
                default -> {
                    // notices, parameters, the types of values: not what was asked for
                }
            }
        }
    }

    /** A statement's reply is whole; a simple query may have several, and is over with ReadyForQuery. */
    private void end(StringBuilder reply, boolean over) {
        if (!over) {
            return;
        }
        Asked first = asked.poll();
        if (first != null && first.type != 'S') {
            exchanges.add(new Exchange(first.form, reply.toString()));
        }
        reply.setLength(0);
    }

    /** What comes after an error isn't answered, up to the Sync. */
    private void failed(StringBuilder reply) {
        if (asked.peek() == null || asked.peek().type == 'Q') {
            return;
        }
        String form = "";
        while (asked.peek() != null && asked.peek().type != 'S') {
            form = form.isEmpty() ? asked.peek().form : form;
            asked.poll();
        }
        exchanges.add(new Exchange(form, reply.toString()));
        reply.setLength(0);
    }

    private static ByteBuffer body(ByteBuffer from) {
        int length = Math.min(from.getInt() - 4, from.remaining());
        ByteBuffer body = from.slice(from.position(), length);
        from.position(from.position() + length);
        return body;
    }

    private static String string(ByteBuffer from) {
        StringBuilder text = new StringBuilder();
        for (byte next = from.get(); next != 0; next = from.get()) {
            text.append((char) (next & 0xFF));
        }
        return text.toString();
    }

    /** Of a Bind: formats, values, and the formats that the rows are to have. */
    private static String values(ByteBuffer bind) {
        StringBuilder text = new StringBuilder("formats ").append(formats(bind)).append(" values");
        for (int left = bind.getShort(); left > 0; left--) {
            text.append(' ').append(value(bind));
        }
        return text.append(" results ").append(formats(bind)).toString();
    }

    private static String formats(ByteBuffer from) {
        StringBuilder text = new StringBuilder();
        for (int left = from.getShort(); left > 0; left--) {
            text.append(from.getShort() == UNTYPED ? 't' : TYPED);
        }
        return text.toString();
    }

    private static String row(ByteBuffer body) {
        StringBuilder text = new StringBuilder();
        for (int left = body.getShort(); left > 0; left--) {
            text.append(value(body)).append('|');
        }
        return text.toString();
    }

    private static String value(ByteBuffer from) {
        int length = from.getInt();
        if (length < 0) {
            return "(null)";
        }
        byte[] bytes = new byte[length];
        from.get(bytes);
        return "'" + new String(bytes, StandardCharsets.ISO_8859_1) + "'";
    }

    /** SQLSTATE and message, without the place in the server's source. */
    private static String error(ByteBuffer body) {
        String state = "";
        String message = "";
        while (body.remaining() > 1) {
            char field = (char) body.get();
            String text = string(body);
            state = field == 'C' ? text : state;
            message = field == 'M' ? text : message;
        }
        return state + " " + message + "\n";
    }

    private record Asked(char type, String form) {}
}
