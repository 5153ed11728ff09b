package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.divergence.wire.postgres.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that the debug client has prepared. */
final class Prepared {
    private static final long PER_STATEMENT = 400;
    private static final long PER_TYPE = 24;
    private static final long PER_COLUMN = 120;

    final String sql;
    final Wording wording;
    final @Nullable TraceId trace;
    final List<Integer> declared;
    final List<Integer> types;
    final PgStatementKind command;

    /** Bytes that are charged for it. */
    long charged;

    /** The columns that the client was told last; null before it asked. */
    @Nullable
    List<Column> told;

    /** @param trace the trace that its text names; null if it names none */
    Prepared(String sql, @Nullable TraceId trace, List<Integer> declared, List<Integer> types) {
        this.sql = sql;
        this.trace = trace;
        this.declared = declared;
        this.types = types;
        this.wording = new Wording(sql);
        this.command = wording.command();
    }

    /** Whether a result has the columns that the client was told of, as far as they decide how it reads them. */
    boolean fits(PgResult result) {
        List<Column> before = told;
        List<Column> columns = result.columns();
        if (before == null || columns == null || (result.rows().isEmpty() && result.large() == null)) {
            return true;
        }
        boolean same = before.size() == columns.size();
        for (int i = 0; same && i < columns.size(); i++) {
            same = before.get(i).type() == columns.get(i).type()
                    && before.get(i).name().equals(columns.get(i).name());
        }
        return same;
    }

    /** Memory that it takes: the text, its bytes, and what is shown of it. */
    long heldBytes() {
        int columns = told == null ? 0 : told.size();
        return PER_STATEMENT + 4L * sql.length() + PER_TYPE * (declared.size() + types.size()) + PER_COLUMN * columns;
    }

    Shape.Key key(PgSessionState state) {
        return new Shape.Key(wording.counted(state.spelling()), types, state.lasting());
    }
}
