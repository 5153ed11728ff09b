package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.postgres.sql.Forms;
import dev.understudy.aggregator.postgres.sql.InferredTypes;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.Frontend.Plain;
import dev.understudy.divergence.wire.postgres.MalformedMessageException;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Knows what each message of the server answers: everything the client asked for is queued, and the server answers in
 * order. Statements and portals come to life only when the server confirms them, so this is the server's own state.
 *
 * <p>After an error in the extended protocol the server skips all up to the next Sync, and so does the queue. Throws {@link
 * MalformedMessageException} if an answer fits no question.
 */
final class Dialogue {
    private static final int PER_REQUEST = 120;

    private final ArrayDeque<Asked> pending = new ArrayDeque<>();
    private final Map<String, Statement> statements = new HashMap<>();
    private final Map<String, Portal> portals = new HashMap<>();
    private final InferredTypes inferred = new InferredTypes();
    private final Allowance allowance;
    private final Results results;
    private @Nullable Script script;
    private boolean skipping;
    private boolean copyingIn;

    /** A message that waits for its answer, and the bytes it takes meanwhile. */
    private record Asked(Frontend message, int bytes, long nanos) {
        boolean script() {
            return message instanceof Frontend.Query
                    || message instanceof Frontend.FunctionCall
                    || (message instanceof Frontend.Oversized lost && (lost.type() == 'Q' || lost.type() == 'F'));
        }
    }

    Dialogue(long capacity, Results results) {
        this.allowance = new Allowance(capacity);
        this.results = results;
    }

