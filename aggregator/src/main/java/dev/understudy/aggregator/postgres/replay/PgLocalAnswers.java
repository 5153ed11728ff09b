package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fact.AnswerTimeline;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fact.Transaction.Outcome;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.TimedAnswers;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.PreparedNames;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers statements that concern their own session only: transactions, settings, and whether the connection lives.
 * They use up nothing that was recorded.
 *
 * <p>One of them isn't a mere formality: a COMMIT gets the outcome that production's had.
 */
final class PgLocalAnswers {
    private static final String SYNTAX_ERROR = "42601";
    private static final String NO_STATEMENT = "26000";
    private static final int INT4 = 23;
    private static final int TEXT = 25;
    private static final Column ONE = new Column("?column?", 0, (short) 0, INT4, (short) 4, -1);

    private final EventExecutor executor;
    private final UpstreamReplay<PgReply> replay;
    private final ServerFacts facts;
    private final ReplayPosition position;
    private final PgDebugTransaction transaction;
    private final Settings settings;
    private final Predicate<String> forgetStatements;
    private final PgTransaction none = new PgTransaction();

    PgLocalAnswers(
            EventExecutor executor,
            UpstreamReplay<PgReply> replay,
            ServerFacts facts,
            ReplayPosition position,
            PgDebugTransaction transaction,
            Settings settings,
            Predicate<String> forgetStatements) {
        this.executor = executor;
        this.replay = replay;
        this.facts = facts;
        this.position = position;
        this.transaction = transaction;
        this.settings = settings;
        this.forgetStatements = forgetStatements;
    }

    /** Who waits for an answer, perhaps no longer. */
    interface Asker {
        boolean over();

        void end(PgAnswer answer);

        /** It waits for this. */
        void awaits(PendingRequest what);
    }

    /**
     * Answers a statement for which {@link PgStatementKind#local} holds, later if it is a COMMIT that production hasn't
     * done yet.
     */
    void answer(PgStatementKind command, String sql, Supplier<Form> form, Asker then) {
        PgMessage refused = refused(command, sql, form);
        if (refused == null && command == PgStatementKind.COMMIT) {
            commit(sql, then);
            return;
        }
        replay.local();
        if (command == PgStatementKind.DISCARD || command == PgStatementKind.DEALLOCATE) {
            then.end(forget(command, sql, refused));
        } else if (refused != null) {
            then.end(new PgAnswer.Refusal(refused));
        } else {
            then.end(command == PgStatementKind.SET ? set(sql) : answer(command, sql));
        }
    }

    /** The error that production's server had for it at that time; null if it took it, or wasn't asked. */
    private @Nullable PgMessage refused(PgStatementKind command, String sql, Supplier<Form> form) {
        if (!command.settled() && (command == PgStatementKind.PING || sql.indexOf(' ') < 0)) {
            return null; // one word is no syntax error
        }
        TimedAnswers.OfSession ends = facts.known(form.get(), TimedAnswers.OfSession.class);
        AnswerTimeline.Timed<PgMessage> timed = ends == null ? null : ends.at(position.nanos());
        if (timed == null) {
            return null;
        }
        position.passed(timed.until());
        return timed.answer().type() == 'E' ? timed.answer() : null;
    }

    /** The transaction is over, and nothing of it happened. */
    void rolledBack() {
        end(false);
    }

    /**
     * The transaction is no longer the session's: it was prepared to be committed later, perhaps by another, or is
     * rolled back since it can't be.
     */
    void prepared(PgMessage end) {
        if (end.type() == 'C' || !PgErrors.state(end).equals(SYNTAX_ERROR)) {
            end(end.type() == 'C');
        }
    }

    /** The columns that a statement will have; empty if it returns no rows. */
    static List<Column> columns(PgStatementKind command) {
        return command == PgStatementKind.PING ? List.of(ONE) : List.of();
    }

    /** One value as SHOW presents it. */
    PgAnswer show(String name, String value) {
        replay.local();
        String reported = Greeting.reported(name);
        Column column = new Column(reported == null ? name : reported, 0, (short) 0, TEXT, (short) -1, -1);
        return row(column, value, "SHOW");
    }

    private PgAnswer answer(PgStatementKind command, String sql) {
        return switch (command) {
            case BEGIN -> begin(sql);
            case ROLLBACK -> ended("ROLLBACK", sql);
            case ROLLBACK_TO -> rollbackTo(PostgresText.lastName(sql));
            case SAVEPOINT -> savepoint(PostgresText.lastName(sql));
            case RELEASE -> release(PostgresText.lastName(sql));
            case PING -> {
                transaction.queried();
                yield row(ONE, "1", "SELECT 1");
            }
            case EMPTY -> done(List.of(), new PgMessage('I', new byte[0]));
            default -> complete(command.name());
        };
    }

    private PgAnswer begin(String sql) {
        List<PgMessage> notices = transaction.status() == 'I'
                ? List.of()
                : List.of(PgErrors.warning("25001", "there is already a transaction in progress"));
        transaction.begin();
        settings.begin();
        String word = PostgresText.firstWords(sql, 1).get(0);
        return done(notices, tag(word.equals("START") ? "START TRANSACTION" : "BEGIN"));
    }

