package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.divergence.wire.postgres.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that production has prepared, with what the server said about it on this connection. */
final class PgRecordedStatement {
    private static final long PER_STATEMENT = 400;
    private static final long PER_TYPE = 24;

    final String sql;
    final Wording wording;
    final @Nullable TraceId trace;
    final List<Integer> types;
    final PgStatementKind command;

    @Nullable
    List<Integer> parameters;

    @Nullable
    List<Column> columns;

    /** Whether more is recorded of it than that it was prepared. */
    boolean heard;

    /** @param trace the trace that its text names; null if it names none */
    PgRecordedStatement(String sql, @Nullable TraceId trace, List<Integer> types) {
        this(new Wording(sql), trace, types);
    }

    PgRecordedStatement(Wording wording, @Nullable TraceId trace, List<Integer> types) {
        this.sql = wording.sql();
        this.wording = wording;
        this.trace = trace;
        this.types = types;
        this.command = wording.command();
    }

    /** Memory that it takes; the columns are everybody's. */
    long heldBytes() {
        return PER_STATEMENT + 2L * sql.length() + PER_TYPE * types.size();
    }

    Shape.Key key(PgSessionState state) {
        return new Shape.Key(wording.counted(state.spelling()), types, state.lasting());
    }
}
