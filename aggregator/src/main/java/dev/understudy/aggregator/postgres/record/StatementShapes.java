package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Learns what one connection is told of statements' parameters and columns. */
final class StatementShapes {
    private final ServerFacts facts;
    private final Settings settings;

    StatementShapes(ServerFacts facts, Settings settings) {
        this.facts = facts;
        this.settings = settings;
    }

    /** The columns of a statement are known. */
    void described(PgRecordedStatement statement) {
        Shape before = facts.known(statement.key(settings.stateFor(statement.sql)), Shape.class);
        List<Integer> parameters =
                statement.parameters == null && before != null ? before.parameters() : statement.parameters;
        Shape shape = new Shape(parameters, statement.columns, null);
        if (!shape.equals(before)) {
            int columns = statement.columns == null ? 0 : statement.columns.size();
            facts.learn(
                    statement.key(settings.stateFor(statement.sql)),
                    shape,
                    200 + 2L * statement.sql.length() + 100L * columns);
        }
    }

    /** Preparing a statement failed. */
    void notPrepared(PgRecordedStatement statement, PgMessage error) {
        Shape shape = new Shape(null, null, error);
        facts.learn(statement.key(settings.stateFor(statement.sql)), shape, 500 + 2L * statement.sql.length());
    }

    /** A shape that was forgotten meanwhile is taught again: the client that knows it won't ask again. */
    @Nullable
    List<Column> columns(PgRecordedStatement statement) {
        Shape shape = facts.known(statement.key(settings.stateFor(statement.sql)), Shape.class);
        if (statement.columns == null) {
            return shape == null ? null : shape.columns();
        }
        if (shape == null || shape.columns() == null) {
            described(statement);
        }
        return statement.columns;
    }
}
