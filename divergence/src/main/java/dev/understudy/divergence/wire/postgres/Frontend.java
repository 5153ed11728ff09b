package dev.understudy.divergence.wire.postgres;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's message with its fields, as far as they carry meaning for an exchange (protocol manual, "Message
 * Formats"). Passwords and the pieces of a COPY have no fields here on purpose.
 */
public sealed interface Frontend {
    /**
     * Prepares a statement under a name, of which the text may be {@linkplain LongText shortened}; 0 stands for a
     * parameter type that the server is to find out.
     */
    record Parse(String statement, String sql, List<Integer> types) implements Frontend {}

    /** Makes a portal of a statement; a null parameter is SQL's NULL. */
    record Bind(String portal, String statement, Formats given, List<byte @Nullable []> parameters, Formats results)
            implements Frontend {}

    /** Asks for the columns of a portal, or for the parameters and columns of a statement. */
    record Describe(boolean portal, String name) implements Frontend {}

    /** Runs a portal until the end (0) or for so many rows. */
    record Execute(String portal, int limit) implements Frontend {}

    /** Drops a portal or a statement. */
    record Close(boolean portal, String name) implements Frontend {}

    /** The simple protocol's whole request, of which the text may be {@linkplain LongText shortened}. */
    record Query(String sql) implements Frontend {}

    /** A function called by oid, as it came. */
    record FunctionCall(PgMessage message) implements Frontend {}

    /** A message of this type that was too long to be kept. */
    record Oversized(char type) implements Frontend {}

    /** One of the messages that consist of nothing but their type. */
    enum Plain implements Frontend {
        SYNC,
        FLUSH,
        TERMINATE,
        /** A piece of a COPY. */
        COPY_DATA,
        /** CopyDone or CopyFail. */
        COPY_END,
        /** A password or SASL answer, whose content is never looked at. */
        SECRET
    }

    /**
     * Decodes a message.
     *
     * @throws MalformedMessageException if the body doesn't fit the type, or the type is unknown
     */
    static Frontend decode(PgMessage message) {
        PgReader reader = message.reader();
        return switch (message.type()) {
            case 'P' -> parse(reader);
            case 'B' -> bind(reader);
            case 'D' -> new Describe(portal(reader), reader.string());
            case 'E' -> new Execute(reader.string(), reader.int32());
            case 'C' -> new Close(portal(reader), reader.string());
            case 'Q' -> new Query(reader.string());
            case 'F' -> new FunctionCall(message);
            case 'S' -> Plain.SYNC;
            case 'H' -> Plain.FLUSH;
            case 'X' -> Plain.TERMINATE;
            case 'd' -> Plain.COPY_DATA;
            case 'c', 'f' -> Plain.COPY_END;
            case 'p' -> Plain.SECRET;
            default -> throw new MalformedMessageException("no such message: " + (int) message.type());
        };
    }

    private static Parse parse(PgReader reader) {
        String statement = reader.string();
        String sql = reader.string();
        return new Parse(statement, sql, reader.types());
    }

    private static Bind bind(PgReader reader) {
        String portal = reader.string();
        String statement = reader.string();
        Formats given = Formats.read(reader);
        int count = reader.count(4);
        List<byte @Nullable []> parameters = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parameters.add(reader.value());
        }
        return new Bind(portal, statement, given, Collections.unmodifiableList(parameters), Formats.read(reader));
    }

    private static boolean portal(PgReader reader) {
        byte kind = reader.int8();
        if (kind != 'P' && kind != 'S') {
            throw new MalformedMessageException("neither portal nor statement: " + kind);
        }
        return kind == 'P';
    }
}
