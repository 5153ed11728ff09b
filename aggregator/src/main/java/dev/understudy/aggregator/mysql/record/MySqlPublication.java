package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fact.Transaction.Outcome;
import dev.understudy.aggregator.journal.PendingCall;
import dev.understudy.aggregator.mysql.exchange.LargeRows;
import dev.understudy.aggregator.mysql.exchange.MySqlReply;
import dev.understudy.aggregator.mysql.exchange.MySqlTimelines;
import dev.understudy.aggregator.mysql.exchange.MySqlTransaction;
import dev.understudy.aggregator.mysql.exchange.ServerKeys;
import dev.understudy.aggregator.mysql.sql.MySqlForms;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.aggregator.mysql.sql.MySqlStatementKind;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.mysql.ServerStatus;
import dev.understudy.divergence.wire.mysql.result.Err;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.ResultEnd;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Follows production's session and transactions, and gives finished replies to the journal. */
final class MySqlPublication {
    private static final Pattern ASKS_LEVEL =
            Pattern.compile("@@(session\\.|local\\.)?(tx|transaction)_isolation\\b", Pattern.CASE_INSENSITIVE);
    private static final List<String> LEVELS =
            List.of("READ-UNCOMMITTED", "READ-COMMITTED", "REPEATABLE-READ", "SERIALIZABLE");

    private static final int ERR = 0xff;

    /** Follows from the session's own transaction. */
    private static final int NO_SAVEPOINT = 1305;

    private final Recording<MySqlReply> recording;
    private final ServerFacts facts;
    private final MySqlSession session;
    private @Nullable MySqlTransaction current;
    private boolean writing;

    MySqlPublication(Recording<MySqlReply> recording, ServerFacts facts, MySqlSession session) {
        this.recording = recording;
        this.facts = facts;
        this.session = session;
    }

    /** The transaction that a statement runs in which is asked now. */
    MySqlTransaction transaction() {
        if (!session.transactional()) {
            return MySqlTransaction.single();
        }
        MySqlTransaction transaction = current;
        if (transaction == null) {
            transaction = MySqlTransaction.open();
            current = transaction;
        }
        return transaction;
    }

    /** A statement was run: the session follows it. */
    void ran(Question question, List<Result> results) {
        MySqlStatementKind command = question.script().command();
        ResultEnd ending = results.get(results.size() - 1).ending();
        int succeeded = results.size();
        if (ending instanceof Err err) {
            succeeded--;
            if (question.script().statements().size() > 1) {
                question.script().ran(session, succeeded, question.values());
            }
            session.failed(question.script().sql(), question.values(), err.code());
            if (command == MySqlStatementKind.COMMIT) {
                end(Outcome.COMMIT_FAILED, err);
            } else if (err.code() == MySqlSession.DEADLOCK) {
                end(Outcome.ROLLED_BACK, null);
            }
        } else if (ending instanceof Ok ok) {
            question.script().ran(session, Integer.MAX_VALUE, question.values());
            status(command, ok.status());
        }
    }

    private void status(MySqlStatementKind command, int status) {
        session.status(status);
        boolean over = (status & ServerStatus.IN_TRANSACTION) == 0 || command == MySqlStatementKind.BEGIN;
        if (command == MySqlStatementKind.ROLLBACK) {
            end(Outcome.ROLLED_BACK, null);
        } else if (over || command == MySqlStatementKind.COMMIT) {
            end(Outcome.COMMITTED, null);
        }
    }

    private void end(Outcome how, @Nullable Err why) {
        MySqlTransaction ending = current;
        if (ending != null) {
            ending.end(how, why);
            current = null;
        }
        writing = false;
    }

    /** The session as such was begun anew: what was open is rolled back. */
    void abandoned() {
        end(Outcome.ROLLED_BACK, null);
    }

    /** Where the rows of a reply go that are too many. */
    RowOverflow overflow() {
        return new RowOverflow(recording.bodies());
    }

    /** Bytes from which rows had better go there. */
    long fromLarge() {
        LargeBodies bodies = recording.bodies();
        return bodies == null ? recording.largestMessage() : Math.min(bodies.threshold(), recording.largestMessage());
    }

    /** The server is asked; to be run once it has answered, or nobody follows any more. */
    Runnable begin(Question question) {
        MySqlStatementKind command = question.script().command();
        if (command.local() || command.lasting()) {
            return () -> {};
        }
        PendingCall call = recording.begin(question.form());
        return () -> recording.end(call);
    }

