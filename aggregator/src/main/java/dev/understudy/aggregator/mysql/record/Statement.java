package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.mysql.sql.Script;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A statement that production has prepared. */
final class Statement {
    final Script script;
    final String text;
    final int parameters;

    /** The columns that the client knows of it. */
    List<byte[]> columns;

    /** The types of its parameters the last time; null if it was never run. */
    int @Nullable [] types;

    /** What is read of its result by and by; null if none is open. */
    @Nullable
    Cursor cursor;

    private final Map<Integer, MySqlWriter> sent = new HashMap<>();
    private long sentBytes;

    Statement(Script script, String text, int parameters, List<byte[]> columns) {
        this.script = script;
        this.text = text;
        this.parameters = parameters;
        this.columns = columns;
    }

    /** A piece of a parameter came ahead of the others. */
    void send(int parameter, byte[] piece) {
        sent.computeIfAbsent(parameter, p -> new MySqlWriter()).bytes(piece);
        sentBytes += piece.length;
    }

    /** What came ahead, by place. */
    Map<Integer, byte[]> sent() {
        Map<Integer, byte[]> whole = new HashMap<>();
        sent.forEach((place, value) -> whole.put(place, value.toBytes()));
        return whole;
    }

    void forgetSent() {
        sent.clear();
        sentBytes = 0;
    }

    /** It is closed with others, and what was read of its result isn't recorded. */
    void abandon() {
        if (cursor != null) {
            cursor.overflow.abandon();
            cursor = null;
        }
    }

    long heldBytes() {
        return sentBytes + (cursor == null ? 0 : cursor.bytes());
    }
}
