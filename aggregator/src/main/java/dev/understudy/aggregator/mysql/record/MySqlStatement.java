package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.mysql.sql.LongData;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that production has prepared. */
final class MySqlStatement {
    private static final long PER_STATEMENT = 400;

    final MySqlScript script;
    final String text;
    final int parameters;

    /** The columns that the client knows of it. */
    List<byte[]> columns;

    /** The types of its parameters the last time; null if it was never run. */
    int @Nullable [] types;

    /** What is read of its result by and by; null if none is open. */
    @Nullable
    Cursor cursor;

    /** What comes of its parameters ahead of the others. */
    final LongData sent = new LongData();

    private final long textBytes;

    MySqlStatement(MySqlScript script, String text, int parameters, List<byte[]> columns) {
        this.script = script;
        this.text = text;
        this.parameters = parameters;
        this.columns = columns;
        this.textBytes = PER_STATEMENT + 2L * text.length() + script.heldBytes();
    }

    /** It is closed with others, and what was read of its result isn't recorded. */
    void abandon() {
        if (cursor != null) {
            cursor.overflow.abandon();
            cursor = null;
        }
    }

    /** Memory of its texts. */
    long textBytes() {
        return textBytes;
    }

    /** Memory of what comes and goes with its executions. */
    long heldBytes() {
        return sent.heldBytes() + (cursor == null ? 0 : cursor.bytes());
    }
}
