package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.aggregator.postgres.exchange.StartOptions;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.StartupPacket;
import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One debug connection as PostgreSQL would treat it, from its start to its end. Answers one message at a time and calls
 * {@code done} after each. Confined to the connection's event loop.
 */
final class PgDebugSession {
    private static final Form CONNECT = Form.of("connect", "connect");

    private final EventExecutor executor;
    private final UpstreamReplay<PgReply> replay;
    private final ServerFacts facts;
    private final Backends backends;
    private final PgOutlet outlet;
    private final Runnable done;
    private final Settings settings;
    private final PgDebugTransaction transaction = new PgDebugTransaction();
    private final PgAnswers answers;
    private final Copies copies;
    private final Reports reports;
    private final Listening listening;
    private final ExtendedQueries extended;
    private final SimpleQueries simple;
    private final @Nullable Runnable encrypt;
    private int processId;
    private int secret;
    private boolean encrypted;
    private PendingRequest greeting = () -> {};
    private boolean gone;
    private boolean asking = true;

    /**
     * @param encrypt begins TLS, once the client has been told yes; null if it is told no
     * @param fits whether there is room for what the session holds now
     */
    PgDebugSession(
            EventExecutor executor,
            UpstreamReplay<PgReply> replay,
            ServerFacts facts,
            Backends backends,
            PgOutlet outlet,
            @Nullable Runnable encrypt,
            BooleanSupplier fits,
            Runnable done) {
        this.executor = executor;
        this.replay = replay;
        this.facts = facts;
        this.backends = backends;
        this.settings = new Settings(backends.spelling());
        this.outlet = outlet;
        this.encrypt = encrypt;
        this.done = done;
        ReplayPosition position = new ReplayPosition(backends.position());
        PgLocalAnswers local =
                new PgLocalAnswers(executor, replay, facts, position, transaction, settings, this::dropStatements);
        this.answers = new PgAnswers(executor, replay, facts, transaction, settings, local, position);
        this.listening = new Listening(executor, replay, facts.notifications(), settings, outlet, this::idle);
        this.reports = new Reports(settings, facts, outlet);
        this.copies = new Copies(answers, outlet, done);
        this.extended = new ExtendedQueries(answers, copies, transaction, settings, outlet, fits, done);
        this.simple = new SimpleQueries(answers, copies, transaction, settings, outlet, this::ready);
    }

    /** Memory that the session takes. */
    long heldBytes() {
        return settings.heldBytes() + transaction.heldBytes() + answers.heldBytes() + extended.heldBytes();
    }

    /** Answers a start-up packet. No password is asked for: any client is let in. */
    void start(StartupPacket packet) {
        switch (packet.kind()) {
            case SSL_REQUEST -> {
                Runnable begin = encrypted ? null : encrypt;
                outlet.writeByte(begin == null ? 'N' : 'S');
                if (begin != null) {
                    encrypted = true;
                    begin.run();
                }
                done.run();
            }
            case GSSENC_REQUEST -> {
                outlet.writeByte('N');
                done.run();
            }
            case CANCEL -> {
                backends.cancel(packet.processId(), packet.secret());
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
        greeting = facts.await(
                ServerParameters.KEY,
                ServerParameters.class,
                executor,
                replay.patience().toNanos(),
                server -> greet(packet, server));
    }

    private void greet(StartupPacket packet, @Nullable ServerParameters server) {
        if (gone) {
            return;
        }
        PgMessage refusal = answers.refusal(StartOptions.of(packet.parameters()));
        if (refusal != null) {
            outlet.write(refusal);
            return;
        }
        Map<String, String> parameters = Greeting.parameters(server, packet);
        settings.start(packet.parameters());
        parameters.forEach(settings::announce);
        reports.greeted(parameters);
        processId = (int) replay.nextConnection();
        secret = ThreadLocalRandom.current().nextInt();
        backends.register(processId, secret, () -> executor.execute(answers::cancel));
        listening.served(processId);
        Greeting.messages(parameters, packet, processId, secret).forEach(outlet::write);
        ready();
    }

    /** Answers a message. */
    void answer(Frontend message) {
        asking = true;
        if (message == Frontend.Plain.TERMINATE) {
            outlet.close();
        } else if (copies.takes()) {
            amongData(message);
        } else if (message == Frontend.Plain.SYNC) {
            sync();
        } else if (extended.skipping()) {
            done.run();
        } else if (message == Frontend.Plain.FLUSH) {
            extended.settle(() -> {
                outlet.flush();
                done.run();
            });
        } else if (message instanceof Frontend.Query query) {
            extended.settle(() -> query(query.sql()));
        } else if (message instanceof Frontend.FunctionCall call) {
            extended.settle(() -> call(call));
        } else {
            extended.answer(message);
        }
    }

    private void query(String sql) {
        if (extended.skipping()) {
            done.run();
        } else {
            extended.dropUnnamed();
            extended.sent(sql);
            simple.query(sql);
        }
    }

    private void call(Frontend.FunctionCall call) {
        if (extended.skipping()) {
            done.run();
        } else {
            simple.call(call);
        }
    }

    /** Answers a message for which there is no room. */
    void refuse(Frontend message) {
        if (copies.takes()) {
            copies.refuse();
        } else if (extended.skipping()) {
            done.run();
        } else if (message instanceof Frontend.Query || message instanceof Frontend.FunctionCall) {
            outlet.write(PgMismatchErrors.outOfMemory());
            transaction.fail();
            ready();
        } else {
            extended.refuseMessage();
        }
    }

    /** Answers a piece of a COPY, or its end. */
    void copied(PgMessage message) {
        copies.take(message);
    }

    /** While it takes data, the server ignores what drivers may have sent ahead. */
    private void amongData(Frontend message) {
        if (message == Frontend.Plain.SYNC || message == Frontend.Plain.FLUSH) {
            done.run();
        } else {
            copies.refuse();
        }
    }

    /** The client is gone. */
    void closed() {
        gone = true;
        greeting.cancel();
        listening.closed();
        answers.closed();
        backends.unregister(processId, secret);
        outlet.discard();
    }

    private boolean dropStatements(String name) {
        return extended.dropStatements(name);
    }

    private void sync() {
        extended.settle(this::synced);
    }

    private void synced() {
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
        if (transaction.status() == 'I') {
            answers.ended();
            listening.beforeReady();
        }
        if (transaction.failed()) {
            settings.failed();
        }
        reports.ready();
        outlet.write(new PgMessage('Z', new byte[] {(byte) transaction.status()}));
        outlet.flush();
        asking = false;
        listening.ready();
        done.run();
    }

    private boolean idle() {
        return !asking && !gone && transaction.status() == 'I';
    }
}
