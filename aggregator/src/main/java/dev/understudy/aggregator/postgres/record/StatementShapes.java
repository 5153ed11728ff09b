package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.exchange.ShapeHistory;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Records what one connection is answered about statements' parameters and columns, in order. */
final class StatementShapes {
    private static final long PER_HISTORY = 300;

    private final ServerFacts facts;
    private final Settings settings;

    StatementShapes(ServerFacts facts, Settings settings) {
        this.facts = facts;
        this.settings = settings;
    }

    /** The columns of a statement are known. */
    void described(PgRecordedStatement statement, long nanos) {
        add(statement, new Shape(statement.parameters, statement.columns, null), nanos);
    }

    /** Preparing a statement failed. */
    void notPrepared(PgRecordedStatement statement, PgMessage error, long nanos) {
        add(statement, new Shape(null, null, error), nanos);
    }

    /** Preparing a statement failed since its name was another one's. */
    void nameTaken(PgRecordedStatement statement) {
        change(statement, history -> {
            history.refusedName();
            return true;
        });
    }

    /** A statement was prepared, and that is all so far. */
    void prepared(PgRecordedStatement statement, long nanos) {
        add(statement, new Shape(null, null, null), nanos);
    }

    /**
     * A reply to the execution of a statement is recorded. A shape that was forgotten meanwhile is recorded again: the
     * client that knows it won't ask again.
     *
     * @param whole whether it is all of the reply, or its beginning
     * @return the columns that it has
     */
    @Nullable
    List<Column> executed(PgRecordedStatement statement, long nanos, boolean whole) {
        statement.heard = true;
        ShapeHistory known = history(statement);
        if (known == null) {
            described(statement, nanos);
        }
        ShapeHistory history = known == null ? history(statement) : known;
        if (history != null && whole) {
            history.executed(nanos);
        }
        return statement.columns != null || history == null ? statement.columns : history.columns(nanos);
    }

    /** The same of an execution that failed, which says nothing of the statement's shape. */
    void failed(PgRecordedStatement statement, long nanos) {
        ShapeHistory history = history(statement);
        if (history != null) {
            history.executed(nanos);
        }
    }

    private void add(PgRecordedStatement statement, Shape shape, long nanos) {
        statement.heard = true;
        change(statement, history -> history.described(shape, nanos));
    }

    private void change(PgRecordedStatement statement, Predicate<ShapeHistory> change) {
        facts.change(
                statement.key(settings.stateFor(statement.sql)),
                ShapeHistory.class,
                ShapeHistory::new,
                change,
                history -> PER_HISTORY + 2L * statement.sql.length() + history.bytes());
    }

    private @Nullable ShapeHistory history(PgRecordedStatement statement) {
        return facts.known(statement.key(settings.stateFor(statement.sql)), ShapeHistory.class);
    }
}
