package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.postgres.sql.Parameter;
import dev.understudy.aggregator.postgres.sql.PgForms;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.divergence.wire.postgres.Formats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A portal of the debug client: a statement with parameters and, once it was needed, its answer. */
final class DebugPortal {
    private static final long PER_PORTAL = 300;
    private static final long PER_PARAMETER = 56;

    final Prepared statement;
    final List<Parameter> parameters;
    final Formats formats;
    private final long parameterBytes;

    /** Bytes that are charged for it. */
    long charged;

    @Nullable
    PgAnswer answer;

    /** What reads the answer; null before the first Execute. */
    @Nullable
    Fetch fetch;

    DebugPortal(Prepared statement, List<Parameter> parameters, Formats formats) {
        this.statement = statement;
        this.parameters = parameters;
        this.formats = formats;
        long bytes = 0;
        for (Parameter parameter : parameters) {
            byte[] value = parameter.value();
            bytes += PER_PARAMETER + (value == null ? 0 : value.length);
        }
        this.parameterBytes = bytes;
    }

    /**
     * Memory that it takes: its statement, which may be nobody else's by now, its parameters, and its answer as long as
     * that is read.
     */
    long heldBytes() {
        return PER_PORTAL + statement.heldBytes() + parameterBytes + (answer == null ? 0 : answer.bytes());
    }

    Form form(PgSessionState state) {
        return PgForms.statement(state, statement.wording, parameters).in(statement.trace);
    }
}
