package dev.understudy.divergence.wire.postgres;

import org.jspecify.annotations.Nullable;

/** Reads and writes ErrorResponse and NoticeResponse (protocol manual, "Error and Notice Message Fields"). */
public final class PgErrors {
    /** The transaction has failed, and everything but its end is refused. */
    public static final String IN_FAILED_TRANSACTION = "25P02";

    private PgErrors() {}

    /** The SQLSTATE; empty if the message holds none. */
    public static String state(PgMessage errorOrNotice) {
        String state = field(errorOrNotice, 'C');
        return state == null ? "" : state;
    }

    /** The class of the SQLSTATE, its first two characters; empty if the message holds none. */
    public static String stateClass(PgMessage errorOrNotice) {
        String state = state(errorOrNotice);
        return state.substring(0, Math.min(2, state.length()));
    }

    /** One field by its code; null if it isn't there. */
    public static @Nullable String field(PgMessage errorOrNotice, char code) {
        try {
            PgReader reader = errorOrNotice.reader();
            for (byte field = reader.int8(); field != 0; field = reader.int8()) {
                String value = reader.string();
                if (field == code) {
                    return value;
                }
            }
        } catch (MalformedMessageException cutOff) {
            return null;
        }
        return null;
    }

    /** Whether the connection ends behind this message; servers before 9.6 say so in their own language only. */
    public static boolean isFatal(PgMessage message) {
        if (message.type() != 'E') {
            return false;
        }
        String severity = field(message, 'V');
        String shown = severity == null ? field(message, 'S') : severity;
        return "FATAL".equals(shown) || "PANIC".equals(shown);
    }

    /** An ErrorResponse of severity ERROR. */
    public static PgMessage error(String state, String message, @Nullable String detail, @Nullable String hint) {
        return message('E', "ERROR", state, message, detail, hint);
    }

    /** An ErrorResponse of severity FATAL: the connection ends behind it. */
    public static PgMessage fatal(String state, String message) {
        return message('E', "FATAL", state, message, null, null);
    }

    /** A NoticeResponse of severity WARNING. */
    public static PgMessage warning(String state, String message) {
        return message('N', "WARNING", state, message, null, null);
    }

    private static PgMessage message(
            char type, String severity, String state, String message, @Nullable String detail, @Nullable String hint) {
        PgWriter writer = new PgWriter();
        field(writer, 'S', severity);
        field(writer, 'V', severity);
        field(writer, 'C', state);
        field(writer, 'M', message);
        if (detail != null) {
            field(writer, 'D', detail);
        }
        if (hint != null) {
            field(writer, 'H', hint);
        }
        return writer.int8(0).toMessage(type);
    }

    private static void field(PgWriter writer, char code, String value) {
        writer.int8(code).string(value.replace('\0', ' '));
    }
}
