package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.postgres.sql.TraceComment;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.LongText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Announces what the server is busy with, so that the debug JVM may wait for its answer: the first statement that it
 * was asked since it was ready. Confined to its connection.
 */
final class RequestUnderWay {
    private final ServerObjects objects;
    private final Settings settings;
    private final Function<Form, Runnable> begin;
    private Runnable end = () -> {};
    private boolean considered;

    /** @param begin announces a request; what it returns is run once that is over */
    RequestUnderWay(ServerObjects objects, Settings settings, Function<Form, Runnable> begin) {
        this.objects = objects;
        this.settings = settings;
        this.begin = begin;
    }

    /** The client has sent another message; these wait for an answer, the first one first. */
    void asked(Frontend last, Iterable<UnansweredMessage> pending) {
        if (!considered && (last instanceof Frontend.Execute || last instanceof Frontend.Query)) {
            consider(pending);
        }
    }

    /** The server is ready, and all that it was asked until then is recorded; these wait for an answer. */
    void ready(Iterable<UnansweredMessage> pending) {
        end.run();
        end = () -> {};
        considered = false;
        consider(pending);
    }

    private void consider(Iterable<UnansweredMessage> pending) {
        Map<String, PgRecordedStatement> prepared = new HashMap<>(2);
        Map<String, Portal> bound = new HashMap<>(2);
        for (UnansweredMessage asked : pending) {
            Frontend message = asked.message;
            if (message instanceof Frontend.Parse parse) {
                prepared.put(parse.statement(), objects.statement(parse));
            } else if (message instanceof Frontend.Bind bind) {
                PgRecordedStatement statement = prepared.get(bind.statement());
                statement = statement == null ? objects.prepared(bind.statement()) : statement;
                if (statement == null) {
                    return;
                }
                bound.put(bind.portal(), objects.bound(statement, bind));
            } else if (message instanceof Frontend.Execute execute) {
                considered = true;
                Portal portal = bound.get(execute.portal());
                begin(portal == null ? objects.portal(execute.portal()) : portal);
                return;
            } else if (message instanceof Frontend.Query query) {
                considered = true;
                begin(query);
                return;
            } else if (!(message instanceof Frontend.Describe)) {
                return;
            }
        }
    }

    private void begin(@Nullable Portal portal) {
        if (portal != null && !portal.executed) {
            PgRecordedStatement statement = portal.statement;
            begin(
                    statement.wording,
                    PgForms.statement(settings.stateFor(statement.sql), statement.wording, portal.parameters)
                            .in(statement.trace));
        }
    }

    private void begin(Frontend.Query query) {
        List<String> statements = Results.statements(query);
        if (statements.size() == 1 && !LongText.shortened(query.sql())) {
            String sql = PgForms.canonical(statements.get(0));
            Wording wording = new Wording(sql, PgStatementKind.of(statements.get(0)));
            begin(
                    wording,
                    PgForms.statement(settings.stateFor(sql), wording, List.of())
                            .in(TraceComment.trace(statements.get(0))));
        }
    }

    private void begin(Wording wording, Form form) {
        if (!wording.command().local() && !wording.command().lasting()) {
            end = begin.apply(form);
        }
    }
}
