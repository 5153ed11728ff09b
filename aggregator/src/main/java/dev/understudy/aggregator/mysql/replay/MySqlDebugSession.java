package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.ServerKeys;
import dev.understudy.aggregator.mysql.sql.LongPacket;
import dev.understudy.aggregator.mysql.sql.LongRest;
import dev.understudy.aggregator.mysql.sql.MySqlForms;
import dev.understudy.aggregator.mysql.sql.MySqlScript;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import dev.understudy.divergence.wire.mysql.command.QueryText;
import dev.understudy.divergence.wire.mysql.command.UserChange;
import dev.understudy.divergence.wire.mysql.result.Ok;
import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One debug connection as MySQL would treat it, from its greeting to its end. Answers one packet at a time and calls
 * {@code done} after each. Confined to the connection's event loop.
 */
final class MySqlDebugSession {
    private static final Form CONNECT = Form.of("connect", "connect");
    private static final String STATISTICS =
            "Uptime: 1  Threads: 1  Questions: 1  Slow queries: 0  Opens: 1  Queries per second avg: 0.0";

    private final EventExecutor executor;
    private final UpstreamReplay<MySqlReply> replay;
    private final ServerFacts facts;
    private final MySqlOutlet outlet;
    private final Runnable done;
    private final MySqlSession session;
    private final Entrance entrance;
    private final MySqlAnswers answers;
    private final MySqlDelivery delivery;
    private final PreparedStatements prepared;
    private Phase phase = Phase.LOGIN;
    private PendingRequest greeting = () -> {};
    private boolean gone;

    private enum Phase {
        LOGIN,
        PROOF,
        COMMANDS
    }

    /** @param fits whether there is room for what the session holds now */
    MySqlDebugSession(
            EventExecutor executor,
            UpstreamReplay<MySqlReply> replay,
            ServerFacts facts,
            MySqlOutlet outlet,
            BooleanSupplier fits,
            Runnable done) {
        this.executor = executor;
        this.replay = replay;
        this.facts = facts;
        this.outlet = outlet;
        this.done = done;
        this.session = new MySqlSession(() -> facts.known(ServerKeys.USUAL_LEVEL, String.class));
        this.entrance = new Entrance(session, facts, outlet);
        this.answers = new MySqlAnswers(executor, replay, facts, session);
        this.delivery = new MySqlDelivery(replay, session, outlet);
        this.prepared = new PreparedStatements(executor, replay, facts, session, answers, delivery, outlet, fits, done);
    }

    /** Memory that the session takes. */
    long heldBytes() {
        return session.heldBytes() + answers.heldBytes() + prepared.heldBytes();
    }

    /** Whether the client is let in. */
    boolean entered() {
        return phase == Phase.COMMANDS;
    }

    /** Refuses a command for which there is no room; false if nothing may be answered to it. */
    boolean refuse(int command) {
        if (!entered() || command == CommandCode.STMT_SEND_LONG_DATA || command == CommandCode.STMT_CLOSE) {
            return false;
        }
        outlet.write(MySqlMismatchErrors.outOfMemory());
        done.run();
        return true;
    }

    /** Speaks first, as servers do. */
    void greet() {
        replay.admit(() -> CONNECT, this::greet);
    }

    private void greet(Injection injection) {
        Fault.ErrorReply error = injection.error();
        if (gone) {
            return;
        }
        if (error != null) {
            outlet.write(MySqlMismatchErrors.injected(error, injection));
            outlet.close();
            return;
        }
        long patience = replay.patience().toNanos();
        greeting = facts.await(ServerKeys.GREETING, ServerGreeting.class, executor, patience, told -> {
            if (!gone) {
                entrance.greet(told, replay.nextConnection());
                done.run();
            }
        });
    }

