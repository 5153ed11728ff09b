package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.mysql.sql.Script;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.result.Rows;
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

    /** Rows that the client fetches; null if it fetches none. */
    @Nullable
    OpenCursor cursor;

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

    /** A result of which the client reads some rows at a time. */
    static final class OpenCursor {
        final Rows rows;
        final boolean whole;
        final Form form;
        int next;

        OpenCursor(Rows rows, boolean whole, Form form) {
            this.rows = rows;
            this.whole = whole;
            this.form = form;
        }
    }
}