    /** The client has sent a message. */
    void asked(Frontend message, int bytes, long nanos) {
        if (copyingIn) {
            copyingIn = message == Plain.COPY_DATA || message == Plain.SYNC || message == Plain.FLUSH;
            return;
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
        pending.add(new Asked(message, bytes + PER_REQUEST, nanos));
    }

    /** The server has sent a message that belongs to a request. */
    void answered(PgMessage message, long nanos) {
        Asked asked = pending.peek();
        if (asked == null) {
            throw new MalformedMessageException("an answer without a question: " + message);
        }
        if (message.type() == 'Z') {
            ready(asked, message, nanos);
        } else if (asked.script()) {
            script(message);
        } else if (message.type() == 'E') {
            failed(asked, message, nanos);
        } else if (asked.message instanceof Frontend.Execute execute) {
            executed(execute, asked, message, nanos);
        } else {
            confirmed(asked.message, message);
        }
    }

    /** A message of the server was too long to be kept. */
    void lost(char type) {
        Asked asked = pending.peek();
        if (asked == null) {
            return;
        }
        if (asked.script()) {
            script().lose();
        } else if (asked.message instanceof Frontend.Execute execute) {
            Portal portal = portals.get(execute.portal());
            if (portal != null) {
                portal.lose();
            }
        } else {
            throw new MalformedMessageException("message too long: " + type);
        }
    }

    void notice(PgMessage notice) {
        Asked asked = pending.peek();
        if (asked != null && asked.script()) {
            script(notice);
        } else if (asked != null && asked.message instanceof Frontend.Execute execute) {
            Portal portal = portals.get(execute.portal());
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

    private void confirmed(Frontend asked, PgMessage message) {
        switch (message.type()) {
            case '1' -> define(asked);
            case '2' -> bind(asked);
            case '3' -> close(asked);
            case 't' -> parameters(asked, message);
            case 'T' -> columns(asked, Column.decode(message));
            case 'n' -> columns(asked, List.of());
            default -> throw new MalformedMessageException(message + " in answer to " + asked.getClass());
        }
        if (message.type() != 't') {
            pop();
        }
    }

    private void define(Frontend asked) {
        if (asked instanceof Frontend.Parse parse) {
            statements.put(parse.statement(), statement(parse));
        } else {
            statements.remove("");
        }
    }

    private Statement statement(Frontend.Parse parse) {
        String sql = Forms.canonical(parse.sql());
        return new Statement(sql, inferred.undo(sql, parse.types()));
    }

    private void bind(Frontend asked) {
        if (!(asked instanceof Frontend.Bind bind)) {
            dropPortal("");
            return;
        }
        dropPortal(bind.portal());
        Statement statement = statements.get(bind.statement());
        if (statement != null) {
            portals.put(bind.portal(), portal(statement, bind));
        }
    }

    private Portal portal(Statement statement, Frontend.Bind bind) {
        inferred.bound(statement.sql, statement.types, bind);
        return new Portal(
                statement, inferred.parameters(statement.sql, statement.types, bind), bind.results(), allowance);
    }

    private void close(Frontend asked) {
        if (asked instanceof Frontend.Close close && close.portal()) {
            dropPortal(close.name());
        } else if (asked instanceof Frontend.Close close) {
            statements.remove(close.name());
        }
    }

    private void parameters(Frontend asked, PgMessage message) {
        Statement statement = described(asked);
        if (statement != null) {
            List<Integer> types = new ArrayList<>();
            var reader = message.reader();
            for (int type : reader.int32s(reader.count(4))) {
                types.add(type);
            }
            statement.parameters = List.copyOf(types);
            inferred.described(statement.sql, types);
        }
    }

    private void columns(Frontend asked, List<Column> columns) {
        Statement statement = described(asked);
        if (statement != null) {
            statement.columns = columns;
            results.described(statement);
        }
    }

    private @Nullable Statement described(Frontend asked) {
        if (!(asked instanceof Frontend.Describe describe)) {
            return null;
        }
        if (!describe.portal()) {
            return statements.get(describe.name());
        }
        Portal portal = portals.get(describe.name());
        return portal == null ? null : portal.statement;
    }

    private void executed(Frontend.Execute execute, Asked asked, PgMessage message, long nanos) {
        Portal portal = portals.get(execute.portal());
        if (portal != null) {
            portal.execute(asked.nanos);
        }
        switch (message.type()) {
            case 'D' -> {
                if (portal != null) {
                    portal.row(message);
                }
            }
            case 'C', 'I' -> {
                pop();
                results.finished(portal, message, nanos);
            }
            case 's' -> pop();
            case 'G', 'H', 'W' -> {
                copying(message.type());
                if (portal != null) {
                    portal.copying = true;
                }
            }
            case 'd', 'c' -> {}
            default -> throw new MalformedMessageException(message + " in answer to Execute");
        }
    }

    /** While it copies in, the server ignores the Syncs that the client may have sent ahead. */
    private void copying(char type) {
        if (type != 'H') {
            pending.removeIf(asked -> asked.message == Plain.SYNC && released(asked));
            copyingIn = true;
        }
    }

    private void script(PgMessage message) {
        Script reply = script();
        if ("GHW".indexOf(message.type()) >= 0) {
            copyingIn = message.type() != 'H';
            reply.copying = true;
        }
        copyingIn &= message.type() != 'E';
        reply.add(message);
    }

    private Script script() {
        Script reply = script;
        if (reply == null) {
            reply = new Script(allowance);
            script = reply;
        }
        return reply;
    }

    private void failed(Asked asked, PgMessage error, long nanos) {
        copyingIn = false;
        if (asked.message == Plain.SYNC) {
            results.commitRefused(error);
            return;
        }
        if (asked.message instanceof Frontend.Execute execute) {
            Portal portal = portals.get(execute.portal());
            if (portal != null) {
                portal.execute(asked.nanos);
            }
            results.finished(portal, error, nanos);
        } else if (!PgErrors.state(error).equals(PgErrors.IN_FAILED_TRANSACTION)) {
            failedBeforeExecute(error, nanos);
        }
        while (!pending.isEmpty() && pending.peek().message != Plain.SYNC) {
            pop();
        }
        skipping = pending.isEmpty();
    }

    /** Preparing or binding failed: that is the result of the execution which was to follow. */
    private void failedBeforeExecute(PgMessage error, long nanos) {
        Map<String, Statement> prepared = new HashMap<>(statements);
        Map<String, Portal> bound = new HashMap<>(portals);
        boolean first = true;
        for (Asked next : pending) {
            if (next.message instanceof Frontend.Parse parse) {
                Statement statement = statement(parse);
                prepared.put(parse.statement(), statement);
                if (first) {
                    results.notPrepared(statement, error);
                }
            } else if (next.message instanceof Frontend.Bind bind && prepared.containsKey(bind.statement())) {
                bound.put(bind.portal(), portal(prepared.get(bind.statement()), bind));
            } else if (next.message instanceof Frontend.Execute execute) {
                Portal portal = bound.get(execute.portal());
                if (portal != null) {
                    portal.execute(next.nanos);
                    results.finished(portal, error, nanos);
                }
                return;
            } else if (next.message == Plain.SYNC) {
                return;
            }
            first = false;
        }
    }

    private void ready(Asked asked, PgMessage message, long nanos) {
        pop();
        if (message.body().length != 1) {
            throw new MalformedMessageException("not a ReadyForQuery");
        }
        char status = (char) message.body()[0];
        Script reply = script();
        script = null;
        if (asked.message instanceof Frontend.Query query) {
            dropPortal("");
            statements.remove("");
            results.query(query, reply, status, asked.nanos, nanos);
        } else if (asked.message instanceof Frontend.FunctionCall call) {
            results.call(call, reply, status, asked.nanos, nanos);
        } else if (asked.script()) {
            results.lost();
            reply.release();
        } else if (asked.message != Plain.SYNC) {
            throw new MalformedMessageException("ready before all was answered");
        }
        if (status == 'I') {
            List.copyOf(portals.keySet()).forEach(this::dropPortal);
        }
        results.ready(status);
    }

    private void pop() {
        released(pending.remove());
    }

    private boolean released(Asked asked) {
        allowance.giveBack(asked.bytes);
        return true;
    }

    private void dropPortal(String name) {
        Portal portal = portals.remove(name);
        if (portal != null) {
            results.abandoned(portal);
        }
    }
}
