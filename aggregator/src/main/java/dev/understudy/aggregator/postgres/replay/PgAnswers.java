package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fact.AnswerTimeline;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.exchange.ShapeHistory;
import dev.understudy.aggregator.postgres.exchange.StartOptions;
import dev.understudy.aggregator.postgres.exchange.TimedAnswers;
import dev.understudy.aggregator.postgres.sql.Course;
import dev.understudy.aggregator.postgres.sql.Parameter;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgMessage;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the answer to one statement of a debug session at a time: its own, a lasting one, or one from the journal.
 * Waits for production, bounded, and can be cancelled meanwhile. Confined to the connection's event loop.
 */
final class PgAnswers {
    private final EventExecutor executor;
    private final UpstreamReplay<PgReply> replay;
    private final ServerFacts facts;
    private final PgDebugTransaction transaction;
    private final Settings settings;
    private final PgLocalAnswers local;
    private final ReplayPosition position;
    private final Course course = new Course();
    private @Nullable Wait waiting;
    private PendingRequest describing = () -> {};

    /** When production had the reply that was given last; null if the latest answer is no recorded one. */
    private @Nullable Long given;

    PgAnswers(
            EventExecutor executor,
            UpstreamReplay<PgReply> replay,
            ServerFacts facts,
            PgDebugTransaction transaction,
            Settings settings,
            PgLocalAnswers local,
            ReplayPosition position) {
        this.position = position;
        this.executor = executor;
        this.replay = replay;
        this.facts = facts;
        this.transaction = transaction;
        this.settings = settings;
        this.local = local;
    }

    /** Finds the answer; {@code then} is told once, at once or later, and not at all if the session closes first. */
    void find(
            PgStatementKind command,
            String sql,
            List<Parameter> parameters,
            Supplier<Form> form,
            Consumer<PgAnswer> then) {
        Wait wait = new Wait(answer -> {
            if (answer instanceof PgAnswer.Result known) {
                PgMessage end = known.result().end();
                if (end.type() == 'C') {
                    settings.follow(command, sql, parameters);
                }
                if (command == PgStatementKind.PREPARE) {
                    local.prepared(end);
                }
            }
            then.accept(answer);
        });
        waiting = wait;
        given = null;
        if (transaction.failed() && !endsFailure(command)) {
            replay.local();
            wait.end(new PgAnswer.Refusal(PgMismatchErrors.failedTransaction()));
            return;
        }
        wait.held = replay.admit(form, injection -> {
            Fault.ErrorReply error = injection.error();
            if (error == null) {
                find(command, sql, form, wait);
            } else {
                if (command.ends()) {
                    local.rolledBack();
                }
                wait.end(new PgAnswer.Refusal(PgMismatchErrors.injected(error, injection)));
            }
        });
    }

    private void find(PgStatementKind command, String sql, Supplier<Form> form, Wait wait) {
        if (command == PgStatementKind.PREPARE && transaction.status() != 'T') {
            local.answer(PgStatementKind.ROLLBACK, sql, form, wait);
        } else if (command.local()) {
            local.answer(command, sql, form, wait);
        } else if (command == PgStatementKind.SHOW) {
            show(sql, form.get(), wait);
        } else if (command.lasting()) {
            transaction.queried();
            lasting(form.get(), wait);
        } else {
            if (command.takesSnapshot(sql)) {
                transaction.queried();
            }
            if (command != PgStatementKind.READ) {
                transaction.wrote();
            }
            Form asked = command == PgStatementKind.CALL
                    ? course.call(form.get())
                    : course.statement(command, sql, form.get());
            take(transaction.writing() ? asked.asUnrepeatable() : asked, wait);
        }
    }

    /** Finds what production's server answered to a step with a portal that SQL declared. */
    void portal(PgForms.PortalStep step, String name, Consumer<PgAnswer> then) {
        Wait wait = new Wait(then);
        waiting = wait;
        if (transaction.failed()) {
            replay.local();
            wait.end(new PgAnswer.Refusal(PgMismatchErrors.failedTransaction()));
            return;
        }
        Form form = course.within(PgForms.portal(settings.state(), step, name));
        wait.held = replay.admit(() -> form, injection -> {
            Fault.ErrorReply error = injection.error();
            if (error == null) {
                take(form, wait);
            } else {
                wait.end(new PgAnswer.Refusal(PgMismatchErrors.injected(error, injection)));
            }
        });
    }