    /**
     * Answers a packet.
     *
     * @param rest what is known of it if the payload is its beginning only; null if it is all of it
     * @throws MalformedPacketException if it can't be understood
     */
    void answer(byte[] payload, @Nullable LongRest rest) {
        switch (phase) {
            case LOGIN -> {
                phase = entrance.login(payload) ? Phase.COMMANDS : Phase.PROOF;
                done.run();
            }
            case PROOF -> {
                entrance.letIn();
                phase = Phase.COMMANDS;
                done.run();
            }
            case COMMANDS -> command(payload, rest);
        }
    }

    /** What takes a long packet in pieces; null if it is to be held whole. */
    @Nullable
    PacketTaker large(int first, int length, LongPacket.Taken then) {
        return phase == Phase.COMMANDS
                ? LongPacket.of(first, length, replay.largestMessage(), session.agreed(), then)
                : null;
    }

    void closed() {
        gone = true;
        greeting.cancel();
        answers.closed();
        delivery.closed();
        prepared.closed();
    }

    private void command(byte[] payload, @Nullable LongRest rest) {
        if (payload.length == 0) {
            throw new MalformedPacketException("no command");
        }
        switch (payload[0] & 0xff) {
            case CommandCode.QUERY -> query(payload, rest);
            case CommandCode.STMT_PREPARE -> prepared.prepare(payload, rest);
            case CommandCode.STMT_EXECUTE, CommandCode.STMT_BULK_EXECUTE -> prepared.execute(payload, rest);
            case CommandCode.STMT_FETCH -> prepared.fetch(payload);
            case CommandCode.STMT_RESET -> prepared.reset(payload);
            case CommandCode.STMT_CLOSE -> {
                prepared.close(payload);
                done.run();
            }
            case CommandCode.STMT_SEND_LONG_DATA -> {
                if (!prepared.send(payload, rest)) {
                    throw new MalformedPacketException("a parameter larger than what is recorded");
                }
                done.run();
            }
            case CommandCode.QUIT -> outlet.close();
            default -> ofTheSession(payload);
        }
    }

    private void ofTheSession(byte[] payload) {
        switch (payload[0] & 0xff) {
            case CommandCode.PING -> ok(Ok.of(session.status()));
            case CommandCode.INIT_DB -> {
                session.use(MySqlForms.name(new MySqlReader(payload).skip(1).rest()));
                ok(Ok.of(session.status()).withTrack(Track.database(session.database())));
            }
            case CommandCode.RESET_CONNECTION -> {
                session.reset();
                forget();
                ok(Ok.of(session.status()));
            }
            case CommandCode.SET_OPTION -> {
                session.multiStatements(new MySqlReader(payload).skip(1).int16() == 0);
                replay.local();
                delivery.writer().end(Ok.of(session.status()), 0);
                done.run();
            }
            case CommandCode.STATISTICS -> {
                replay.local();
                outlet.write(STATISTICS.getBytes(StandardCharsets.US_ASCII));
                done.run();
            }
            case CommandCode.CHANGE_USER -> {
                replay.local();
                UserChange change = UserChange.read(payload, session.agreed());
                session.changeUser(change.collation(), change.database());
                forget();
                phase = entrance.prove(change.plugin(), false) ? Phase.COMMANDS : Phase.PROOF;
                done.run();
            }
            default -> {
                int code = payload[0] & 0xff;
                Form form = Form.of("command", "command " + code + " of the protocol");
                String why = "such commands are not recorded";
                outlet.write(MySqlMismatchErrors.miss(replay.notLearned(form, why, 0)));
                done.run();
            }
        }
    }

    private void query(byte[] payload, @Nullable LongRest rest) {
        QueryText query = QueryText.read(payload, session.agreed());
        String text = MySqlForms.text(query.sql());
        MySqlScript script = PreparedStatements.read(text, rest);
        Form form = MySqlForms.query(session, script.sql(), script.command(), query.attributes())
                .in(MySqlForms.trace(text, query.attributes()));
        answers.find(script, query.attributes(), form, false, answer -> delivery.give(answer, form, done));
    }

    private void ok(Ok ok) {
        replay.local();
        outlet.write(ok.encode(0, session.agreed()));
        done.run();
    }

    private void forget() {
        prepared.clear();
        answers.abandoned();
    }
}
