package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.postgres.sql.Forms;
import dev.understudy.aggregator.postgres.sql.Parameter;
import dev.understudy.aggregator.postgres.sql.SessionState;
import dev.understudy.divergence.wire.postgres.Formats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A portal of the debug client: a statement with parameters and, once it was needed, its answer. */
final class DebugPortal {
    final Prepared statement;
    final List<Parameter> parameters;
    final Formats formats;

    @Nullable
    Answer answer;

    /** What reads the answer; null before the first Execute. */
    @Nullable
    Fetch fetch;

    DebugPortal(Prepared statement, List<Parameter> parameters, Formats formats) {
        this.statement = statement;
        this.parameters = parameters;
        this.formats = formats;
    }

    Form form(SessionState state) {
        return Forms.statement(state, statement.wording, parameters).in(statement.trace);
    }
}
