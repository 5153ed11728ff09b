package dev.understudy.aggregator.postgres.sql;

import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names under which SQL itself prepares and drops statements: those of the protocol are the same. */
public final class PreparedNames {
    /** What {@link #dropped} gives where all are dropped. */
    public static final String ALL = "";

    private static final Pattern PREPARE =
            Pattern.compile("\\bprepare\\b(?!\\s+transaction\\b)", Pattern.CASE_INSENSITIVE);

    private PreparedNames() {}

    /** Whether a message says that a statement was run that may have dropped some. */
    public static boolean dropped(PgMessage message) {
        if (message.type() != 'C') {
            return false;
        }
        String tag = message.reader().string();
        return tag.startsWith("DEALLOCATE") || tag.startsWith("DISCARD");
    }

    /** Which statement is dropped; {@link #ALL} for all; null for none. */
    public static @Nullable String dropped(PgStatementKind command, String sql) {
        if (command == PgStatementKind.DISCARD) {
            return PostgresText.firstWords(sql, 2).contains("ALL") ? ALL : null;
        }
        if (command != PgStatementKind.DEALLOCATE) {
            return null;
        }
        List<String> words = PostgresText.firstWords(sql, 4);
        int last = words.size() > 1 && words.get(words.size() - 1).equals(";") ? words.size() - 2 : words.size() - 1;
        boolean one = last == 1 || (last == 2 && words.get(1).equals("PREPARE"));
        if (one && words.get(last).equals("ALL")) {
            return ALL;
        }
        String name = one ? PostgresText.lastName(sql) : "";
        return name.isEmpty() ? null : name;
    }

    /** Whether a text may prepare statements; that word in a literal counts too, which errs on the safe side. */
    public static boolean mayPrepare(String sql) {
        return PREPARE.matcher(sql).find();
    }
}
