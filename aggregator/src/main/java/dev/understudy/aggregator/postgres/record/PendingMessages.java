package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.postgres.sql.CopiedData;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.PreparedNames;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.Frontend.Plain;
import dev.understudy.divergence.wire.postgres.LongText;
import dev.understudy.divergence.wire.postgres.MalformedMessageException;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Knows what each message of the server answers: everything the client asked for is queued, and the server answers in
 * order.
 *
 * <p>After an error in the extended protocol the server skips all up to the next Sync, and so does the queue. Throws
 * {@link MalformedMessageException} if an answer fits no question, and {@link LostTrackException} where nobody knows
 * any longer in what state the session is.
 */
final class PendingMessages {
    private static final int PER_REQUEST = 120;
    private static final PgMessage READY = new PgMessage('Z', new byte[] {'I'});

    private final ArrayDeque<UnansweredMessage> pending = new ArrayDeque<>();
    private final Allowance allowance;
    private final Results results;
    private final ServerObjects objects;
    private final EarlyCopies early;
    private final RequestUnderWay underWay;
    private @Nullable PgStatementScript script;
    private boolean skipping;
    private boolean copyingIn;
    private @Nullable Copying copying;

    /** @param begin announces what the server is busy with */
    PendingMessages(long capacity, Results results, Settings settings, Function<Form, Runnable> begin) {
        this.allowance = new Allowance(capacity);
        this.results = results;
        this.objects = new ServerObjects(allowance, results);
        this.early = new EarlyCopies(pending, allowance);
        this.underWay = new RequestUnderWay(objects, settings, begin);
    }

    /** Memory that this takes: requests, replies that aren't complete, statements and portals. */
    long heldBytes() {
        return allowance.used() + objects.heldBytes() + results.heldBytes();
    }

    /** The client has sent a message. */
    void asked(Frontend message, int bytes, long nanos) {
        if (copyingIn) {
            copyingIn = message == Plain.SYNC || message == Plain.FLUSH;
            return;
        }
        if (copying != null && copying.answered()) {
            copying.abandon();
            copying = null;
        }
        if (message instanceof Plain && message != Plain.SYNC) {
            return;
        }
        if (skipping && message != Plain.SYNC) {
            return;
        }
        skipping = false;
        if (!allowance.take(bytes + PER_REQUEST)) {
            throw new MalformedMessageException("too many requests without an answer");
        }
        pending.add(new UnansweredMessage(message, bytes + PER_REQUEST, nanos));
        underWay.asked(message, pending);
    }

    /** The client has sent a piece of a COPY, or its end. */
    void copied(PgMessage message) {
        if (copying != null && !copying.ended()) {
            copyingIn &= message.type() == 'd';
            copying.add(message);
        } else if (copyingIn) {
            copyingIn = message.type() == 'd';
        } else {
            early.add(message);
        }
    }

    private CopiedData requested() {
        CopiedData data = early.requested();
        copyingIn = !data.ended();
        return data;
    }

    /** The server has sent a message that belongs to a request. */
    void answered(PgMessage message, long nanos) {
        UnansweredMessage asked = pending.peek();
        if (asked == null) {
            throw new MalformedMessageException("an answer without a question: " + message);
        }
        if (message.type() == 'Z') {
            ready(asked, message, nanos);
        } else if (asked.script()) {
            script(asked, message, nanos);
        } else if (message.type() == 'E') {
            failed(asked, message, nanos);
        } else if (asked.message instanceof Frontend.Execute execute) {
            executed(execute, asked, message, nanos);
        } else {
            confirmed(asked, message, nanos);
        }
    }

    /** The server ends the connection with this error: it answers what is asked, if anything is. */
    void ended(PgMessage error, long nanos) {
        if (pending.isEmpty()) {
            return;
        }
        answered(error, nanos);
        UnansweredMessage asked = pending.peek();
        if (asked == null) {
            results.ready('I');
        } else {
            ready(asked, READY, nanos);
        }
    }

