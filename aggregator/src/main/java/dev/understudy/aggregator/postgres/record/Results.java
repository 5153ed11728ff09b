package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.aggregator.postgres.sql.CopiedData;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.aggregator.record.Overflow;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.LongText;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes replies with their forms out of what the dialogue brought, and teaches the shapes of statements. */
final class Results {
    /** Bytes of a result's parts from which the next ones don't stay in memory. */
    private static final int SEVERAL = 4 << 20;

    private static final PgMessage SUSPENDED = new PgMessage('s', new byte[0]);
    private static final PgMessage TOO_LARGE = PgErrors.error(
            PgReply.NOT_PRESENTABLE, "understudy has recorded only a part of this result: it is too large", null, null);

    private final long connection;
    private final PgPublication publication;
    private final StatementShapes shapes;
    private final Settings settings;

    private final FormsInCourse forms;
    private final @Nullable LargeBodies bodies;
    private final List<Overflow> overflows = new ArrayList<>(0);
    private long continuations;

    Results(long connection, PgPublication publication, ServerFacts facts, Settings settings) {
        this.bodies = publication.bodies();
        this.connection = connection;
        this.publication = publication;
        this.shapes = new StatementShapes(facts, settings);
        this.settings = settings;
        this.forms = new FormsInCourse(settings);
    }

    /** What is recorded of statements besides replies. */
    StatementShapes shapes() {
        return shapes;
    }

    /** An execution has come to its end, or failed. A null portal is one whose making was too long to be kept. */
    void finished(@Nullable Portal portal, PgMessage end, long nanos) {
        if (portal == null) {
            publication.dropped(Unrecorded.TOO_LARGE);
            return;
        }
        PgStatementKind command = portal.statement.command;
        if (!portal.finished) {
            portal.finished = true;
            publish(portal, end, null, nanos);
        }
        publication.ran(command, portal.statement.sql, end, nanos);
        if (end.type() == 'C') {
            settings.follow(command, portal.statement.sql, portal.parameters);
        }
    }

    /** A row has come; a large part of a result goes ahead of the rest where that may be used already. */
    void row(Portal portal, PgMessage row, long nanos) {
        portal.spills = bodies != null;
        portal.row(row);
        if (portal.full() && goesInParts(portal)) {
            part(portal, nanos);
        } else if (portal.full()) {
            spill(portal);
        }
    }

    /** A piece of a COPY … TO STDOUT has come. */
    void copied(Portal portal, PgMessage piece) {
        portal.spills = bodies != null;
        portal.copied(piece);
        if (portal.full()) {
            spill(portal);
        }
    }

    /** A row, or a piece of a COPY, comes that is too long to be held; null if it isn't kept. */
    @Nullable
    MessageTaker large(Portal portal, char type, int length) {
        if (bodies == null || portal.tooLarge() || portal.statement.command.lasting()) {
            return null;
        }
        portal.spills = true;
        MessageTaker taker = portal.large(bodies, type, length);
        underway(portal.overflow);
        return taker;
    }

    /** The same in a reply to the simple protocol, or to a function call. */
    @Nullable
    MessageTaker large(Frontend asked, PgStatementScript reply, char type, int length) {
        if (bodies == null || reply.tooLarge() || reply.copying) {
            return null;
        }
        boolean one = asked instanceof Frontend.Query query && statements(query).size() == 1;
        MessageTaker taker = reply.large(bodies, one, type, length);
        underway(reply.overflow);
        return taker;
    }

    private void spill(Portal portal) {
        if (bodies != null && !portal.statement.command.lasting()) {
            portal.spill(bodies);
            underway(portal.overflow);
        }
    }

    /** What is under way when the connection ends is given up. */
    private void underway(Overflow overflow) {
        overflows.removeIf(one -> one == overflow || !one.any());
        overflows.add(overflow);
    }

    /** A message of a reply to the simple protocol has come. */
    void gathered(Frontend asked, PgStatementScript reply) {
        if (bodies != null && reply.full()) {
            reply.spill(
                    bodies,
                    asked instanceof Frontend.Query query && statements(query).size() == 1);
            underway(reply.overflow);
        }
    }

    /** The client has as many rows as it wanted; it may come for more much later. */
    void suspended(Portal portal, long nanos) {
        if (!portal.tooLarge() && goesInParts(portal)) {
            part(portal, nanos);
        }
    }

    /** Nobody can read on from a portal; what was read of it is the result. */
    void abandoned(Portal portal) {
        boolean unpublished = portal.continuation == null || !portal.rows.isEmpty() || portal.overflow.any();
        if (portal.executed && !portal.finished && unpublished) {
            publish(portal, SUSPENDED, null, portal.startNanos);
        }
        portal.release();
    }

