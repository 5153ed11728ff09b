package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.mysql.sql.MySqlStatementKind;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.mysql.ServerStatus;
import dev.understudy.divergence.wire.mysql.command.BoundValue;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.Rows;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the answer to one statement of a debug session at a time: its own, a lasting one, or one from the journal.
 * Waits for production, bounded. Confined to the connection's event loop.
 */
final class MySqlAnswers {
    private static final int FOLLOWED = ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANSACTION;

    private final EventExecutor executor;
    private final UpstreamReplay<MySqlReply> replay;
    private final MySqlSession session;
    private final PastAnswers past;
    private final MySqlDebugTransaction transaction = new MySqlDebugTransaction();
    private final MySqlLocalAnswers local;
    private @Nullable Wait waiting;

    MySqlAnswers(EventExecutor executor, UpstreamReplay<MySqlReply> replay, MySqlSession session, PastAnswers past) {
        this.executor = executor;
        this.replay = replay;
        this.session = session;
        this.past = past;
        this.local = new MySqlLocalAnswers(executor, replay, session, past, transaction);
    }

    /** Finds the answer; {@code then} is told once, at once or later, and not at all if the session closes first. */
    void find(MySqlScript script, List<BoundValue> values, Form form, boolean prepared, Consumer<MySqlAnswer> then) {
        Wait wait = new Wait(then);
        waiting = wait;
        MySqlStatementKind command = script.command();
        wait.held = replay.admit(() -> form, injection -> {
            Fault.ErrorReply error = injection.error();
            if (error == null) {
                find(script, values, form, prepared, wait);
            } else {
                if (command == MySqlStatementKind.COMMIT || command == MySqlStatementKind.ROLLBACK) {
                    local.rolledBack();
                }
                wait.end(MySqlAnswer.of(MySqlMismatchErrors.injected(error, injection)));
            }
        });
    }

    private void find(MySqlScript script, List<BoundValue> values, Form form, boolean prepared, Wait wait) {
        MySqlStatementKind command = script.command();
        if (command.lasting()) {
            script.ran(session, 1, values);
        }
        if (command.local()) {
            local.answer(command, script.sql(), form, wait);
        } else if (command == MySqlStatementKind.FILE) {
            wait.end(missed(form, "files that a client sends are not recorded", 0));
        } else if (command == MySqlStatementKind.PING && !past.knowsCatalogue(form)) {
            replay.local();
            Rows one = One.rows(prepared, session.agreed());
            wait.end(new MySqlAnswer(List.of(standing(one)), true));
        } else if (command.lasting()) {
            lasting(form, wait);
        } else {
            take(script, values, form, wait);
        }
    }

    /** Memory that the transaction takes. */
    long heldBytes() {
        return transaction.heldBytes();
    }

    /** The session was begun anew. */
    void abandoned() {
        local.rolledBack();
    }

    void closed() {
        if (waiting != null) {
            waiting.held.cancel();
            waiting.taking.cancel();
            waiting = null;
        }
    }

    private void take(MySqlScript script, List<BoundValue> values, Form form, Wait wait) {
        if (session.transactional() && !script.command().reads()) {
            transaction.wrote();
        }
        Form asked = transaction.writing() ? form.asUnrepeatable() : form;
        wait.taking = replay.take(asked, transaction.origins.block(), executor, match -> {
            if (match instanceof Match.Hit<MySqlReply> hit) {
                MySqlReply reply = hit.recorded().reply();
                if (!hit.repeated()) {
                    past.reached(hit.recorded().endNanos());
                }
                follow(script, values, reply);
                wait.end(new MySqlAnswer(reply.results(), reply.whole(), reply.elsewhere()));
            } else {
                wait.end(MySqlAnswer.of(MySqlMismatchErrors.miss((Match.Miss<MySqlReply>) match)));
            }
        });
    }

    /** The session goes the way that production's went. */
    private void follow(MySqlScript script, List<BoundValue> values, MySqlReply reply) {
        transaction.answeredFrom(reply.transaction());
        List<Result> results = reply.results();
        Result last = results.get(results.size() - 1);
        if (last.ending() instanceof Err error) {
            if (script.statements().size() > 1) {
                script.ran(session, results.size() - 1, values);
            }
            session.failed(script.sql(), values, error.code());
            if (error.code() == MySqlSession.DEADLOCK) {
                local.rolledBack();
            }
        } else if (last.ending() instanceof Ok ok) {
            script.ran(session, Integer.MAX_VALUE, values);
            session.status(ok.status());
            if (!session.transactional()) {
                transaction.end();
            } else if ((ok.status() & ServerStatus.IN_TRANSACTION) == 0
                    && !script.command().reads()) {
                transaction.savepoints.clear(); // it has committed what was open
            }
        }
    }

    private void lasting(Form form, Wait wait) {
        long patience = replay.patience().toNanos();
        wait.awaits(past.ofCatalogue(form, patience, reply -> {
            if (wait.over()) {
                return;
            }
            if (reply != null) {
                replay.local();
                List<Result> results =
                        reply.results().stream().map(this::standing).toList();
                wait.end(new MySqlAnswer(results, reply.whole()));
            } else {
                wait.end(missed(form, "production has not sent this request lately", patience));
            }
        }));
    }

    /** The result as it would be in this session: it says how the session stands. */
    private Result standing(Result result) {
        if (result instanceof Rows rows && rows.ending() instanceof Ok ok) {
            return new Rows(rows.columns(), rows.rows(), standing(ok));
        }
        return result instanceof Ok ok ? standing(ok) : result;
    }

    private Ok standing(Ok ok) {
        return ok.withStatus((ok.status() & ~FOLLOWED) | session.status());
    }

    private MySqlAnswer missed(Form form, String why, long waitedNanos) {
        return MySqlAnswer.of(MySqlMismatchErrors.miss(replay.notLearned(form, why, waitedNanos)));
    }

    /** The one statement that is being answered. */
    private final class Wait implements MySqlLocalAnswers.Asker {
        private final Consumer<MySqlAnswer> then;
        private PendingRequest held = () -> {};
        private PendingRequest taking = () -> {};

        Wait(Consumer<MySqlAnswer> then) {
            this.then = then;
        }

        @Override
        public boolean over() {
            return waiting != this;
        }

        @Override
        public void awaits(PendingRequest what) {
            taking = what;
        }

        @Override
        public void end(MySqlAnswer answer) {
            if (!over()) {
                waiting = null;
                then.accept(answer);
            }
        }
    }
}
