package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.InferredTypes;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Describes statements and portals by what production was told of them. */
final class Descriptions {
    private static final PgMessage NO_ROWS = new PgMessage('n', new byte[0]);

    private final Answers answers;
    private final ServerFacts facts;
    private final Settings settings;
    private final InferredTypes inferred;
    private final Outlet outlet;

    Descriptions(Answers answers, ServerFacts facts, Settings settings, InferredTypes inferred, Outlet outlet) {
        this.answers = answers;
        this.facts = facts;
        this.settings = settings;
        this.inferred = inferred;
        this.outlet = outlet;
    }

    /**
     * Describes a portal by what is known of its statement.
     *
     * @return false if nothing is: then the answer to the execution, which follows anyhow, is to be found first
     */
    boolean atOnce(DebugPortal portal) {
        Prepared statement = portal.statement;
        if (statement.command.local()) {
            columns(statement, LocalAnswers.columns(statement.command), portal.formats);
            return true;
        }
        Shape shape = facts.known(statement.key(settings.stateFor(statement.sql)), Shape.class);
        List<Column> columns = shape == null ? null : shape.columns();
        if (portal.answer != null || columns == null) {
            return false;
        }
        columns(statement, columns, portal.formats);
        return true;
    }

    /** Describes a portal by the answer to its execution; or returns the error that is the description instead. */
    @Nullable
    PgMessage from(DebugPortal portal, Answer answer) {
        if (answer instanceof Answer.Refusal refusal) {
            return refusal.error();
        }
        if (!(answer instanceof Answer.Result known)) {
            return Misfit.notPresentable("it is a script's");
        }
        List<Column> columns = known.result().columns();
        if (columns != null) {
            columns(portal.statement, columns, portal.formats);
            return null;
        }
        PgMessage end = known.result().end();
        return end.type() == 'E' ? end : Misfit.notPresentable("its columns were never described");
    }

    /** Describes a statement, waiting for production to have it described; {@code then} is told the error instead. */
    void describe(Prepared statement, Consumer<@Nullable PgMessage> then) {
        if (statement.command.local()) {
            parameters(List.of());
            columns(statement, LocalAnswers.columns(statement.command), Formats.TEXT);
            then.accept(null);
            return;
        }
        answers.shape(
                statement.key(settings.stateFor(statement.sql)), shape -> then.accept(describe(statement, shape)));
    }

    private @Nullable PgMessage describe(Prepared statement, @Nullable Shape shape) {
        if (shape == null) {
            return answers.undescribed(statement.sql);
        }
        List<Column> columns = shape.columns();
        if (columns == null) {
            return shape.error() == null ? Misfit.notPresentable("its columns are unknown") : shape.error();
        }
        List<Integer> types = shape.parameters() == null ? statement.declared : shape.parameters();
        inferred.described(statement.sql, types);
        parameters(types);
        columns(statement, columns, Formats.TEXT);
        return null;
    }

    private void parameters(List<Integer> types) {
        PgWriter writer = new PgWriter().int16(types.size());
        types.forEach(writer::int32);
        outlet.write(writer.toMessage('t'));
    }

    private void columns(Prepared statement, List<Column> columns, Formats formats) {
        statement.told = columns;
        outlet.write(columns.isEmpty() ? NO_ROWS : Column.encode(columns, formats));
    }
}
