package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.postgres.sql.Forms;
import dev.understudy.divergence.wire.postgres.Frontend;
import org.jspecify.annotations.Nullable;

/** A portal of the debug client: a statement with parameters and, once it was needed, its answer. */
final class DebugPortal {
    final Prepared statement;
    final Frontend.Bind bind;

    @Nullable
    Answer answer;

    /** The next row to be sent. */
    int position;

    boolean ended;

    DebugPortal(Prepared statement, Frontend.Bind bind) {
        this.statement = statement;
        this.bind = bind;
    }

    Form form() {
        return Forms.statement(statement.sql, statement.command, statement.types, bind.given(), bind.parameters());
    }
}
