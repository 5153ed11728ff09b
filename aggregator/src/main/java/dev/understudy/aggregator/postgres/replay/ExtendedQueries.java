package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.InferredTypes;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.PreparedNames;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.postgres.sql.TraceComment;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers the extended protocol: the statements and portals of one debug session, and their execution in fetches of any
 * size. After an error everything up to the next Sync is skipped, as the server does. Calls {@code done} after each
 * message.
 */
final class ExtendedQueries {
    private static final int MOST_UNCONFIRMED = 64;
    private static final PgMessage CLOSE_COMPLETE = new PgMessage('3', new byte[0]);

    private final PgAnswers answers;
    private final Copies copies;
    private final PgDebugTransaction transaction;
    private final Settings settings;
    private final PgOutlet outlet;
    private final BooleanSupplier fits;
    private final Runnable done;
    private final InferredTypes inferred = new InferredTypes();
    private final Map<String, Prepared> statements = new HashMap<>();
    private final Map<String, DebugPortal> portals = new HashMap<>();
    private final Descriptions descriptions;
    private final Confirmations confirmations;
    private final SqlObjects sqlObjects;
    private long bytes;
    private boolean skipping;

    /** @param fits whether there is room for what the session holds now */
    ExtendedQueries(
            PgAnswers answers,
            Copies copies,
            PgDebugTransaction transaction,
            Settings settings,
            PgOutlet outlet,
            BooleanSupplier fits,
            Runnable done) {
        this.answers = answers;
        this.copies = copies;
        this.transaction = transaction;
        this.settings = settings;
        this.outlet = outlet;
        this.fits = fits;
        this.done = done;
        this.confirmations = new Confirmations(outlet);
        this.sqlObjects = new SqlObjects(answers, outlet);
        this.descriptions = new Descriptions(answers, confirmations, settings, inferred, outlet);
    }

    /** Whether messages are skipped until the next Sync. */
    boolean skipping() {
        return skipping;
    }

    /** Answers all that was asked so far; what production's server was asked alone, as it answered that. */
    void settle(Runnable then) {
        settle(null, () -> {
            confirmations.release();
            then.run();
        });
    }

    /** The same, but for a statement whose execution will show whether it can be prepared. */
    private void settle(@Nullable Prepared executed, Runnable then) {
        Prepared next = skipping ? null : confirmations.unsettled(executed);
        if (next == null) {
            then.run();
            return;
        }
        answers.shape(next.key(settings.stateFor(next.sql)), shape -> true, shape -> {
            PgMessage error = shape == null ? answers.unprepared(next.sql) : shape.error();
            if (error == null) {
                confirmations.settled(next);
                settle(executed, then);
            } else {
                confirmations.refused(next);
                forget(next);
                refuse(error);
                then.run();
            }
        });
    }

    /** The client has sent this text as a whole request. */
    void sent(String sql) {
        sqlObjects.sent(sql);
    }

    /** A Sync has come. */
    void resume() {
        skipping = false;
    }

    void answer(Frontend message) {
        if (message instanceof Frontend.Parse parse) {
            parse(parse);
        } else if (message instanceof Frontend.Bind bind) {
            bind(bind);
        } else if (message instanceof Frontend.Describe describe) {
            Prepared statement = describe.portal() ? prepared(describe.name()) : statements.get(describe.name());
            settle(statement, () -> unlessSkipping(() -> describe(describe)));
            return;
        } else if (message instanceof Frontend.Execute execute) {
            settle(prepared(execute.portal()), () -> unlessSkipping(() -> execute(execute)));
            return;
        } else if (message instanceof Frontend.Close close) {
            settle(() -> unlessSkipping(() -> close(close)));
            return;
        }
        if (confirmations.size() >= MOST_UNCONFIRMED) {
            settle(done); // what waits for its confirmation isn't charged, so that there is a bound
        } else {
            done.run();
        }
    }

    private @Nullable Prepared prepared(String portal) {
        DebugPortal known = portals.get(portal);
        return known == null ? null : known.statement;
    }

