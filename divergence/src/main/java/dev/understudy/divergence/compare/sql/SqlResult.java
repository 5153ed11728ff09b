package dev.understudy.divergence.compare.sql;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one statement came to.
 *
 * @param columns of its rows; empty if it has none, or they aren't known
 * @param ordered whether the order of its rows means something
 * @param said what the server says of it by name, in the order in which that is shown: {@code tag}, {@code affected}, …
 * @param error why it failed; null if it didn't
 * @param notices that came with it, in order
 */
public record SqlResult(
        List<SqlColumn> columns,
        boolean ordered,
        SqlRows rows,
        Map<String, String> said,
        @Nullable SqlNotice error,
        List<SqlNotice> notices) {}
