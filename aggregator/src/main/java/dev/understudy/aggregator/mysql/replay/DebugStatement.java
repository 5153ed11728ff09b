package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.mysql.sql.Script;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A statement that a debug client has prepared. */
final class DebugStatement {
    final Script script;
    final String text;
    final int parameters;

    /** The types of its parameters the last time; null if it was never run. */
    int @Nullable [] types;

    private @Nullable OpenCursor cursor;

    private final Map<Integer, MySqlWriter> sent = new HashMap<>();
    private long sentBytes;

    DebugStatement(Script script, String text, int parameters) {
        this.script = script;
        this.text = text;
        this.parameters = parameters;
    }

    /** A piece of a parameter comes ahead of the others; false if that is more than may be. */
    boolean send(int parameter, byte[] piece, long most) {
        if (sentBytes + piece.length > most || sent.size() > parameters) {
            return false;
        }
        sent.computeIfAbsent(parameter, p -> new MySqlWriter()).bytes(piece);
        sentBytes += piece.length;
        return true;
    }

    /** What came ahead, by place; it is forgotten. */
    Map<Integer, byte[]> takeSent() {
        Map<Integer, byte[]> whole = new HashMap<>();
        sent.forEach((place, value) -> whole.put(place, value.toBytes()));
        forgetSent();
        return whole;
    }

    void forgetSent() {
        sent.clear();
        sentBytes = 0;
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
