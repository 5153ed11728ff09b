package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.LongText;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The text of one statement, and what the form of each of its executions takes from it: read once, however often a
 * prepared statement runs. Confined to its connection.
 */
public final class Wording {
    private static final int SHOWN = 260;
    private static final Set<String> BEFORE_A_TABLE = Set.of("FROM", "INTO", "UPDATE");

    private final String sql;
    private final PgStatementKind command;
    private @Nullable String counted;
    private @Nullable SqlSpelling spelled;
    private byte @Nullable [] bytes;
    private @Nullable String shown;
    private @Nullable String family;

    /** @param sql the canonical text ({@link PgForms#canonical}) */
    public Wording(String sql) {
        this(sql, PgStatementKind.of(sql));
    }

    /** The same, of which the kind is known. */
    public Wording(String sql, PgStatementKind command) {
        this.sql = sql;
        this.command = command;
    }

    /** The canonical text. */
    public String sql() {
        return sql;
    }

    /** What kind of statement it is. */
    public PgStatementKind command() {
        return command;
    }

    /** The text as it counts. */
    public String counted(SqlSpelling spelling) {
        String known = counted;
        if (known == null || spelling != spelled) {
            known = LongText.shortened(sql) ? sql : spelling.postgres(sql);
            known = known.equals(sql) ? sql : known;
            counted = known;
            spelled = spelling;
            bytes = null;
        }
        return known;
    }

    /** The text as it counts in UTF-8; shared, never changed. */
    byte[] bytes(SqlSpelling spelling) {
        String text = counted(spelling);
        byte[] known = bytes;
        if (known == null) {
            known = text.getBytes(StandardCharsets.UTF_8);
            bytes = known;
        }
        return known;
    }

    /** For people, without what stands in its literals. */
    String shown() {
        String known = shown;
        if (known == null) {
            known = PostgresText.display(sql, SHOWN);
            shown = known;
        }
        return known;
    }

    /** The verb and the first table, e.g. {@code SELECT ORDERS}. */
    String family() {
        String known = family;
        if (known == null) {
            known = PostgresText.family(sql, BEFORE_A_TABLE);
            family = known;
        }
        return known;
    }
}
