package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.replay.Replay;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.StartupPacket;
import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One debug connection as PostgreSQL would treat it, from its start to its end. Answers one message at a time and calls
 * {@code done} after each. Confined to the connection's event loop.
 */
final class DebugSession {
    private static final Form CONNECT = Form.of("connect", "connect");

    private final EventExecutor executor;
    private final Replay<PgReply> replay;
    private final ServerFacts facts;
    private final Backends backends;
    private final Outlet outlet;
    private final Runnable done;
    private final Settings settings = new Settings();
    private final DebugTransaction transaction = new DebugTransaction();
    private final Answers answers;
    private final ExtendedQueries extended;
    private final SimpleQueries simple;
    private int processId;
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
        LocalAnswers local = new LocalAnswers(executor, replay, transaction, settings, outlet, this::dropStatements);
        this.answers = new Answers(executor, replay, facts, transaction, settings, local);
        this.extended = new ExtendedQueries(answers, facts, transaction, settings, outlet, done);
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
            case STARTUP -> replay.admit(() -> CONNECT, injection -> letIn(packet, injection));
        }
    }

    private void letIn(StartupPacket packet, Injection injection) {
        Fault.ErrorReply error = injection.error();
        if (gone) {
            return;
        }
        if (error != null) {
            outlet.write(PgErrors.fatal(error.code(), injection.says(error)));
            outlet.close();
            return;
        }
        facts.await(
                ServerFacts.PARAMETERS,
                ServerParameters.class,
                executor,
                replay.patience().toNanos(),
                server -> greet(packet, server));
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
        } else if (extended.skipping()) {
            done.run();
        } else if (message == Frontend.Plain.FLUSH) {
            outlet.flush();
            done.run();
        } else if (message instanceof Frontend.Query query) {
            extended.dropUnnamed();
            simple.query(query.sql());
        } else if (message instanceof Frontend.FunctionCall call) {
            simple.call(call);
        } else {
            extended.answer(message);
        }
    }

    /** The client is gone. */
    void closed() {
        gone = true;
        answers.closed();
        backends.unregister(processId);
        outlet.discard();
    }

    private void dropStatements() {
        extended.dropStatements();
    }

    private void sync() {
        extended.resume();
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
            extended.dropPortals();
        }
        outlet.write(new PgMessage('Z', new byte[] {(byte) transaction.status()}));
        outlet.flush();
        done.run();
    }
}