    /**
     * A reply is complete, or as complete as it gets.
     *
     * @param overflow the part of it that isn't in memory; it is taken over
     */
    void publish(Question question, List<Result> results, boolean whole, RowOverflow overflow, long nanos) {
        Unrecorded lost = overflow.lost();
        LargeRows large = lost == null ? overflow.take(results.size()) : null;
        MySqlReply reply = new MySqlReply(results, whole, question.transaction(), large);
        MySqlStatementKind command = question.script().command();
        boolean kept = command.lasting() || command == MySqlStatementKind.SET || command == MySqlStatementKind.USE;
        if (lost == null && (reply.bytes() > recording.largestMessage() || (large != null && kept))) {
            lost = Unrecorded.TOO_LARGE;
        }
        boolean wanted = lost == null && !command.local() && !command.lasting();
        if (!wanted) {
            overflow.abandon();
            if (large != null) {
                large.body().discard();
            }
        }
        if (lost != null) {
            lost(question, lost);
        } else if (command.lasting()) {
            learnLevel(question.script().sql(), results);
            if (MySqlTimelines.answers(error(results))) {
                facts.learn(
                        question.form(),
                        MySqlTimelines.OfCatalogue.class,
                        MySqlTimelines.OfCatalogue::new,
                        reply,
                        nanos);
            }
        } else if (command.local()) {
            ofSession(command, question, reply, nanos);
        } else if (wanted) {
            // What was read after a write of the same transaction is no answer for others: it may never be committed.
            Form form = afterWrite(command) ? question.form().asUnrepeatable() : question.form();
            recording.exchange(form, reply, question.nanos(), nanos);
        }
    }

    /** What the server refuses a session, the debug side's sessions are refused, too, until it is taken. */
    private void ofSession(MySqlStatementKind command, Question question, MySqlReply reply, long nanos) {
        Err error = error(reply.results());
        boolean always = command == MySqlStatementKind.SET || command == MySqlStatementKind.USE;
        boolean own = command == MySqlStatementKind.COMMIT || (error != null && error.code() == NO_SAVEPOINT);
        boolean news = error != null || facts.known(question.form(), MySqlTimelines.OfSession.class) != null;
        if (!own && (always || news) && MySqlTimelines.answers(error)) {
            facts.learn(question.form(), MySqlTimelines.OfSession.class, MySqlTimelines.OfSession::new, reply, nanos);
        }
    }

    private static @Nullable Err error(List<Result> results) {
        return results.get(results.size() - 1).ending() instanceof Err error ? error : null;
    }

    /** The server has answered a command of the protocol; an OK that says nothing else is empty. */
    void answered(Form command, byte[] packet, long nanos) {
        Err error = packet.length > 0 && (packet[0] & 0xff) == ERR ? Err.read(packet) : null;
        if (MySqlTimelines.answers(error)
                && (packet.length > 0 || facts.known(command, MySqlTimelines.OfCommand.class) != null)) {
            facts.learn(command, MySqlTimelines.OfCommand.class, MySqlTimelines.OfCommand::new, packet, nanos);
        }
    }

    /** Drivers ask for the level before they change it, and pools choose that one again later. */
    private void learnLevel(String sql, List<Result> results) {
        if (!session.choseLevel()
                && ASKS_LEVEL.matcher(sql).find()
                && results.get(0) instanceof Rows rows
                && rows.rows().size() == 1) {
            String row = MySqlForms.text(rows.rows().get(0));
            LEVELS.stream()
                    .filter(row::contains)
                    .findFirst()
                    .ifPresent(level -> facts.learnOfServer(ServerKeys.USUAL_LEVEL, level));
        }
    }

    /** A reply is complete, and isn't kept. */
    void lost(Question question, Unrecorded reason) {
        afterWrite(question.script().command());
        recording.dropped(reason, 1);
    }

    /** Whether this statement came behind a write of its transaction. */
    private boolean afterWrite(MySqlStatementKind command) {
        boolean after = writing;
        if (!command.local() && !command.lasting()) {
            writing = session.transactional() && (writing || !command.reads());
        }
        return after;
    }

    /** Nobody knows what was run. */
    void mayHaveWritten() {
        writing = session.transactional();
    }

    void dropped(Unrecorded reason) {
        recording.dropped(reason, 1);
    }

    /** The connection is gone. */
    void closed() {
        if (current != null) {
            current.end(Outcome.LOST, null);
            current = null;
        }
    }
}