    /** A request of the simple protocol is answered. */
    void query(Frontend.Query query, PgStatementScript reply, char status, long startNanos, long endNanos) {
        List<String> statements = statements(query);
        if (bodies != null && reply.overflow.any()) {
            reply.spill(bodies, statements.size() == 1);
        }
        Unrecorded lost = reply.overflow.lost();
        if (reply.tooLarge() || reply.mixed()) {
            publication.dropped(Unrecorded.TOO_LARGE);
        } else if (lost != null) {
            publication.dropped(lost);
        } else if (reply.copying) {
            publication.dropped(Unrecorded.BULK_COPY);
        } else if (statements.size() == 1 && !reply.ofType('H').isEmpty()) {
            PgMessage end = reply.messages.get(reply.messages.size() - 1);
            String sql = statements.get(0);
            int after = reply.messages.size() - reply.before;
            verbatim(forms.copy(sql), reply.messages, reply.overflow, after, startNanos, endNanos);
            publication.ran(PgStatementKind.COPY, sql, end, endNanos);
        } else if (statements.size() == 1 && reply.onlyEnd() != null) {
            single(statements.get(0), reply, startNanos, endNanos);
        } else if (!LongText.shortened(query.sql())
                && statements.stream().map(PgStatementKind::of).allMatch(PgStatementKind::local)) {
            publication.locals(statements, reply.messages, endNanos);
        } else {
            script(forms.script(query.sql()), reply, status, startNanos, endNanos);
            settings.follow(statements, reply.messages);
        }
        reply.release();
    }

    /** None if nobody knows them. */
    static List<String> statements(Frontend.Query query) {
        return LongText.shortened(query.sql()) ? List.of() : PostgresText.statements(query.sql());
    }

    /**
     * The server waits for the data of a COPY that is a whole request; its answer comes later.
     *
     * @param data what the client has sent of it already
     * @return null if it is one statement of several
     */
    @Nullable
    Copying opened(Frontend.Query query, PgStatementScript reply, CopiedData data, long startNanos, long nanos) {
        List<String> statements = statements(query);
        if (statements.size() != 1) {
            return null;
        }
        verbatim(forms.copy(statements.get(0)), reply.messages, startNanos, nanos);
        reply.release();
        return copying(PgForms.canonical(statements.get(0)), data, nanos);
    }

    /** The server waits for the data of a COPY. */
    Copying opened(Portal portal, PgMessage response, CopiedData data, long nanos) {
        List<PgMessage> messages = new ArrayList<>(portal.notices);
        messages.add(response);
        verbatim(forms.of(portal), messages, portal.startNanos, nanos);
        portal.finished = true;
        portal.release();
        return copying(portal.statement.sql, data, nanos);
    }

    /** The server has taken the data of a COPY, or not. */
    void copied(Copying copying, List<PgMessage> answer, long nanos) {
        copying.answered(new PgScript(answer, 'I', publication.transaction()), nanos);
        publication.ran(PgStatementKind.COPY, "", answer.get(answer.size() - 1), nanos);
    }

    private Copying copying(String sql, CopiedData data, long nanos) {
        return new Copying(data, settings.stateFor(sql), sql, publication, nanos);
    }

    /** A step with a portal that the protocol didn't make is answered. */
    void declared(PgForms.PortalStep step, String name, PgMessage answer, long startNanos, long nanos) {
        PgScript script = new PgScript(List.of(answer), 'I', publication.transaction());
        publication.finished(PgStatementKind.READ, forms.portal(step, name), script, startNanos, nanos);
    }

    /** A function call is answered. */
    void call(Frontend.FunctionCall call, PgStatementScript reply, char status, long startNanos, long endNanos) {
        Unrecorded lost = reply.overflow.lost();
        if (reply.tooLarge() || lost != null) {
            publication.dropped(lost == null ? Unrecorded.TOO_LARGE : lost);
        } else {
            script(forms.call(call), reply, status, startNanos, endNanos);
        }
        reply.release();
    }

    /** Memory of replies that wait to be published, and of what their transaction asked for. */
    long heldBytes() {
        return publication.heldBytes() + forms.heldBytes();
    }

    void lost() {
        publication.dropped(Unrecorded.TOO_LARGE);
    }

    void commitRefused(PgMessage error) {
        publication.commitRefused(error);
    }

    void ready(char status) {
        if (status == 'I') {
            forms.ended();
        }
        publication.ready(status);
    }

    void closed(long unanswered) {
        overflows.forEach(Overflow::abandon);
        overflows.clear();
        publication.closed(unanswered);
    }