    private void unlessSkipping(Runnable answer) {
        (skipping ? done : answer).run();
    }

    private void close(Frontend.Close close) {
        if (close.portal()) {
            dropPortal(close.name());
        } else {
            dropStatement(close.name());
        }
        outlet.write(CLOSE_COMPLETE);
        done.run();
    }

    /** There is no room for this one. */
    void refuseMessage() {
        if (!skipping) {
            refuse(PgMismatchErrors.outOfMemory());
        }
        done.run();
    }

    /** A simple query replaces the unnamed statement and portal. */
    void dropUnnamed() {
        dropPortal("");
        dropStatement("");
    }

    /** Memory that statements and portals take. */
    long heldBytes() {
        return bytes + inferred.heldBytes();
    }

    /** No portal outlives its transaction. */
    void dropPortals() {
        List.copyOf(portals.keySet()).forEach(this::dropPortal);
    }

    /** SQL has dropped the statement of this name, or {@link PreparedNames#ALL}; whether there was any. */
    boolean dropStatements(String name) {
        boolean any = name.equals(PreparedNames.ALL) ? !statements.isEmpty() : statements.containsKey(name);
        if (name.equals(PreparedNames.ALL)) {
            List.copyOf(statements.keySet()).forEach(this::dropStatement);
        } else {
            dropStatement(name);
        }
        return any;
    }

    /** The server didn't take it. */
    private void forget(Prepared statement) {
        List.copyOf(statements.keySet()).stream()
                .filter(name -> statements.get(name) == statement)
                .forEach(this::dropStatement);
    }

    private void dropPortal(String name) {
        DebugPortal portal = portals.remove(name);
        bytes -= portal == null ? 0 : portal.charged;
    }

    private void dropStatement(String name) {
        Prepared statement = statements.remove(name);
        bytes -= statement == null ? 0 : statement.charged;
    }

    private void charge(String name, DebugPortal portal) {
        if (portals.get(name) == portal) {
            bytes -= portal.charged;
            portal.charged = portal.heldBytes() + 2L * name.length();
            bytes += portal.charged;
        }
    }

    private void charge(String name, Prepared statement) {
        if (statements.get(name) == statement) {
            bytes -= statement.charged;
            statement.charged = statement.heldBytes() + 2L * name.length();
            bytes += statement.charged;
        }
    }

    private void parse(Frontend.Parse parse) {
        String sql = PgForms.canonical(parse.sql());
        sqlObjects.sent(sql);
        Prepared statement =
                new Prepared(sql, TraceComment.trace(parse.sql()), parse.types(), inferred.undo(sql, parse.types()));
        boolean taken = !parse.statement().isEmpty() && statements.containsKey(parse.statement());
        if (taken && answers.refusesName(statement.key(settings.stateFor(sql)))) {
            refuse(nameTaken(parse.statement()));
        } else if (!refusedInFailure(statement.command)) {
            dropStatement(parse.statement());
            statements.put(parse.statement(), statement);
            charge(parse.statement(), statement);
            if (fits.getAsBoolean()) {
                confirmations.parsed(statement);
            } else {
                dropStatement(parse.statement());
                refuse(PgMismatchErrors.outOfMemory());
            }
        }
    }

    private void bind(Frontend.Bind bind) {
        Prepared statement = statements.get(bind.statement());
        if (statement == null) {
            refuse(sqlObjects.noStatement(bind.statement()));
        } else if (!refusedInFailure(statement.command)) {
            inferred.bound(statement.sql, statement.types, bind);
            var parameters = inferred.parameters(statement.sql, statement.types, bind);
            DebugPortal portal = new DebugPortal(statement, parameters, bind.results());
            dropPortal(bind.portal());
            portals.put(bind.portal(), portal);
            charge(bind.portal(), portal);
            if (fits.getAsBoolean()) {
                confirmations.bound(portal);
            } else {
                dropPortal(bind.portal());
                refuse(PgMismatchErrors.outOfMemory());
            }
        }
    }

