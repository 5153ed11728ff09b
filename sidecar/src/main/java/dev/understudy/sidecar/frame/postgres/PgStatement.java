package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.LongText;

/** One statement of a connection, as far as it is of interest: itself, and no other with the same text. */
final class PgStatement {
    /** One that nobody here knows. */
    static final PgStatement UNKNOWN = new PgStatement("", true);

    private static final int SHOWN = 200;

    private final String shown;
    private final boolean ordered;

    private PgStatement(String shown, boolean ordered) {
        this.shown = shown;
        this.ordered = ordered;
    }

    static PgStatement of(String sql) {
        if (LongText.shortened(sql)) { // who knows what its rest asks for
            return new PgStatement(PostgresText.display(sql.substring(0, sql.indexOf('\0')), SHOWN), true);
        }
        return new PgStatement(PostgresText.display(sql, SHOWN), PostgresText.asksForOrder(sql));
    }

    /** The same, as if the order of its rows meant something. */
    PgStatement inOrder() {
        return new PgStatement(shown, true);
    }

    /** In one line, without what string literals hold. */
    String shown() {
        return shown;
    }

    /** Whether the order of its rows means something. */
    boolean ordered() {
        return ordered;
    }
}
