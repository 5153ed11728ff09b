package dev.understudy.aggregator.match;

import dev.understudy.divergence.sql.SqlTokens.Range;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The comment by which a client says in which trace it runs a statement, as sqlcommenter writes it: {@code
 * /*traceparent='00-…'*}{@code /}, among other keys. It says nothing of what is asked, so it is no part of a form.
 *
 * @param comments where the comments in stars of a text are, as the dialect has it
 */
public record SqlTrace(Function<String, List<Range>> comments) {
    private static final String KEY = "traceparent";

    /** Quotes and dashes may be written in the way of URLs. */
    private static final Pattern TRACEPARENT = Pattern.compile("\\btraceparent=(?:'|%27)([0-9a-f-]{55,200})(?:'|%27)");

    /** The trace that a text names in such a comment; null if it names none. */
    public @Nullable TraceId trace(String sql) {
        if (!sql.contains(KEY)) {
            return null;
        }
        for (Range comment : comments.apply(sql)) {
            Matcher named = TRACEPARENT.matcher(sql).region(comment.from(), comment.to());
            if (named.find()) {
                return TraceId.ofTraceparent(named.group(1));
            }
        }
        return null;
    }

    /** The text without such comments; all others stay. */
    public String left(String sql) {
        if (!sql.contains(KEY)) {
            return sql;
        }
        StringBuilder without = new StringBuilder(sql.length());
        int from = 0;
        for (Range comment : comments.apply(sql)) {
            if (TRACEPARENT.matcher(sql).region(comment.from(), comment.to()).find()) {
                without.append(sql, from, comment.from());
                from = comment.to();
            }
        }
        return without.append(sql, from, sql.length()).toString();
    }
}
