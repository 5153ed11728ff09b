package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the server said last about a statement when asked to describe it.
 *
 * @param parameters the types of its parameters; null if only a portal was described
 * @param columns empty if it returns no rows; null if it can't be prepared
 * @param error the ErrorResponse to preparing it; null if it can be
 */
public record Shape(
        @Nullable List<Integer> parameters,
        @Nullable List<Column> columns,
        @Nullable PgMessage error) {

    /** What a statement is known by: its text, the declared types of its parameters, and where it is meant to run. */
    public record Key(String sql, List<Integer> types, PgSessionState state) {}
}
