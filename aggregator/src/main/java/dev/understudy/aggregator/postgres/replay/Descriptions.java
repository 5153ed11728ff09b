package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.InferredTypes;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
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

    private final PgAnswers answers;
    private final Confirmations confirmations;
    private final Settings settings;
    private final InferredTypes inferred;
    private final PgOutlet outlet;

    Descriptions(
            PgAnswers answers,
            Confirmations confirmations,
            Settings settings,
            InferredTypes inferred,
            PgOutlet outlet) {
        this.answers = answers;
        this.confirmations = confirmations;
        this.settings = settings;
        this.inferred = inferred;
        this.outlet = outlet;
    }

    /**
     * Describes a portal whose columns no recorded answer decides.
     *
     * @return false if one does: then the answer to the execution, which follows anyhow, is to be found first. What the
     *     server said last about the statement may be of another time, as before an ALTER TABLE
     */
    boolean atOnce(DebugPortal portal) {
        Prepared statement = portal.statement;
        if (statement.command.local()) {
            columns(statement, PgLocalAnswers.columns(statement.command), portal.formats);
            return true;
        }
        if (statement.command == PgStatementKind.COPY) {
            columns(statement, List.of(), portal.formats);
            return true;
        }
        return false;
    }

    /** Describes a portal by the answer to its execution; or returns the error that is the description instead. */
    @Nullable
    PgMessage from(DebugPortal portal, PgAnswer answer) {
        if (answer instanceof PgAnswer.Refusal refusal) {
            return refusal.error();
        }
        if (!(answer instanceof PgAnswer.Result known)) {
            return answers.unfit(portal.statement.sql, "it is a script's");
        }
        List<Column> own = known.result().columns();
        Prepared statement = portal.statement;
        PgMessage end = known.result().end();
        if (end.type() == 'E' && known.result().refusedAt() != QueryStep.EXECUTE) {
            confirmations.refused(portal, known.result().refusedAt());
            return end;
        }
        List<Column> columns = own == null ? answers.columns(statement.key(settings.stateFor(statement.sql))) : own;
        if (columns != null) {
            columns(statement, columns, portal.formats);
            return null;
        }
        return end.type() == 'E' ? end : answers.unfit(portal.statement.sql, "its columns were never described");
    }

    /** Describes a statement, waiting for production to have it described; {@code then} is told the error instead. */
    void describe(Prepared statement, Consumer<@Nullable PgMessage> then) {
        if (statement.command.local()) {
            parameters(List.of());
            columns(statement, PgLocalAnswers.columns(statement.command), Formats.TEXT);
            then.accept(null);
            return;
        }
        answers.shape(
                statement.key(settings.stateFor(statement.sql)),
                shape -> shape.columns() != null || shape.error() != null,
                shape -> then.accept(describe(statement, shape)));
    }

    private @Nullable PgMessage describe(Prepared statement, @Nullable Shape shape) {
        if (shape == null) {
            return answers.undescribed(statement.sql);
        }
        PgMessage error = shape.error();
        if (error != null) {
            confirmations.refused(statement);
            return error;
        }
        List<Column> columns = shape.columns();
        if (columns == null) {
            return answers.undescribed(statement.sql);
        }
        List<Integer> types = shape.parameters() == null ? statement.declared : shape.parameters();
        inferred.described(statement.sql, types);
        parameters(types);
        columns(statement, columns, Formats.TEXT);
        return null;
    }

    private void parameters(List<Integer> types) {
        confirmations.release();
        PgWriter writer = new PgWriter().int16(types.size());
        types.forEach(writer::int32);
        outlet.write(writer.toMessage('t'));
    }

    private void columns(Prepared statement, List<Column> columns, Formats formats) {
        confirmations.release();
        statement.told = columns;
        outlet.write(columns.isEmpty() ? NO_ROWS : Column.encode(columns, formats));
    }
}