    /** Finds the rest of a result that was recorded in parts. */
    void more(Form continuation, Consumer<PgAnswer> then) {
        Wait wait = new Wait(then);
        waiting = wait;
        take(continuation, wait);
    }

    /** The latest answer was one to the execution of this statement. */
    void executed(Shape.Key key) {
        Long nanos = given;
        ShapeHistory history = nanos == null ? null : facts.known(key, ShapeHistory.class);
        if (history != null && nanos != null) {
            history.given(nanos);
        }
    }

    /** The columns of a statement at the time of the latest answer, or else of later; null if nobody knows. */
    @Nullable
    List<Column> columns(Shape.Key key) {
        ShapeHistory history = facts.known(key, ShapeHistory.class);
        return history == null ? null : history.columns(given);
    }

    /**
     * What production's server answered to describing a statement, or to preparing it.
     *
     * @param wanted which answers fit the question
     * @param then gets null if there was none within the time
     */
    void shape(Shape.Key key, Predicate<Shape> wanted, Consumer<@Nullable Shape> then) {
        shape(key, wanted, System.nanoTime() + replay.patience().toNanos(), then);
    }

    private void shape(Shape.Key key, Predicate<Shape> wanted, long until, Consumer<@Nullable Shape> then) {
        long left = until - System.nanoTime();
        describing = facts.await(
                key, ShapeHistory.class, history -> history.has(position.nanos(), wanted), executor, left, history -> {
                    Shape next = history == null ? null : history.next(position.nanos(), wanted);
                    if (history != null && next == null && System.nanoTime() - until < 0) {
                        shape(key, wanted, until, then);
                    } else {
                        then.accept(next);
                    }
                });
    }

    /** With what error production's server refused a session with these options; null if it did not. */
    @Nullable
    PgMessage refusal(StartOptions options) {
        TimedAnswers.OfSession known = facts.known(options, TimedAnswers.OfSession.class);
        AnswerTimeline.Timed<PgMessage> timed = known == null ? null : known.at(position.nanos());
        return timed == null || timed.answer().type() != 'E' ? null : timed.answer();
    }

    /** Whether production's server refuses a statement where its name is another one's. */
    boolean refusesName(Shape.Key key) {
        ShapeHistory history = facts.known(key, ShapeHistory.class);
        return history != null && history.refusesName();
    }

    /** The error for a statement that the client wants described, and nobody can. */
    PgMessage undescribed(String sql) {
        return unasked(
                "describe", "the description of ", sql, "production has not had this statement described lately");
    }

    /** The error for a statement that the client wants prepared, and production never did. */
    PgMessage unprepared(String sql) {
        return unasked("prepare", "preparing ", sql, "production has not had this statement prepared lately");
    }

    /** The error for what production's server was never asked; it is counted. */
    PgMessage unasked(String family, String what, String sql, String why) {
        Form form = Form.of(family, what + PostgresText.display(sql, 300));
        return PgMismatchErrors.miss(
                replay.notLearned(form, why, replay.patience().toNanos()));
    }

    /** The error for a statement whose recorded reply can't be given, which is counted. */
    PgMessage unfit(String sql, String why) {
        replay.unfit(Form.of("unfit", PostgresText.display(sql, 300)), why);
        return PgMismatchErrors.notPresentable(why);
    }

    /** Bytes of a message that may be held whole. */
    int mostHeld() {
        return (int) Math.min(Integer.MAX_VALUE / 4, replay.largestMessage());
    }

    /** Memory that is taken by what was asked for in the transaction. */
    long heldBytes() {
        return course.heldBytes();
    }

    /** The transaction is over. */
    void ended() {
        course.end();
    }

