package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.aggregator.postgres.sql.Command;
import dev.understudy.aggregator.postgres.sql.Forms;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.postgres.sql.SqlText;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Answers the simple protocol, where one message is a whole request, and function calls, which are like it. */
final class SimpleQueries {
    private final Answers answers;
    private final DebugTransaction transaction;
    private final Settings settings;
    private final Outlet outlet;
    private final Runnable ready;

    SimpleQueries(Answers answers, DebugTransaction transaction, Settings settings, Outlet outlet, Runnable ready) {
        this.answers = answers;
        this.transaction = transaction;
        this.settings = settings;
        this.outlet = outlet;
        this.ready = ready;
    }

    void query(String sql) {
        List<String> statements = SqlText.statements(sql);
        if (statements.size() <= 1 || statements.stream().map(Command::of).allMatch(Command::local)) {
            each(new ArrayDeque<>(statements.isEmpty() ? List.of("") : statements));
            return;
        }
        answers.find(Command.OTHER, sql, List.of(), () -> Forms.script(settings.state(), sql), answer -> {
            verbatim(answer, statements.stream().map(Command::of).toList());
            ready.run();
        });
    }

    void call(Frontend.FunctionCall call) {
        answers.find(Command.OTHER, "", List.of(), () -> Forms.call(settings.state(), call.message()), answer -> {
            verbatim(answer, List.of());
            ready.run();
        });
    }

    private void each(Queue<String> statements) {
        String statement = statements.poll();
        if (statement == null) {
            ready.run();
            return;
        }
        Command command = Command.of(statement);
        String sql = Forms.canonical(statement);
        answers.find(command, sql, List.of(), () -> Forms.statement(settings.stateFor(sql), sql, command), answer -> {
            if (single(answer)) {
                each(statements);
            } else {
                ready.run();
            }
        });
    }

    /** Writes the answer to one statement; false if that is an error, which ends the request. */
    private boolean single(Answer answer) {
        PgMessage error = answer instanceof Answer.Result known
                ? result(known.result())
                : answer instanceof Answer.Refusal refusal ? refusal.error() : null;
        if (error == null) {
            return true;
        }
        outlet.write(error);
        transaction.fail();
        return false;
    }

    private @Nullable PgMessage result(PgResult result) {
        List<Column> columns = result.columns();
        if (columns == null && result.end().type() != 'E') {
            return Misfit.notPresentable("its columns were never described");
        }
        if (columns != null && !columns.isEmpty()) {
            outlet.write(Column.encode(columns, Formats.TEXT));
        }
        result.notices().forEach(outlet::write);
        RowWriter rows = new RowWriter(result, Formats.TEXT, settings.style());
        for (int i = 0; i < result.rows().size(); i++) {
            PgMessage row = rows.row(i);
            if (row == null) {
                return Misfit.notPresentable(rows.reason());
            }
            outlet.write(row);
        }
        PgMessage end = rows.end(result.rows().size());
        if (end.type() == 's') {
            return Misfit.notPresentable("production read only " + result.rows().size() + " rows of it");
        }
        if (end.type() == 'E') {
            return end;
        }
        outlet.write(end);
        return null;
    }

    private void verbatim(Answer answer, List<Command> commands) {
        if (answer instanceof Answer.Refusal refusal) {
            outlet.write(refusal.error());
            transaction.fail();
        } else if (answer instanceof Answer.Verbatim verbatim) {
            PgScript script = verbatim.script();
            script.messages().forEach(outlet::write);
            if (commands.contains(Command.BEGIN)
                    || commands.contains(Command.COMMIT)
                    || commands.contains(Command.ROLLBACK)) {
                transaction.adopt(script.status());
            } else if (script.messages().stream().anyMatch(message -> message.type() == 'E')) {
                transaction.fail();
            }
        }
    }
}