    /** A message of the client was too long to be kept. */
    void oversized(char type, long nanos) {
        if (type == 'Q' || type == 'P') {
            throw new LostTrackException("a text that is too long to be read");
        }
        asked(new Frontend.Oversized(type), 0, nanos);
    }

    /** A message of the server comes that is too long to be held; null if it isn't kept. */
    @Nullable
    MessageTaker large(char type, int length) {
        UnansweredMessage asked = pending.peek();
        boolean value = type == 'V' && asked != null && asked.message instanceof Frontend.FunctionCall;
        if (asked == null || (!value && "Dd".indexOf(type) < 0)) {
            return null;
        }
        if (asked.script()) {
            return results.large(asked.message, script(), type, length);
        }
        Portal portal = asked.message instanceof Frontend.Execute execute ? begun(execute, asked) : null;
        return portal == null ? null : results.large(portal, type, length);
    }

    /** A message of the server was too long to be kept. */
    void lost(char type) {
        UnansweredMessage asked = pending.peek();
        if (asked == null) {
            return;
        }
        if (asked.script()) {
            script().lose();
        } else if (asked.message instanceof Frontend.Execute execute) {
            Portal portal = objects.portal(execute.portal());
            if (portal != null) {
                portal.lose();
            }
        } else {
            throw new MalformedMessageException("message too long: " + type);
        }
    }

    /** Whether the server has something to answer. */
    boolean answering() {
        return !pending.isEmpty();
    }

    void notice(PgMessage notice) {
        UnansweredMessage asked = pending.peek();
        if (asked != null && asked.script()) {
            script().add(notice);
        } else if (asked != null && asked.message instanceof Frontend.Execute execute) {
            Portal portal = objects.portal(execute.portal());
            if (portal != null) {
                portal.notice(notice);
            }
        }
    }

    void closed() {
        long unanswered = pending.stream()
                .filter(asked -> asked.script() || asked.message instanceof Frontend.Execute)
                .count();
        results.closed(unanswered);
    }

    private void confirmed(UnansweredMessage answered, PgMessage message, long nanos) {
        Frontend asked = answered.message;
        switch (message.type()) {
            case '1' -> objects.define(asked);
            case '2' -> objects.bind(asked);
            case '3' -> objects.close(asked);
            case 't' -> objects.parameters(asked, message);
            case 'T', 'n' -> {
                objects.columns(asked, message.type() == 'n' ? List.of() : Column.decode(message), nanos);
                ofSql(answered, message, nanos);
            }
            default -> throw new MalformedMessageException(message + " in answer to " + asked.getClass());
        }
        if (message.type() != 't') {
            pop();
        }
    }

    /** Whether this answers a step with a portal that the protocol didn't make: SQL may have, and it is recorded. */
    private boolean ofSql(UnansweredMessage asked, PgMessage answer, long nanos) {
        boolean execution = asked.message instanceof Frontend.Execute;
        String name = asked.message instanceof Frontend.Execute execute
                ? execute.portal()
                : asked.message instanceof Frontend.Describe describe && describe.portal() ? describe.name() : "";
        if (name.isEmpty() || objects.portal(name) != null) {
            return false;
        }
        if (answer.type() != 'E' || !PgErrors.state(answer).equals(PgErrors.IN_FAILED_TRANSACTION)) {
            PgForms.PortalStep step = execution ? PgForms.PortalStep.EXECUTE : PgForms.PortalStep.DESCRIBE;
            results.declared(step, name, answer, asked.nanos, nanos);
        }
        return true;
    }

    private void executed(Frontend.Execute execute, UnansweredMessage asked, PgMessage message, long nanos) {
        Portal portal = begun(execute, asked);
        switch (message.type()) {
            case 'D' -> {
                if (portal != null) {
                    results.row(portal, message, nanos);
                }
            }
            case 'C', 'I' -> {
                pop();
                finished(portal, message, nanos);
                if (portal != null) {
                    objects.deallocate(portal.statement.command, portal.statement.sql);
                }
            }
            case 's' -> {
                pop();
                if (portal != null) {
                    results.suspended(portal, nanos);
                }
            }
            case 'G' -> {
                CopiedData data = requested();
                copying = portal == null ? null : results.opened(portal, message, data, nanos);
            }
            case 'H', 'd', 'c' -> {
                if (portal != null) {
                    results.copied(portal, message);
                }
            }
            default -> throw new MalformedMessageException(message + " in answer to Execute");
        }
    }

