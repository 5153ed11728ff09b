package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fact.Transaction.Outcome;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.MySqlTransaction;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.mysql.sql.MySqlStatementKind;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.sql.SqlTokens;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers statements that concern their own session only: transactions, settings, the database. They use up nothing
 * that was recorded.
 *
 * <p>One of them isn't a mere formality: a COMMIT gets the outcome that production's had.
 */
final class MySqlLocalAnswers {
    private final EventExecutor executor;
    private final UpstreamReplay<MySqlReply> replay;
    private final MySqlSession session;
    private final PastAnswers past;
    private final MySqlDebugTransaction transaction;

    MySqlLocalAnswers(
            EventExecutor executor,
            UpstreamReplay<MySqlReply> replay,
            MySqlSession session,
            PastAnswers past,
            MySqlDebugTransaction transaction) {
        this.executor = executor;
        this.replay = replay;
        this.session = session;
        this.past = past;
        this.transaction = transaction;
    }

    /** Who waits for an answer, perhaps no longer. */
    interface Asker {
        boolean over();

        void end(MySqlAnswer answer);

        /** It waits for this. */
        void awaits(PendingRequest what);
    }

    /**
     * Answers a statement for which {@link MySqlStatementKind#local} holds, later if it commits what production hasn't
     * committed yet.
     */
    void answer(MySqlStatementKind command, String sql, Form form, Asker then) {
        boolean autocommit = command == MySqlStatementKind.SET
                && sql.toLowerCase(Locale.ROOT).contains("autocommit");
        if (command == MySqlStatementKind.COMMIT || (session.transactional() && autocommit)) {
            commit(form, then, () -> local(command, sql, form));
        } else {
            replay.local();
            then.end(local(command, sql, form));
        }
    }

    /** The transaction is over, and nothing of it happened. */
    void rolledBack() {
        transaction.end();
        session.end();
    }

    private MySqlAnswer local(MySqlStatementKind command, String sql, Form form) {
        MySqlReply recorded = command == MySqlStatementKind.COMMIT ? null : past.ofSession(form);
        if (recorded != null && recorded.results().get(0) instanceof Err error) {
            return MySqlAnswer.of(error);
        }
        return switch (command) {
            case SET, USE -> asProductionWas(command, sql, recorded);
            case SAVEPOINT -> {
                if (session.transactional()) {
                    transaction.savepoints.replace(savepoint(sql).toLowerCase(Locale.ROOT));
                }
                yield ran(command, sql);
            }
            case RELEASE, ROLLBACK_TO -> {
                String name = savepoint(sql);
                boolean known = transaction.savepoints.backTo(
                        name.toLowerCase(Locale.ROOT), command == MySqlStatementKind.RELEASE);
                yield known ? ran(command, sql) : MySqlAnswer.of(MySqlMismatchErrors.noSavepoint(name));
            }
            default -> {
                transaction.end();
                yield ran(command, sql);
            }
        };
    }

    /** What the server said to the same, if it is known; else that it is done. */
    private MySqlAnswer asProductionWas(MySqlStatementKind command, String sql, @Nullable MySqlReply recorded) {
        ran(command, sql);
        if (!session.transactional()) {
            transaction.end();
        }
        Ok ok = recorded != null && recorded.results().get(0) instanceof Ok told ? told : Ok.of(0);
        if (command == MySqlStatementKind.USE) {
            ok = ok.withTrack(Track.database(session.database()));
        }
        return MySqlAnswer.of(ok.withStatus(session.status()));
    }

    private MySqlAnswer ran(MySqlStatementKind command, String sql) {
        session.ran(command, sql, List.of());
        return MySqlAnswer.of(Ok.of(session.status()));
    }

    private void commit(Form form, Asker then, Supplier<MySqlAnswer> committed) {
        MySqlTransaction production = transaction.origins.block();
        if (production == null) {
            replay.local();
            then.end(committed.get());
            return;
        }
        long began = System.nanoTime();
        then.awaits(production.whenEnded(executor, replay.patience().toNanos(), () -> {
            if (then.over()) {
                return;
            }
            Outcome outcome = production.outcome();
            Err error = production.error();
            if (outcome == Outcome.COMMITTED) {
                replay.local();
                then.end(committed.get());
            } else if (error != null) {
                replay.local();
                rolledBack();
                then.end(MySqlAnswer.of(error));
            } else {
                rolledBack();
                String why = "production's transaction, from which the answers came, has ended as " + outcome;
                long waited = System.nanoTime() - began;
                then.end(MySqlAnswer.of(MySqlMismatchErrors.miss(replay.notLearned(form, why, waited))));
            }
        }));
    }

    /** The name at the statement's end, as it is written. */
    private static String savepoint(String sql) {
        MySqlText text = new MySqlText(sql);
        String name = "";
        for (SqlTokens.Token token = text.next(); token != SqlTokens.Token.END; token = text.next()) {
            name = text.word();
        }
        boolean quoted = name.length() > 2 && (name.charAt(0) == '`' || name.charAt(0) == '"');
        return quoted ? name.substring(1, name.length() - 1) : name;
    }
}
