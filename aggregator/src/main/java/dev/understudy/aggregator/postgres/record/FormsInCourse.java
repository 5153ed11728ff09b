package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.postgres.sql.Course;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.postgres.sql.TraceComment;
import dev.understudy.aggregator.postgres.sql.Wording;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.LongText;
import java.util.List;

/**
 * The forms of what one session asks for, each asked for once and in the order of the requests. Confined to its
 * connection.
 */
final class FormsInCourse {
    private final Settings settings;
    private final Course course = new Course();

    FormsInCourse(Settings settings) {
        this.settings = settings;
    }

    /** A prepared statement is executed, for the first time or on. */
    Form of(Portal portal) {
        Form known = portal.form;
        if (known == null) {
            PgRecordedStatement statement = portal.statement;
            known = inCourse(
                    statement.command,
                    statement.sql,
                    PgForms.statement(settings.stateFor(statement.sql), statement.wording, portal.parameters)
                            .in(statement.trace));
            portal.form = known;
        }
        return known;
    }

    /** A statement was sent as this text. */
    Form statement(String sql, Wording wording) {
        String canonical = wording.sql();
        return inCourse(
                wording.command(),
                canonical,
                PgForms.statement(settings.stateFor(canonical), wording, List.of())
                        .in(TraceComment.trace(sql)));
    }

    /** A COPY was sent as this text. */
    Form copy(String sql) {
        return statement(sql, new Wording(PgForms.canonical(sql), PgStatementKind.COPY));
    }

    /** Several statements were sent as one text, or nobody knows how many. */
    Form script(String text) {
        return course.statement(
                PgStatementKind.OTHER, LongText.shortened(text) ? text : "", PgForms.script(settings.state(), text));
    }

    /** A step with a portal that SQL declared. */
    Form portal(PgForms.PortalStep step, String name) {
        return course.within(PgForms.portal(settings.state(), step, name));
    }

    Form call(Frontend.FunctionCall call) {
        return course.call(PgForms.call(settings.state(), call.message()));
    }

    /** Memory that the transaction's requests take. */
    long heldBytes() {
        return course.heldBytes();
    }

    /** The transaction is over. */
    void ended() {
        course.end();
    }

    private Form inCourse(PgStatementKind command, String sql, Form form) {
        return command.lasting() ? form : course.statement(command, sql, form);
    }
}
