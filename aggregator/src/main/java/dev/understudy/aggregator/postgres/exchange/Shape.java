package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the server answered to preparing a statement, or to describing it.
 *
 * @param parameters the types of its parameters; null if only a portal was described
 * @param columns empty if it returns no rows; null if it was only prepared, or can't be
 * @param error the ErrorResponse to preparing it; null if it can be
 */
public record Shape(
        @Nullable List<Integer> parameters,
        @Nullable List<Column> columns,
        @Nullable PgMessage error) {

    /** Classes of SQLSTATEs that tell of the statement itself, and not of its transaction or of the server's load. */
    private static final Set<String> OF_THE_STATEMENT = Set.of("0A", "0P", "22", "28", "3D", "3F", "42", "54");

    /** Memory of a parameter's type. */
    private static final long PER_TYPE = 24;

    /** What a statement is known by: its text, the declared types of its parameters, and where it is meant to run. */
    public record Key(String sql, List<Integer> types, PgSessionState state) {}

    /** Both, if the other one may be told of the same statement at the same time; else null. */
    @Nullable
    Shape with(Shape other) {
        boolean same = Objects.equals(error, other.error) && agree(columns, other.columns);
        return same && agree(parameters, other.parameters)
                ? new Shape(
                        parameters == null ? other.parameters : parameters,
                        columns == null ? other.columns : columns,
                        error)
                : null;
    }

    /** Whether the server goes on answering so until something changes. */
    boolean lasting() {
        return error == null || OF_THE_STATEMENT.contains(PgErrors.stateClass(error));
    }

    /** Bytes of memory that its parts take. */
    long bytes() {
        long bytes = parameters == null ? 0 : PER_TYPE * parameters.size();
        return bytes + PgResult.columnBytes(columns) + (error == null ? 0 : PgResult.bytes(List.of(error)));
    }

    private static <T> boolean agree(@Nullable T one, @Nullable T other) {
        return one == null || other == null || one.equals(other);
    }
}
