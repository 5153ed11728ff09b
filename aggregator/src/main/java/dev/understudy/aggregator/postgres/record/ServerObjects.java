package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.aggregator.postgres.sql.InferredTypes;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.PreparedNames;
import dev.understudy.aggregator.postgres.sql.TraceComment;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements and portals that one session of the server has, by name. They come to life when the server
 * confirms them, so this is the server's own state. Confined to the connection's lane loop.
 *
 * <p>Where a message was too long to be kept, its object is missing here: such messages have no name in practice.
 */
final class ServerObjects {
    private static final int MOST_DEFINED = 1_000;
    private static final String NAME_TAKEN = "42P05";

    private final Map<String, PgRecordedStatement> statements = new HashMap<>();
    private final Map<String, Portal> portals = new HashMap<>();
    private final List<PgRecordedStatement> defined = new ArrayList<>(1);
    private final InferredTypes inferred = new InferredTypes();
    private final Allowance allowance;
    private final Results results;
    private long bytes;
    private long definedBytes;

    ServerObjects(Allowance allowance, Results results) {
        this.allowance = allowance;
        this.results = results;
    }

    @Nullable
    Portal portal(String name) {
        return portals.get(name);
    }

    /** ParseComplete. */
    void define(Frontend asked) {
        if (asked instanceof Frontend.Parse parse) {
            dropStatement(parse.statement());
            PgRecordedStatement statement = statement(parse);
            statements.put(parse.statement(), statement);
            bytes += statement.heldBytes() + 2L * parse.statement().length();
            if (defined.size() < MOST_DEFINED) {
                defined.add(statement);
                definedBytes += statement.heldBytes();
            }
        } else {
            dropStatement("");
        }
    }

    /** BindComplete. */
    void bind(Frontend asked) {
        if (!(asked instanceof Frontend.Bind bind)) {
            dropPortal("");
            return;
        }
        dropPortal(bind.portal());
        PgRecordedStatement statement = statements.get(bind.statement());
        if (statement != null) {
            Portal portal = portal(statement, bind);
            portals.put(bind.portal(), portal);
            bytes += portal.boundBytes() + 2L * bind.portal().length();
        }
    }

    /** Memory that statements and portals take, without rows. */
    long heldBytes() {
        return bytes + definedBytes + inferred.heldBytes();
    }

    /** CloseComplete. */
    void close(Frontend asked) {
        if (asked instanceof Frontend.Close close && close.portal()) {
            dropPortal(close.name());
        } else if (asked instanceof Frontend.Close close) {
            dropStatement(close.name());
        }
    }

    /** ParameterDescription. */
    void parameters(Frontend asked, PgMessage message) {
        PgRecordedStatement statement = described(asked);
        if (statement != null) {
            List<Integer> types = message.reader().types();
            statement.parameters = types;
            inferred.described(statement.sql, types);
        }
    }

    /** RowDescription, or NoData. */
    void columns(Frontend asked, List<Column> columns, long nanos) {
        PgRecordedStatement statement = described(asked);
        if (statement != null) {
            statement.columns = columns;
            results.shapes().described(statement, nanos);
        }
    }

    /** A simple query replaces the unnamed statement and portal. */
    void dropUnnamed() {
        dropPortal("");
        dropStatement("");
    }

    /** The server is ready: what was only prepared so far may stay so for long. */
    void ready(long nanos) {
        for (PgRecordedStatement statement : defined) {
            if (!statement.heard && !statement.command.local()) {
                results.shapes().prepared(statement, nanos);
            }
        }
        defined.clear();
        definedBytes = 0;
    }

    /** SQL itself has dropped prepared statements. */
    void deallocate(PgStatementKind command, String sql) {
        String name = PreparedNames.dropped(command, sql);
        if (name != null && name.equals(PreparedNames.ALL)) {
            List.copyOf(statements.keySet()).forEach(this::dropStatement);
        } else if (name != null) {
            dropStatement(name);
        }
    }

    /** No portal outlives its transaction. */
    void dropPortals() {
        List.copyOf(portals.keySet()).forEach(this::dropPortal);
    }

    /** Preparing or binding the first of these failed: that is the result of the execution of it that was to follow. */
    void failedBeforeExecute(Iterable<Frontend> asked, PgMessage error, long nanos) {
        Map<String, PgRecordedStatement> prepared = new HashMap<>(statements);
        Map<String, Portal> bound = new HashMap<>(portals);
        QueryStep step = QueryStep.EXECUTE;
        Object refused = null;
        for (Frontend next : asked) {
            boolean first = refused == null;
            if (next instanceof Frontend.Parse parse) {
                PgRecordedStatement statement = statement(parse);
                prepared.put(parse.statement(), statement);
                if (first) {
                    if (PgErrors.state(error).equals(NAME_TAKEN)) {
                        results.shapes().nameTaken(statement);
                        return; // that is no answer to the statement
                    }
                    results.shapes().notPrepared(statement, error, nanos);
                    step = QueryStep.PARSE;
                    refused = statement;
                }
            } else if (next instanceof Frontend.Bind bind) {
                PgRecordedStatement statement = prepared.get(bind.statement());
                if (statement == null) {
                    return;
                }
                Portal portal = portal(statement, bind);
                bound.put(bind.portal(), portal);
                step = first ? QueryStep.BIND : step;
                refused = first ? portal : refused;
            } else if (next instanceof Frontend.Describe describe) {
                refused = first ? of(describe, prepared, bound) : refused;
            } else if (next instanceof Frontend.Execute execute) {
                Portal portal = bound.get(execute.portal());
                if (portal != null && (portal == refused || portal.statement == refused)) {
                    portal.refusedAt = step;
                    portal.execute(nanos);
                    results.finished(portal, error, nanos);
                }
                return;
            } else {
                return;
            }
            if (refused == null) {
                return;
            }
        }
    }

    private static @Nullable Object of(
            Frontend.Describe describe, Map<String, PgRecordedStatement> prepared, Map<String, Portal> bound) {
        return describe.portal() ? bound.get(describe.name()) : prepared.get(describe.name());
    }

    /** The statement of this name; null if there is none. */
    @Nullable
    PgRecordedStatement prepared(String name) {
        return statements.get(name);
    }

    /** What a statement will be once it is prepared. */
    PgRecordedStatement statement(Frontend.Parse parse) {
        String sql = PgForms.canonical(parse.sql());
        return new PgRecordedStatement(sql, TraceComment.trace(parse.sql()), inferred.undo(sql, parse.types()));
    }

    private Portal portal(PgRecordedStatement statement, Frontend.Bind bind) {
        inferred.bound(statement.sql, statement.types, bind);
        return bound(statement, bind);
    }

    /** What a portal will be once it is bound. */
    Portal bound(PgRecordedStatement statement, Frontend.Bind bind) {
        return new Portal(
                statement, inferred.parameters(statement.sql, statement.types, bind), bind.results(), allowance);
    }

    private @Nullable PgRecordedStatement described(Frontend asked) {
        if (!(asked instanceof Frontend.Describe describe)) {
            return null;
        }
        if (!describe.portal()) {
            return statements.get(describe.name());
        }
        Portal portal = portals.get(describe.name());
        return portal == null ? null : portal.statement;
    }

    private void dropStatement(String name) {
        PgRecordedStatement statement = statements.remove(name);
        bytes -= statement == null ? 0 : statement.heldBytes() + 2L * name.length();
    }

    private void dropPortal(String name) {
        Portal portal = portals.remove(name);
        if (portal != null) {
            bytes -= portal.boundBytes() + 2L * name.length();
            results.abandoned(portal);
        }
    }
}
