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
import dev.understudy.aggregator.sql.ReplayPosition;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.wire.mysql.Login;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import dev.understudy.divergence.wire.mysql.command.QueryText;
import dev.understudy.divergence.wire.mysql.command.UserChange;
import io.netty.util.concurrent.EventExecutor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One debug connection as MySQL would treat it, from its greeting to its end. Answers one packet at a time and calls
 * {@code done} after each. Confined to the connection's event loop.
 */
final class MySqlDebugSession {
    private static final Form CONNECT = Form.of("connect", "connect");

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
    private final SessionCommands commands;
    private Phase phase = Phase.LOGIN;
    private PendingRequest greeting = () -> {};
    private boolean gone;

    private enum Phase {
        LOGIN,
        PROOF,
        COMMANDS
    }

    /**
     * Makes one.
     *
     * @param position how far it has come in production's time
     * @param spelling whether white space and comments count
     * @param fits whether there is room for what the session holds now
     */
    MySqlDebugSession(
            EventExecutor executor,
            UpstreamReplay<MySqlReply> replay,
            ServerFacts facts,
            ReplayPosition position,
            SqlSpelling spelling,
            MySqlOutlet outlet,
            BooleanSupplier fits,
            Runnable done) {
        this.executor = executor;
        this.replay = replay;
        this.facts = facts;
        this.outlet = outlet;
        this.done = done;
        this.session = new MySqlSession(() -> facts.known(ServerKeys.USUAL_LEVEL, String.class), spelling);
        this.entrance = new Entrance(session, facts, outlet);
        PastAnswers past = new PastAnswers(executor, facts, position);
        this.answers = new MySqlAnswers(executor, replay, session, past);
        this.delivery = new MySqlDelivery(replay, session, outlet);
        this.prepared = new PreparedStatements(replay, past, session, answers, delivery, outlet, fits, done);
        this.commands = new SessionCommands(replay, session, past, outlet, delivery, this::forget);
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

    /** Refuses a command that can't be read, as servers do; false if nothing may be answered to it. */
    boolean malformed(byte[] payload, String why) {
        int command = payload.length == 0 ? 0 : payload[0] & 0xff;
        boolean answerless = command == CommandCode.STMT_SEND_LONG_DATA || command == CommandCode.STMT_CLOSE;
        if (!entered() || payload.length == 0 || answerless) {
            return false;
        }
        replay.refused(Form.of("command", "a malformed command " + command + " of the protocol"), why);
        outlet.write(MySqlMismatchErrors.malformed(why));
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
                Login login = entrance.login(payload);
                if (commands.refusedDatabase(MySqlForms.LOGIN, login.database())) {
                    outlet.close();
                    return;
                }
                phase = entrance.prove(login.plugin(), login.proven()) ? Phase.COMMANDS : Phase.PROOF;
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
        if ((payload[0] & 0xff) == CommandCode.CHANGE_USER) {
            changeUser(UserChange.read(payload, session.agreed()));
        } else {
            commands.answer(payload);
        }
        done.run();
    }

    private void changeUser(UserChange change) {
        if (!commands.refusedDatabase(CommandCode.CHANGE_USER, change.database())) {
            replay.local();
            session.changeUser(change.collation(), change.database());
            forget();
            phase = entrance.prove(change.plugin(), false) ? Phase.COMMANDS : Phase.PROOF;
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

    private void forget() {
        prepared.clear();
        answers.abandoned();
    }
}