    /** Outside a block nothing may be used before the server is ready, and lasting answers are kept whole. */
    private boolean goesInParts(Portal portal) {
        return publication.transaction().block() && !portal.statement.command.lasting();
    }

    private void part(Portal portal, long nanos) {
        publish(portal, SUSPENDED, PgForms.continuation(connection, ++continuations), nanos);
    }

    private void publish(Portal portal, PgMessage end, @Nullable Form next, long nanos) {
        PgStatementKind command = portal.statement.command;
        if (portal.overflow.any() || portal.passed() > SEVERAL) {
            spill(portal);
        }
        Unrecorded lost = portal.overflow.lost();
        if (lost != null) {
            portal.lose();
            publication.dropped(lost);
        }
        if (portal.copying && !portal.tooLarge()) {
            List<PgMessage> messages = new ArrayList<>(portal.notices);
            messages.addAll(portal.rows);
            messages.add(end);
            verbatim(forms.of(portal), messages, portal.overflow, 1, portal.startNanos, nanos);
        } else if (portal.tooLarge()) {
            if (lost == null) {
                publication.dropped(Unrecorded.TOO_LARGE);
            }
            if (portal.continuation != null) {
                publish(portal, portal.continuation, TOO_LARGE, null, nanos);
            }
        } else if (!command.local() && !PgPublication.stateDependent(end)) {
            Form form = portal.continuation;
            publish(portal, form == null ? forms.of(portal) : form, end, next, nanos);
        }
        portal.continuation = next;
        portal.release();
    }

    /** A portal is executed for the first time, or on. */
    void began(Portal portal) {
        PgStatementKind command = portal.statement.command;
        if (portal.form == null && !command.local()) {
            forms.of(portal);
        }
    }

    /** What is given again message by message, as one statement's answer. */
    private void verbatim(Form form, List<PgMessage> messages, long startNanos, long endNanos) {
        verbatim(form, messages, new Overflow(), 0, startNanos, endNanos);
    }

    private void verbatim(
            Form form, List<PgMessage> messages, Overflow overflow, int after, long startNanos, long endNanos) {
        boolean any = overflow.any();
        PgScript script = new PgScript(messages, 'I', publication.transaction(), overflow.take(), any ? after : 0);
        publication.finished(PgStatementKind.COPY, form, script, startNanos, endNanos);
    }

    private void publish(Portal portal, Form form, PgMessage end, @Nullable Form next, long nanos) {
        boolean whole = portal.continuation == null && !portal.statement.command.lasting();
        PgResult result = new PgResult(
                shapes.executed(portal.statement, nanos, whole),
                portal.formats,
                portal.rows,
                portal.notices,
                end,
                next,
                settings.style(),
                publication.transaction(),
                portal.overflow.take(),
                portal.refusedAt);
        publication.finished(portal.statement.command, form, result, portal.startNanos, nanos);
    }

    private void single(String sql, PgStatementScript reply, long startNanos, long endNanos) {
        PgStatementKind command = PgStatementKind.of(sql);
        PgMessage end = reply.onlyEnd();
        if (end == null) {
            return;
        }
        Wording wording = new Wording(PgForms.canonical(sql), command);
        if (!command.local() && !PgPublication.stateDependent(end)) {
            List<PgMessage> described = reply.ofType('T');
            List<Column> columns = described.isEmpty() ? List.of() : Column.decode(described.get(0));
            PgResult result = new PgResult(
                    columns,
                    Formats.TEXT,
                    reply.ofType('D'),
                    reply.ofType('N'),
                    end,
                    null,
                    settings.style(),
                    publication.transaction(),
                    reply.overflow.take(),
                    QueryStep.EXECUTE);
            publication.finished(command, forms.statement(sql, wording), result, startNanos, endNanos);
            PgRecordedStatement statement = new PgRecordedStatement(wording, null, List.of());
            if (end.type() == 'C') {
                statement.columns = columns;
                statement.parameters = List.of();
                shapes.described(statement, endNanos);
                shapes.executed(statement, endNanos, !command.lasting());
            } else {
                shapes.failed(statement, endNanos);
            }
        }
        publication.ran(command, wording.sql(), end, endNanos);
        if (end.type() == 'C') {
            settings.follow(command, wording.sql(), List.of());
        }
    }

    private void script(Form form, PgStatementScript reply, char status, long startNanos, long endNanos) {
        publication.scriptRan(reply.messages);
        LargeBody large = reply.overflow.take();
        int after = large == null ? 0 : reply.messages.size() - reply.before;
        PgScript script = new PgScript(reply.messages, status, publication.transaction(), large, after);
        publication.finished(PgStatementKind.OTHER, form, script, startNanos, endNanos);
    }
}
