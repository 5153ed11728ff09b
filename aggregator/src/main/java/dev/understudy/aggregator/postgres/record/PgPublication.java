package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.fact.Transaction.Outcome;
import dev.understudy.aggregator.journal.PendingCall;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.TimedAnswers;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows production's transactions and gives finished replies to the journal.
 *
 * <p>Inside a block that the client began, a reply goes at once, and the outcome of the block follows in its {@link
 * PgTransaction}. Outside one, a reply goes when the server is ready for the next query: only then is it sure that the
 * commit behind it did not fail.
 */
final class PgPublication {
    /** Bytes of a CommandComplete beyond which it is hardly another reply's, too. */
    private static final int LONGEST_SHARED = 64;

    /** Classes of SQLSTATEs that tell of the statement itself, and not of its transaction or of the server's load. */
    private static final Set<String> OF_THE_STATEMENT = Set.of("0A", "0P", "22", "26", "28", "42", "55");

    private static final String SYNTAX = "42601";

    /** Memory of a reply that waits, besides itself and its form's text. */
    private static final long PER_HELD = 150;

    /** The body of a CommandComplete. */
    private static final byte[] ROLLED_BACK = "ROLLBACK\0".getBytes(StandardCharsets.US_ASCII);

    private final Recording<PgReply> recording;
    private final ServerFacts facts;
    private final Settings settings;
    private final Queue<Held> held = new ArrayDeque<>();
    private long heldBytes;
    private @Nullable PgTransaction current;
    private boolean failed;
    private boolean writing;

    private record Held(Form form, PgReply reply, long startNanos, long endNanos) {
        long bytes() {
            return PER_HELD + form.textBytes() + reply.bytes();
        }
    }

    PgPublication(Recording<PgReply> recording, ServerFacts facts, Settings settings) {
        this.recording = recording;
        this.facts = facts;
        this.settings = settings;
    }

    PgTransaction transaction() {
        PgTransaction transaction = current;
        if (transaction == null) {
            transaction = new PgTransaction();
            current = transaction;
        }
        return transaction;
    }

    /** The same result; what it shares with others is shared. */
    private PgResult thrifty(PgResult result) {
        List<Column> columns = result.columns();
        PgMessage end = result.end();
        boolean common = end.type() == 'C' && end.body().length <= LONGEST_SHARED;
        return new PgResult(
                columns == null ? null : recording.once(columns),
                recording.once(result.formats()),
                result.rows(),
                result.notices(),
                common ? recording.once(end) : end,
                result.next(),
                recording.once(result.style()),
                result.transaction(),
                result.large(),
                result.refusedAt());
    }

    /** The server is asked this; what is returned is to be run once it has answered, and that is recorded. */
    Runnable begin(Form asked) {
        PendingCall call = recording.begin(asked);
        return () -> recording.end(call);
    }

    /** A reply is complete. */
    void finished(PgStatementKind command, Form form, PgReply complete, long startNanos, long endNanos) {
        LargeBody large = complete.large();
        if (command.local() || stateDependent(complete)) {
            if (large != null) {
                large.discard();
            }
            return;
        }
        PgReply reply = complete instanceof PgResult result ? thrifty(result) : complete;
        boolean afterWrite = writing;
        writing |= command != PgStatementKind.READ && !command.lasting();
        if (command.lasting() && large == null && reply instanceof PgResult result && lasts(result.end())) {
            lasting(form, result, endNanos);
        } else if (reply.transaction().block()) {
            recording.exchange(repeatable(form, afterWrite), reply, startNanos, endNanos);
        } else {
            Held last = new Held(repeatable(form, afterWrite), reply, startNanos, endNanos);
            held.add(last);
            heldBytes += last.bytes();
        }
    }

    /** A result, the part of one that production read, or an error that the statement itself is to blame for. */
    private static boolean lasts(PgMessage end) {
        return end.type() != 'E' || OF_THE_STATEMENT.contains(PgErrors.stateClass(end));
    }

    private void lasting(Form form, PgResult result, long nanos) {
        facts.learn(form, TimedAnswers.OfQuery.class, TimedAnswers.OfQuery::new, result, nanos);
    }

    /** What was read after a write of the same transaction is no answer for others: it may never be committed. */
    private static Form repeatable(Form form, boolean afterWrite) {
        return afterWrite ? form.asUnrepeatable() : form;
    }

