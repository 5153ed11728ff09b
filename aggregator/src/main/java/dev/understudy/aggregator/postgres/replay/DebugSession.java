package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.Command;
import dev.understudy.aggregator.postgres.sql.Forms;
import dev.understudy.aggregator.postgres.sql.InferredTypes;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.divergence.wire.postgres.StartupPacket;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One debug connection as PostgreSQL would treat it: its prepared statements, portals and transaction status, and what
 * each message is answered with. Answers one message at a time and calls {@code done} after each. Confined to the
 * connection's event loop.
 */
final class DebugSession {
    private static final PgMessage PARSE_COMPLETE = new PgMessage('1', new byte[0]);
    private static final PgMessage BIND_COMPLETE = new PgMessage('2', new byte[0]);
    private static final PgMessage CLOSE_COMPLETE = new PgMessage('3', new byte[0]);
    private static final PgMessage NO_ROWS = new PgMessage('n', new byte[0]);

    private final EventExecutor executor;
    private final Replay<PgReply> replay;
    private final ServerFacts facts;
    private final Backends backends;
    private final Outlet outlet;
    private final Runnable done;
    private final Settings settings = new Settings();
    private final InferredTypes inferred = new InferredTypes();
    private final DebugTransaction transaction = new DebugTransaction();
    private final Map<String, Prepared> statements = new HashMap<>();
    private final Map<String, DebugPortal> portals = new HashMap<>();
    private final Answers answers;
    private final SimpleQueries simple;
    private int processId;
    private boolean skipping;
    private boolean gone;

    DebugSession(
            EventExecutor executor,
            Replay<PgReply> replay,
            ServerFacts facts,
            Backends backends,
            Outlet outlet,
            Runnable done) {
        this.executor = executor;
        this.replay = replay;
        this.facts = facts;
        this.backends = backends;
        this.outlet = outlet;
        this.done = done;
        LocalAnswers local = new LocalAnswers(executor, replay, transaction, settings, outlet, this::forgetStatements);
        this.answers = new Answers(executor, replay, facts, transaction, settings, local);
        this.simple = new SimpleQueries(answers, transaction, settings, outlet, this::ready);
    }

    /** Answers a start-up packet. No password is asked for: any client is let in. */
    void start(StartupPacket packet) {
        switch (packet.kind()) {
            case SSL_REQUEST, GSSENC_REQUEST -> {
                outlet.writeByte('N');
                done.run();
            }
            case CANCEL -> {
                backends.cancel(packet.processId());
                outlet.close();
            }
            case STARTUP ->
                facts.await(
                        ServerFacts.PARAMETERS,
                        ServerParameters.class,
                        executor,
                        replay.patience().toNanos(),
                        server -> greet(packet, server));
        }
    }

    private void greet(StartupPacket packet, @Nullable ServerParameters server) {
        if (gone) {
            return;
        }
        Map<String, String> parameters = Greeting.parameters(server, packet);
        settings.start(packet.parameters());
        parameters.forEach(settings::announce);
        processId = (int) replay.nextConnection();
        backends.register(processId, () -> executor.execute(answers::cancel));
        int secret = ThreadLocalRandom.current().nextInt();
        Greeting.messages(parameters, packet, processId, secret).forEach(outlet::write);
        ready();
    }

    /** Answers a message. */
    void answer(Frontend message) {
        if (message == Frontend.Plain.TERMINATE) {
            outlet.close();
        } else if (message == Frontend.Plain.SYNC) {
            sync();
        } else if (skipping) {
            done.run();
        } else if (message instanceof Frontend.Describe describe) {
            describe(describe);
        } else if (message instanceof Frontend.Execute execute) {
            execute(execute);
        } else if (message instanceof Frontend.Query query) {
            portals.remove("");
            statements.remove("");
            simple.query(query.sql());
        } else if (message instanceof Frontend.FunctionCall call) {
            simple.call(call);
        } else {
            atOnce(message);
            done.run();
        }
    }

    /** The client is gone. */
    void closed() {
        gone = true;
        answers.closed();
        backends.unregister(processId);
        outlet.discard();
    }

    private void atOnce(Frontend message) {
        if (message instanceof Frontend.Parse parse) {
            parse(parse);
        } else if (message instanceof Frontend.Bind bind) {
            bind(bind);
        } else if (message instanceof Frontend.Close close) {
            (close.portal() ? portals : statements).remove(close.name());
            outlet.write(CLOSE_COMPLETE);
        } else if (message == Frontend.Plain.FLUSH) {
            outlet.flush();
        }
    }

    private void parse(Frontend.Parse parse) {
        String sql = Forms.canonical(parse.sql());
        Prepared statement = new Prepared(sql, parse.types(), inferred.undo(sql, parse.types()));
        if (refusedInFailure(statement.command)) {
            return;
        }
        statements.put(parse.statement(), statement);
        outlet.write(PARSE_COMPLETE);
    }