    private boolean refusedInFailure(PgStatementKind command) {
        if (!transaction.failed() || PgAnswers.endsFailure(command)) {
            return false;
        }
        refuse(PgMismatchErrors.failedTransaction());
        return true;
    }

    private void describe(Frontend.Describe describe) {
        DebugPortal portal = portals.get(describe.name());
        Prepared statement = statements.get(describe.name());
        if (describe.portal() && portal != null) {
            if (descriptions.atOnce(portal)) {
                done.run();
            } else {
                answered(describe.name(), portal, answer -> end(descriptions.from(portal, answer)));
            }
        } else if (!describe.portal() && statement == null) {
            end(sqlObjects.noStatement(describe.name()));
        } else if (!describe.portal() && statement != null) {
            descriptions.describe(statement, error -> {
                charge(describe.name(), statement);
                end(error);
            });
        } else {
            sqlObjects.portal(PgForms.PortalStep.DESCRIBE, describe.name(), this::end);
        }
    }

    private void execute(Frontend.Execute execute) {
        DebugPortal portal = portals.get(execute.portal());
        if (portal == null) {
            sqlObjects.portal(PgForms.PortalStep.EXECUTE, execute.portal(), this::end);
            return;
        }
        if (portal.fetch != null && transaction.failed()) {
            end(PgMismatchErrors.failedTransaction());
            return;
        }
        answered(execute.portal(), portal, answer -> {
            if (answer instanceof PgAnswer.Result known && known.result().end().type() == 'E' && portal.fetch == null) {
                confirmations.refused(portal, known.result().refusedAt());
                if (known.result().refusedAt() == QueryStep.PARSE) {
                    forget(portal.statement);
                }
            }
            confirmations.release();
            if (answer instanceof PgAnswer.Result known) {
                fetch(portal, known.result(), execute.limit());
            } else if (answer instanceof PgAnswer.Refusal refusal) {
                end(refusal.error());
            } else if (answer instanceof PgAnswer.Verbatim verbatim) {
                String sql = portal.statement.sql;
                copies.give(verbatim.script(), settings.stateFor(sql), sql, this::end);
            }
        });
    }

    private void fetch(DebugPortal portal, PgResult result, int limit) {
        Fetch fetch = portal.fetch;
        if (fetch == null) {
            if (!portal.statement.fits(result)) {
                end(answers.unfit(portal.statement.sql, "its columns are not those that were described before"));
                return;
            }
            fetch = new Fetch(portal.statement.sql, result, portal.formats, settings.style(), outlet, answers);
            portal.fetch = fetch;
        }
        fetch.read(limit, this::end);
    }

    private void answered(String name, DebugPortal portal, Consumer<PgAnswer> then) {
        PgAnswer known = portal.answer;
        if (known != null) {
            then.accept(known);
            return;
        }
        Prepared statement = portal.statement;
        Shape.Key key = statement.key(settings.stateFor(statement.sql));
        answers.find(
                statement.command,
                statement.sql,
                portal.parameters,
                () -> portal.form(settings.stateFor(statement.sql)),
                answer -> {
                    answers.executed(key);
                    portal.answer = answer;
                    charge(name, portal);
                    if (fits.getAsBoolean()) {
                        then.accept(answer);
                    } else {
                        dropPortal(name);
                        end(PgMismatchErrors.outOfMemory());
                    }
                });
    }

    /** Ends a message, with an error unless that is null. */
    private void end(@Nullable PgMessage error) {
        if (error != null) {
            refuse(error);
        }
        done.run();
    }

    /** The server sends errors at once: a driver that flushes may wait for one before it sends a Sync. */
    private void refuse(PgMessage error) {
        confirmations.release();
        outlet.write(error);
        outlet.flush();
        transaction.fail();
        skipping = true;
    }

    private static PgMessage nameTaken(String name) {
        return PgErrors.error("42P05", "prepared statement \"" + name + "\" already exists", null, null);
    }
}
