package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.postgres.sql.TraceComment;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.LongText;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers the simple protocol, where one message is a whole request, and function calls, which are like it. */
final class SimpleQueries {
    private final PgAnswers answers;
    private final Copies copies;
    private final PgDebugTransaction transaction;
    private final Settings settings;
    private final PgOutlet outlet;
    private final Runnable ready;
    private Queue<String> left = new ArrayDeque<>(0);
    private boolean going;
    private boolean again;

    SimpleQueries(
            PgAnswers answers,
            Copies copies,
            PgDebugTransaction transaction,
            Settings settings,
            PgOutlet outlet,
            Runnable ready) {
        this.answers = answers;
        this.copies = copies;
        this.transaction = transaction;
        this.settings = settings;
        this.outlet = outlet;
        this.ready = ready;
    }

    void query(String sql) {
        if (LongText.shortened(sql)) {
            answers.find(PgStatementKind.OTHER, sql, List.of(), () -> PgForms.script(settings.state(), sql), answer -> {
                verbatim(answer, sql, List.of());
            });
            return;
        }
        List<String> statements = PostgresText.statements(sql);
        if (statements.size() <= 1
                || statements.stream().map(PgStatementKind::of).allMatch(PgStatementKind::local)) {
            left = new ArrayDeque<>(statements.isEmpty() ? List.of("") : statements);
            goOn();
            return;
        }
        answers.find(PgStatementKind.OTHER, "", List.of(), () -> PgForms.script(settings.state(), sql), answer -> {
            verbatim(answer, sql, statements);
        });
    }

    void call(Frontend.FunctionCall call) {
        answers.find(
                PgStatementKind.CALL, "", List.of(), () -> PgForms.call(settings.state(), call.message()), answer -> {
                    verbatim(answer, "", List.of());
                });
    }

    /** Answers what is left, without going deeper for each of the answers that are there at once. */
    private void goOn() {
        again = true;
        if (going) {
            return;
        }
        going = true;
        try {
            while (again) {
                again = false;
                one(left.poll());
            }
        } finally {
            going = false;
        }
    }

    private void one(@Nullable String statement) {
        if (statement == null) {
            ready.run();
            return;
        }
        String sql = PgForms.canonical(statement);
        Wording wording = new Wording(sql, PgStatementKind.of(statement));
        PgSessionState state = settings.stateFor(sql).lasting();
        Shape.Key key = new Shape.Key(wording.counted(state.spelling()), List.of(), state);
        answers.find(
                wording.command(),
                sql,
                List.of(),
                () -> PgForms.statement(settings.stateFor(sql), wording, List.of())
                        .in(TraceComment.trace(statement)),
                answer -> {
                    answers.executed(key);
                    single(sql, answer, error -> {
                        if (error == null) {
                            goOn();
                        } else {
                            outlet.write(error);
                            transaction.fail();
                            ready.run();
                        }
                    });
                });
    }

    /** Writes the answer to one statement; {@code then} is told the error that is to be its end instead, or null. */
    private void single(String sql, PgAnswer answer, Consumer<@Nullable PgMessage> then) {
        if (answer instanceof PgAnswer.Refusal refusal) {
            then.accept(refusal.error());
        } else if (answer instanceof PgAnswer.Result known) {
            result(sql, known.result(), then);
        } else if (answer instanceof PgAnswer.Verbatim verbatim) {
            copies.give(verbatim.script(), settings.stateFor(sql), sql, then);
        }
    }

    private void result(String sql, PgResult result, Consumer<@Nullable PgMessage> then) {
        List<Column> columns = result.columns();
        if (columns == null && result.end().type() != 'E') {
            then.accept(answers.unfit(sql, "its columns were never described"));
            return;
        }
        if (columns != null && !columns.isEmpty()) {
            outlet.write(Column.encode(columns, Formats.TEXT));
        }
        new Fetch(sql, result, Formats.TEXT, settings.style(), outlet, answers).read(0, then);
    }

    private void verbatim(PgAnswer answer, String sql, List<String> statements) {
        if (answer instanceof PgAnswer.Verbatim verbatim) {
            copies.write(verbatim.script(), sql, last -> {
                PgMessage error = last != null && last.type() == 'E' ? last : null;
                if (error != null) {
                    outlet.write(error);
                }
                settings.follow(statements, verbatim.script().messages());
                if (statements.stream().map(PgStatementKind::of).anyMatch(PgStatementKind::bounds)) {
                    transaction.adopt(verbatim.script().status());
                } else if (error != null) {
                    transaction.fail();
                }
                if (transaction.status() == 'I') {
                    settings.end(error == null);
                }
                ready.run();
            });
            return;
        }
        if (answer instanceof PgAnswer.Refusal refusal) {
            outlet.write(refusal.error());
            transaction.fail();
        }
        ready.run();
    }
}
