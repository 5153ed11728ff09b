package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.match.SqlTrace;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.LongText;
import org.jspecify.annotations.Nullable;

/** The comment in which a client names its trace, in PostgreSQL's dialect; not in a text that was shortened. */
public final class TraceComment {
    private static final SqlTrace TRACE = new SqlTrace(PostgresText::comments);

    private TraceComment() {}

    /** The trace that a text names in such a comment; null if it names none. */
    public static @Nullable TraceId trace(String sql) {
        return LongText.shortened(sql) ? null : TRACE.trace(sql);
    }

    /** The text without such comments; all others stay. */
    static String left(String sql) {
        return LongText.shortened(sql) ? sql : TRACE.left(sql);
    }
}