    /** Answers what is being waited for with an error, if anything is. */
    void cancel() {
        Wait wait = waiting;
        if (wait != null) {
            wait.cancel();
            PgAnswer kept = wait.kept;
            wait.end(kept == null ? new PgAnswer.Refusal(PgMismatchErrors.cancelled()) : kept);
        }
    }

    void closed() {
        describing.cancel();
        if (waiting != null) {
            waiting.cancel();
            waiting = null;
        }
    }

    /** Whether a failed transaction still takes this. */
    static boolean endsFailure(PgStatementKind command) {
        return command.ends() || command == PgStatementKind.ROLLBACK_TO || command == PgStatementKind.EMPTY;
    }

    private void take(Form form, Wait wait) {
        wait.taking = replay.take(form, transaction.origins.block(), executor, match -> {
            if (match instanceof Match.Hit<PgReply> hit) {
                if (!hit.repeated()) {
                    given = hit.recorded().endNanos();
                    position.reached(hit.recorded().endNanos());
                }
                long took = hit.recorded().endNanos() - hit.recorded().startNanos();
                wait.end(hit.recorded().reply(), hit.repeated() ? 0 : took);
            } else {
                wait.end(new PgAnswer.Refusal(PgMismatchErrors.miss((Match.Miss<PgReply>) match)));
            }
        });
    }

    private PgAnswer given(PgReply reply) {
        transaction.origins.add(reply.transaction());
        return reply instanceof PgResult result ? new PgAnswer.Result(result) : new PgAnswer.Verbatim((PgScript) reply);
    }

    private void show(String sql, Form form, Wait wait) {
        String name = String.valueOf(Settings.shown(sql));
        String own = settings.get(name);
        boolean chosen = settings.chose(name);
        boolean known = (own == null || chosen) && facts.known(form, TimedAnswers.OfQuery.class) != null;
        if (known || (chosen && !settings.shownAsWritten(name))) {
            lasting(form, wait);
        } else if (own != null) {
            wait.end(local.show(name, own));
        } else if (name.equals("transaction_isolation")) {
            wait.end(local.show(name, "read committed"));
        } else {
            lasting(form, wait);
        }
    }

    private void lasting(Form form, Wait wait) {
        long patience = replay.patience().toNanos();
        wait.awaits(facts.await(form, TimedAnswers.OfQuery.class, executor, patience, known -> {
            if (!wait.over()) {
                AnswerTimeline.Timed<PgResult> timed = known == null ? null : known.at(position.nanos());
                if (timed != null) {
                    position.passed(timed.until());
                    replay.local();
                    wait.end(new PgAnswer.Result(timed.answer()));
                } else {
                    wait.end(missed(form, "production has not sent this request lately", patience));
                }
            }
        }));
    }

    private PgAnswer missed(Form form, String why, long waitedNanos) {
        return new PgAnswer.Refusal(PgMismatchErrors.miss(replay.notLearned(form, why, waitedNanos)));
    }

    /** The one statement that is being answered. */
    private final class Wait implements PgLocalAnswers.Asker {
        private final Consumer<PgAnswer> then;
        private PendingRequest held = () -> {};
        private PendingRequest taking = () -> {};
        private @Nullable PgAnswer kept;

        Wait(Consumer<PgAnswer> then) {
            this.then = then;
        }

        void cancel() {
            held.cancel();
            taking.cancel();
        }

        @Override
        public boolean over() {
            return waiting != this;
        }

        @Override
        public void awaits(PendingRequest what) {
            taking = what;
        }

        /** Ends with a reply that took production so long. */
        void end(PgReply reply, long tookNanos) {
            PgAnswer answer = given(reply);
            long hold =
                    CancelledReply.holdNanos(reply, tookNanos, replay.patience().toNanos());
            if (hold > 0) {
                kept = answer;
                Future<?> held = executor.schedule(() -> end(answer), hold, TimeUnit.NANOSECONDS);
                taking = () -> held.cancel(false);
            } else {
                end(answer);
            }
        }

        @Override
        public void end(PgAnswer answer) {
            if (!over()) {
                waiting = null;
                then.accept(answer);
            }
        }
    }
}
