package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.match.TraceId;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.Command;
import dev.understudy.aggregator.postgres.sql.SessionState;
import dev.understudy.divergence.wire.postgres.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that production has prepared, with what the server said about it on this connection. */
final class Statement {
    final String sql;
    final @Nullable TraceId trace;
    final List<Integer> types;
    final Command command;

    @Nullable
    List<Integer> parameters;

    @Nullable
    List<Column> columns;

    /** @param trace the trace that its text names; null if it names none */
    Statement(String sql, @Nullable TraceId trace, List<Integer> types) {
        this.sql = sql;
        this.trace = trace;
        this.types = types;
        this.command = Command.of(sql);
    }

    Shape.Key key(SessionState state) {
        return new Shape.Key(sql, types, state);
    }
}