    /** A statement was run, whatever came of it. */
    void ran(PgStatementKind command, String sql, PgMessage end, long nanos) {
        if (command.settled() || (command.local() && end.type() == 'E' && SYNTAX.equals(PgErrors.state(end)))) {
            ofSession(command, sql, end, nanos);
        }
        if (end.type() == 'E') {
            failed = true;
            if (command == PgStatementKind.COMMIT) {
                transaction().end(Outcome.COMMIT_FAILED, end);
            }
        } else if (command == PgStatementKind.BEGIN) {
            transaction().becomesBlock();
            settings.begin();
        } else if (command.ends()) {
            boolean committed = !Arrays.equals(end.body(), ROLLED_BACK);
            transaction().end(committed ? Outcome.COMMITTED : Outcome.ROLLED_BACK, null);
            settings.end(committed);
            current = null;
            writing = false;
        }
    }

    /** What the server refuses a session, the debug side's sessions are refused, too, until it is taken. */
    private void ofSession(PgStatementKind command, String sql, PgMessage end, long nanos) {
        if (end.type() == 'E' && !OF_THE_STATEMENT.contains(PgErrors.stateClass(end))) {
            return;
        }
        Form form = PgForms.statement(settings.stateFor(sql), new Wording(sql, command), List.of());
        facts.learn(form, TimedAnswers.OfSession.class, TimedAnswers.OfSession::new, end, nanos);
    }

    /** Statements of the session's own were run that came in one text, up to an error. */
    void locals(List<String> statements, List<PgMessage> reply, long nanos) {
        settings.begin();
        Iterator<String> next = statements.iterator();
        for (PgMessage message : reply) {
            if ("CE".indexOf(message.type()) >= 0 && next.hasNext()) {
                String statement = next.next();
                PgStatementKind command = PgStatementKind.of(statement);
                ran(command, PgForms.canonical(statement), message, nanos);
                if (message.type() == 'C') {
                    settings.follow(command, statement, List.of());
                }
            }
        }
    }

    /** A script was run, or a function called. */
    void scriptRan(List<PgMessage> reply) {
        failed |= reply.stream().anyMatch(message -> message.type() == 'E');
    }

    /** The server refused to commit what was run since the last time it was ready. */
    void commitRefused(PgMessage error) {
        transaction().end(Outcome.COMMIT_FAILED, error);
    }

    /** The server is ready, with this transaction status. */
    void ready(char status) {
        PgTransaction transaction = current;
        if (status == 'I') {
            if (transaction != null) {
                transaction.end(failed ? Outcome.ROLLED_BACK : Outcome.COMMITTED, null);
            }
            settings.end(!failed);
            current = null;
            writing = false;
        } else {
            transaction().becomesBlock();
            settings.begin();
        }
        failed = false;
        for (Held next = held.poll(); next != null; next = held.poll()) {
            recording.exchange(next.form, settled(next.reply), next.startNanos, next.endNanos);
        }
        heldBytes = 0;
    }

    private static PgReply settled(PgReply reply) {
        return reply instanceof PgResult result ? result.of(result.transaction().settled()) : reply;
    }

    /** Memory of the replies that wait until the server is ready. */
    long heldBytes() {
        return heldBytes;
    }

    /** Where rows go that are too many for memory; null if they aren't kept. */
    @Nullable
    LargeBodies bodies() {
        return recording.bodies();
    }

    void dropped(Unrecorded reason) {
        recording.dropped(reason, 1);
    }

    /** The connection is gone, with so many requests that weren't answered. */
    void closed(long unanswered) {
        recording.dropped(Unrecorded.INCOMPLETE, unanswered + held.size());
        held.clear();
        heldBytes = 0;
        if (current != null) {
            current.end(Outcome.LOST, null);
        }
    }

    /**
     * "Current transaction is aborted", and what came too late to do more than a ROLLBACK: says nothing of the
     * statement.
     */
    static boolean stateDependent(PgReply reply) {
        return reply instanceof PgResult result && stateDependent(result.end());
    }

    /** The same of a reply's end. */
    static boolean stateDependent(PgMessage end) {
        return end.type() == 'E'
                ? PgErrors.IN_FAILED_TRANSACTION.equals(PgErrors.state(end))
                : end.type() == 'C' && Arrays.equals(end.body(), ROLLED_BACK);
    }
}