    private void commit(String sql, Asker then) {
        PgTransaction production = transaction.failed() ? null : transaction.origins.block();
        if (production == null) {
            replay.local();
            then.end(ended(transaction.failed() ? "ROLLBACK" : "COMMIT", sql));
            return;
        }
        long began = System.nanoTime();
        then.awaits(production.whenEnded(executor, replay.patience().toNanos(), () -> {
            if (then.over()) {
                return;
            }
            Outcome outcome = production.outcome();
            PgMessage error = production.error();
            if (outcome == Outcome.COMMITTED) {
                replay.local();
                then.end(ended("COMMIT", sql));
            } else if (error != null) {
                replay.local();
                end(false);
                then.end(new PgAnswer.Refusal(error));
            } else {
                end(false);
                String why = "production's transaction, from which the answers came, has ended as " + outcome;
                long waited = System.nanoTime() - began;
                then.end(new PgAnswer.Refusal(
                        PgMismatchErrors.miss(replay.notLearned(Form.of("COMMIT", sql), why, waited))));
            }
        }));
    }

    private PgAnswer ended(String tag, String sql) {
        boolean chained = PgStatementKind.chained(sql);
        if (chained && transaction.status() == 'I') {
            return outsideBlock(PostgresText.firstWords(sql, 1).get(0) + " AND CHAIN");
        }
        List<PgMessage> notices = transaction.status() == 'I'
                ? List.of(PgErrors.warning("25P01", "there is no transaction in progress"))
                : List.of();
        end(tag.equals("COMMIT"));
        if (chained) {
            transaction.begin();
        }
        return done(notices, tag(tag));
    }

    private void end(boolean committed) {
        transaction.end();
        settings.end(committed);
    }

    private PgAnswer savepoint(String name) {
        if (transaction.status() == 'I') {
            return outsideBlock("SAVEPOINT");
        }
        transaction.savepoints.set(name);
        return complete("SAVEPOINT");
    }

    private PgAnswer release(String name) {
        if (transaction.status() == 'I') {
            return outsideBlock("RELEASE SAVEPOINT");
        }
        return transaction.savepoints.backTo(name, true) ? complete("RELEASE") : noSavepoint(name);
    }

    private PgAnswer rollbackTo(String name) {
        if (transaction.status() == 'I') {
            return outsideBlock("ROLLBACK TO SAVEPOINT");
        }
        if (!transaction.savepoints.backTo(name, false)) {
            return noSavepoint(name);
        }
        transaction.recovered();
        return complete("ROLLBACK");
    }

    private PgAnswer set(String sql) {
        PgMessage tooLate = transaction.tooLate(settings, sql);
        if (tooLate != null) {
            return new PgAnswer.Refusal(tooLate);
        }
        String block = transaction.status() == 'I' ? Settings.ofBlock(sql) : null;
        if (block != null) {
            return done(
                    List.of(PgErrors.warning("25P01", block + " can only be used in transaction blocks")), tag("SET"));
        }
        return complete("SET");
    }

    /** @param refused the error that production's server had; of a statement that isn't there only where that is so */
    private PgAnswer forget(PgStatementKind command, String sql, @Nullable PgMessage refused) {
        List<String> words = PostgresText.firstWords(sql, 3);
        String name = PreparedNames.dropped(command, sql);
        boolean all = PreparedNames.ALL.equals(name);
        if (all && command == PgStatementKind.DISCARD && transaction.status() != 'I') {
            return new PgAnswer.Refusal(
                    PgErrors.error("25001", "DISCARD ALL cannot run inside a transaction block", null, null));
        }
        boolean missing = refused != null && PgErrors.state(refused).equals(NO_STATEMENT);
        boolean had = (refused == null || missing) && name != null && forgetStatements.test(name);
        if (refused != null && !(missing && had)) {
            return new PgAnswer.Refusal(refused);
        }
        String second = words.size() > 1 ? words.get(1) : "";
        return complete(
                command == PgStatementKind.DISCARD ? "DISCARD " + second : all ? "DEALLOCATE ALL" : "DEALLOCATE");
    }

    private static PgAnswer outsideBlock(String what) {
        return new PgAnswer.Refusal(
                PgErrors.error("25P01", what + " can only be used in transaction blocks", null, null));
    }

    private static PgAnswer noSavepoint(String name) {
        return new PgAnswer.Refusal(PgErrors.error("3B001", "savepoint " + name + " does not exist", null, null));
    }

    private PgAnswer complete(String tag) {
        return done(List.of(), tag(tag));
    }

    private PgAnswer done(List<PgMessage> notices, PgMessage end) {
        return result(List.of(), List.of(), notices, end);
    }

    private PgAnswer row(Column column, String value, String tag) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        PgMessage row = new PgWriter().int16(1).value(text).toMessage('D');
        return result(List.of(column), List.of(row), List.of(), tag(tag));
    }

    private PgAnswer result(List<Column> columns, List<PgMessage> rows, List<PgMessage> notices, PgMessage end) {
        return new PgAnswer.Result(
                new PgResult(columns, Formats.TEXT, rows, notices, end, null, TextStyle.DEFAULT, none));
    }

    private static PgMessage tag(String tag) {
        return new PgWriter().string(tag).toMessage('C');
    }
}
