package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.aggregator.postgres.exchange.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.Shape;
import dev.understudy.aggregator.postgres.sql.Command;
import dev.understudy.aggregator.postgres.sql.Forms;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.postgres.sql.SqlText;
import dev.understudy.aggregator.postgres.sql.TraceComment;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes replies with their forms out of what the dialogue brought, and teaches the shapes of statements. */
final class Results {
    private static final PgMessage SUSPENDED = new PgMessage('s', new byte[0]);
    private static final PgMessage TOO_LARGE = PgErrors.error(
            PgReply.NOT_PRESENTABLE, "understudy has recorded only a part of this result: it is too large", null, null);

    private final long connection;
    private final Publication publication;
    private final ServerFacts facts;
    private final Settings settings;

    private long continuations;

    Results(long connection, Publication publication, ServerFacts facts, Settings settings) {
        this.connection = connection;
        this.publication = publication;
        this.facts = facts;
        this.settings = settings;
    }

    /** The columns of a statement are known. */
    void described(Statement statement) {
        Shape before = facts.known(statement.key(settings.stateFor(statement.sql)), Shape.class);
        List<Integer> parameters =
                statement.parameters == null && before != null ? before.parameters() : statement.parameters;
        Shape shape = new Shape(parameters, statement.columns, null);
        if (!shape.equals(before)) {
            int columns = statement.columns == null ? 0 : statement.columns.size();
            facts.learn(
                    statement.key(settings.stateFor(statement.sql)),
                    shape,
                    200 + 2L * statement.sql.length() + 100L * columns);
        }
    }

    /** An execution has come to its end, or failed. A null portal is one whose making was too long to be kept. */
    void finished(@Nullable Portal portal, PgMessage end, long nanos) {
        if (portal == null) {
            publication.dropped(Unrecorded.TOO_LARGE);
            return;
        }
        Command command = portal.statement.command;
        if (!portal.finished) {
            portal.finished = true;
            publish(portal, end, null, nanos);
        }
        publication.ran(command, end);
        if (end.type() == 'C') {
            settings.follow(command, portal.statement.sql, portal.parameters);
        }
    }

    /** A row has come; a large part of a result goes ahead of the rest where that may be used already. */
    void row(Portal portal, PgMessage row, long nanos) {
        portal.row(row);
        if (portal.full() && goesInParts(portal)) {
            part(portal, nanos);
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
        boolean unpublished = portal.continuation == null || !portal.rows.isEmpty();
        if (portal.executed && !portal.finished && unpublished) {
            publish(portal, SUSPENDED, null, portal.startNanos);
        }
        portal.release();
    }

    /** A request of the simple protocol is answered. */
    void query(Frontend.Query query, Script reply, char status, long startNanos, long endNanos) {
        List<String> statements = SqlText.statements(query.sql());
        if (reply.tooLarge()) {
            publication.dropped(Unrecorded.TOO_LARGE);
        } else if (reply.copying) {
            publication.dropped(Unrecorded.BULK_COPY);
        } else if (statements.size() == 1 && reply.onlyEnd() != null) {
            single(statements.get(0), reply, startNanos, endNanos);
        } else if (statements.stream().map(Command::of).allMatch(Command::local)) {
            statements.forEach(this::follow);
        } else {
            script(Forms.script(settings.state(), query.sql()), reply, status, startNanos, endNanos);
            statements.forEach(this::follow);
        }
        reply.release();
    }

    /** A function call is answered. */
    void call(Frontend.FunctionCall call, Script reply, char status, long startNanos, long endNanos) {
        if (reply.tooLarge()) {
            publication.dropped(Unrecorded.TOO_LARGE);
        } else {
            script(Forms.call(settings.state(), call.message()), reply, status, startNanos, endNanos);
        }
        reply.release();
    }

    /** Preparing a statement failed. */
    void notPrepared(Statement statement, PgMessage error) {
        Shape shape = new Shape(null, null, error);
        facts.learn(statement.key(settings.stateFor(statement.sql)), shape, 500 + 2L * statement.sql.length());
    }

    void lost() {
        publication.dropped(Unrecorded.TOO_LARGE);
    }

    void commitRefused(PgMessage error) {
        publication.commitRefused(error);
    }

    void ready(char status) {
        publication.ready(status);
    }

    void closed(long unanswered) {
        for (long i = 0; i < unanswered; i++) {
            publication.dropped(Unrecorded.INCOMPLETE);
        }
        publication.closed();
    }

    /** Outside a block nothing may be used before the server is ready, and lasting answers are kept whole. */
    private boolean goesInParts(Portal portal) {
        return publication.transaction().block() && !portal.statement.command.lasting();
    }

    private void part(Portal portal, long nanos) {
        publish(portal, SUSPENDED, Forms.continuation(connection, ++continuations), nanos);
    }

    private void publish(Portal portal, PgMessage end, @Nullable Form next, long nanos) {
        Command command = portal.statement.command;
        if (portal.tooLarge() || portal.copying) {
            publication.dropped(portal.copying ? Unrecorded.BULK_COPY : Unrecorded.TOO_LARGE);
            if (portal.continuation != null) {
                publish(portal, portal.continuation, TOO_LARGE, null, nanos);
            }
        } else if (!command.local()) {
            Form form = portal.continuation;
            publish(portal, form == null ? form(portal) : form, end, next, nanos);
        }
        portal.continuation = next;
        portal.release();
    }

    private Form form(Portal portal) {
        Statement statement = portal.statement;
        return Forms.statement(settings.stateFor(statement.sql), statement.sql, statement.command, portal.parameters)
                .in(statement.trace);
    }

    private void publish(Portal portal, Form form, PgMessage end, @Nullable Form next, long nanos) {
        PgResult result = new PgResult(
                columns(portal.statement),
                portal.formats,
                portal.rows,
                portal.notices,
                end,
                next,
                settings.style(),
                publication.transaction());
        publication.finished(portal.statement.command, form, result, portal.startNanos, nanos);
    }

    /** A shape that was forgotten meanwhile is taught again: the client that knows it won't ask again. */
    private @Nullable List<Column> columns(Statement statement) {
        Shape shape = facts.known(statement.key(settings.stateFor(statement.sql)), Shape.class);
        if (statement.columns == null) {
            return shape == null ? null : shape.columns();
        }
        if (shape == null || shape.columns() == null) {
            described(statement);
        }
        return statement.columns;
    }

    private void single(String sql, Script reply, long startNanos, long endNanos) {
        Command command = Command.of(sql);
        PgMessage end = reply.onlyEnd();
        if (end == null) {
            return;
        }
        String canonical = Forms.canonical(sql);
        if (!command.local()) {
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
                    publication.transaction());
            Form form = Forms.statement(settings.stateFor(canonical), canonical, command)
                    .in(TraceComment.trace(sql));
            publication.finished(command, form, result, startNanos, endNanos);
            if (end.type() == 'C') {
                Statement statement = new Statement(canonical, null, List.of());
                statement.columns = columns;
                statement.parameters = List.of();
                described(statement);
            }
        }
        publication.ran(command, end);
        if (end.type() == 'C') {
            follow(canonical);
        }
    }

    private void script(Form form, Script reply, char status, long startNanos, long endNanos) {
        publication.scriptRan(reply.messages);
        PgScript script = new PgScript(reply.messages, status, publication.transaction());
        publication.finished(Command.OTHER, form, script, startNanos, endNanos);
    }

    private void follow(String statement) {
        settings.follow(Command.of(statement), statement, List.of());
    }
}
