package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.mysql.sql.LongData;
import dev.understudy.aggregator.mysql.sql.LongRest;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import org.jspecify.annotations.Nullable;

/** A statement that a debug client has prepared. */
final class DebugStatement {
    private static final long PER_STATEMENT = 400;

    final MySqlScript script;
    final String text;
    final int parameters;

    /** The types of its parameters the last time; null if it was never run. */
    int @Nullable [] types;

    private @Nullable OpenCursor cursor;

    final LongData sent = new LongData();

    /** Bytes that are charged for it. */
    long charged;

    private final long textBytes;

    DebugStatement(MySqlScript script, String text, int parameters) {
        this.script = script;
        this.text = text;
        this.parameters = parameters;
        this.textBytes = PER_STATEMENT + 2L * text.length() + script.heldBytes();
    }

    /** Memory that it takes: text, what was sent ahead of its parameters, and the rows that are to be fetched. */
    long heldBytes() {
        long ofTypes = types == null ? 0 : (long) Integer.BYTES * types.length;
        return textBytes + ofTypes + sent.heldMemory() + (cursor == null ? 0 : cursor.heldBytes());
    }

    /** A piece of a parameter comes ahead of the others; false if that is more than may be. */
    boolean send(byte[] payload, @Nullable LongRest rest, long most) {
        sent.add(payload, rest);
        return sent.heldBytes() <= most && sent.size() <= parameters;
    }

    /** What the client fetches from; null if it fetches nothing. */
    @Nullable
    OpenCursor cursor() {
        return cursor;
    }

    /** The client is to fetch from this one, or nothing any more if it is null. */
    void cursor(@Nullable OpenCursor other) {
        if (cursor != null && cursor != other) {
            cursor.close();
        }
        cursor = other;
    }
}