    private @Nullable Portal begun(Frontend.Execute execute, UnansweredMessage asked) {
        Portal portal = objects.portal(execute.portal());
        if (portal != null) {
            portal.execute(asked.nanos);
            results.began(portal);
        }
        return portal;
    }

    private void finished(@Nullable Portal portal, PgMessage end, long nanos) {
        if (copying != null && !copying.answered()) {
            results.copied(copying, List.of(end), nanos);
        } else {
            results.finished(portal, end, nanos);
        }
    }

    private void script(UnansweredMessage asked, PgMessage message, long nanos) {
        if (message.type() == 'C'
                && asked.message instanceof Frontend.Query query
                && LongText.shortened(query.sql())
                && !PgStatementKind.plain(message)) {
            throw new LostTrackException("a long text that isn't about data alone");
        }
        PgStatementScript reply = script();
        copyingIn &= message.type() != 'E';
        reply.add(message);
        results.gathered(asked.message, reply);
        if (message.type() == 'G' || message.type() == 'W') {
            CopiedData data = requested();
            copying = message.type() == 'G' && asked.message instanceof Frontend.Query query
                    ? results.opened(query, reply, data, asked.nanos, nanos)
                    : null;
            reply.copying = copying == null;
        }
    }

    private PgStatementScript script() {
        PgStatementScript reply = script;
        if (reply == null) {
            reply = new PgStatementScript(allowance);
            script = reply;
        }
        return reply;
    }

    private void failed(UnansweredMessage asked, PgMessage error, long nanos) {
        copyingIn = false;
        if (asked.message == Plain.SYNC) {
            results.commitRefused(error);
            return;
        }
        if (ofSql(asked, error, nanos)) {
            // that was all
        } else if (asked.message instanceof Frontend.Execute execute) {
            Portal portal = objects.portal(execute.portal());
            if (portal != null) {
                portal.execute(asked.nanos);
            }
            finished(portal, error, nanos);
        } else if (!PgErrors.state(error).equals(PgErrors.IN_FAILED_TRANSACTION)) {
            objects.failedBeforeExecute(pending.stream().map(one -> one.message).toList(), error, nanos);
        }
        while (!pending.isEmpty() && pending.peek().message != Plain.SYNC) {
            pop();
        }
        skipping = pending.isEmpty();
    }

    private void ready(UnansweredMessage asked, PgMessage message, long nanos) {
        pop();
        if (message.body().length != 1) {
            throw new MalformedMessageException("not a ReadyForQuery");
        }
        char status = (char) message.body()[0];
        PgStatementScript reply = script();
        script = null;
        if (copying != null && !copying.answered() && !reply.messages.isEmpty()) {
            results.copied(copying, reply.messages, nanos);
            reply.release();
            objects.dropUnnamed();
        } else if (asked.message instanceof Frontend.Query query) {
            objects.dropUnnamed();
            if (reply.messages.stream().anyMatch(PreparedNames::dropped)
                    && reply.ofType('E').isEmpty()) {
                Results.statements(query)
                        .forEach(sql -> objects.deallocate(PgStatementKind.of(sql), PgForms.canonical(sql)));
            }
            results.query(query, reply, status, asked.nanos, nanos);
        } else if (asked.message instanceof Frontend.FunctionCall call) {
            results.call(call, reply, status, asked.nanos, nanos);
        } else if (asked.script()) {
            results.lost();
            reply.release();
        } else if (asked.message != Plain.SYNC) {
            throw new MalformedMessageException("ready before all was answered");
        }
        objects.ready(nanos);
        if (status == 'I') {
            objects.dropPortals();
        }
        results.ready(status);
        underWay.ready(pending);
    }

    private void pop() {
        allowance.giveBack(pending.remove().bytes);
    }
}