    private void bind(Frontend.Bind bind) {
        Prepared statement = statements.get(bind.statement());
        if (statement == null) {
            refuse(PgErrors.error(
                    "26000", "prepared statement \"" + bind.statement() + "\" does not exist", null, null));
        } else if (!refusedInFailure(statement.command)) {
            inferred.bound(statement.sql, statement.types, bind);
            var parameters = inferred.parameters(statement.sql, statement.types, bind);
            portals.put(bind.portal(), new DebugPortal(statement, parameters, bind.results()));
            outlet.write(BIND_COMPLETE);
        }
    }

    private boolean refusedInFailure(Command command) {
        if (!transaction.failed() || Answers.endsFailure(command)) {
            return false;
        }
        refuse(Misfit.failedTransaction());
        return true;
    }

    private void describe(Frontend.Describe describe) {
        DebugPortal portal = describe.portal() ? portals.get(describe.name()) : null;
        Prepared statement = portal == null ? statements.get(describe.name()) : portal.statement;
        if (describe.portal() && portal == null) {
            refuse(noPortal(describe.name()));
            done.run();
        } else if (portal != null) {
            describe(portal);
        } else if (statement == null) {
            refuse(PgErrors.error(
                    "26000", "prepared statement \"" + describe.name() + "\" does not exist", null, null));
            done.run();
        } else {
            describe(statement);
        }
    }

    /** Where no shape is known, the answer to the execution that follows is taken already and tells it. */
    private void describe(DebugPortal portal) {
        if (portal.statement.command.local()) {
            columns(portal.statement, LocalAnswers.columns(portal.statement.command), portal.formats);
            done.run();
            return;
        }
        Shape shape = facts.known(portal.statement.key(settings.stateFor(portal.statement.sql)), Shape.class);
        if (portal.answer == null && shape != null && shape.columns() != null) {
            columns(portal.statement, shape.columns(), portal.formats);
            done.run();
            return;
        }
        answered(portal, answer -> {
            if (answer instanceof Answer.Result known) {
                List<Column> columns = known.result().columns();
                if (columns != null) {
                    columns(portal.statement, columns, portal.formats);
                } else if (known.result().end().type() == 'E') {
                    refuse(known.result().end());
                } else {
                    refuse(Misfit.notPresentable("its columns were never described"));
                }
            } else if (answer instanceof Answer.Refusal refusal) {
                refuse(refusal.error());
            }
        });
    }

    private void describe(Prepared statement) {
        if (statement.command.local()) {
            parameters(List.of());
            columns(statement, LocalAnswers.columns(statement.command), Formats.TEXT);
            done.run();
            return;
        }
        answers.shape(statement.key(settings.stateFor(statement.sql)), shape -> {
            if (gone) {
                return;
            }
            if (shape == null) {
                refuse(answers.undescribed(statement.sql));
            } else if (shape.columns() == null) {
                refuse(shape.error() == null ? Misfit.notPresentable("its columns are unknown") : shape.error());
            } else {
                List<Integer> types = shape.parameters() == null ? statement.declared : shape.parameters();
                inferred.described(statement.sql, types);
                parameters(types);
                columns(statement, shape.columns(), Formats.TEXT);
            }
            done.run();
        });
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

    private void execute(Frontend.Execute execute) {
        DebugPortal portal = portals.get(execute.portal());
        if (portal == null) {
            refuse(noPortal(execute.portal()));
            done.run();
            return;
        }
        answered(portal, answer -> {
            if (answer instanceof Answer.Result known) {
                PgMessage error = new Fetch(portal, known.result(), settings.style()).write(execute.limit(), outlet);
                if (error != null) {
                    refuse(error);
                }
            } else if (answer instanceof Answer.Refusal refusal) {
                refuse(refusal.error());
            }
        });
    }

    private void answered(DebugPortal portal, Consumer<Answer> then) {
        Answer known = portal.answer;
        if (known != null) {
            then.accept(known);
            done.run();
            return;
        }
        Prepared statement = portal.statement;
        answers.find(
                statement.command,
                statement.sql,
                portal.parameters,
                () -> portal.form(settings.stateFor(statement.sql)),
                answer -> {
                    portal.answer = answer;
                    then.accept(answer);
                    done.run();
                });
    }

    private void sync() {
        skipping = false;
        PgTransaction refused = transaction.status() == 'I' ? transaction.refused() : null;
        PgMessage error = refused == null ? null : refused.error();
        if (error != null) {
            outlet.write(error);
        }
        ready();
    }

    /** Ends an exchange of either protocol. */
    private void ready() {
        transaction.synced();
        if (transaction.status() == 'I') {
            portals.clear();
        }
        outlet.write(new PgMessage('Z', new byte[] {(byte) transaction.status()}));
        outlet.flush();
        done.run();
    }

    private void refuse(PgMessage error) {
        outlet.write(error);
        transaction.fail();
        skipping = true;
    }

    private void forgetStatements() {
        statements.clear();
    }

    private static PgMessage noPortal(String name) {
        return PgErrors.error("34000", "portal \"" + name + "\" does not exist", null, null);
    }
}
