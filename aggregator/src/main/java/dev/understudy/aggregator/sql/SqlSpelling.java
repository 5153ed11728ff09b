package dev.understudy.aggregator.sql;

import dev.understudy.divergence.sql.MySqlText;
import dev.understudy.divergence.sql.PostgresText;
import java.util.regex.Pattern;

/** Whether white space and comments that mean nothing count where two statements are compared. */
public enum SqlSpelling {
    /** They don't. */
    MEANING,
    /** Every byte counts. */
    BYTES;

    /** What asks for the text that asks. */
    private static final Pattern OWN_TEXT = Pattern.compile("current_query", Pattern.CASE_INSENSITIVE);

    /** A text of PostgreSQL's as it counts. */
    public String postgres(String sql) {
        boolean bytes = this == BYTES
                || sql.chars().anyMatch(c -> c == '\\' || c == 0 || c == '\ufffd')
                || OWN_TEXT.matcher(sql).find();
        return bytes ? sql : new PlainSql(sql, PostgresText::new, false).text();
    }

    /**
     * A text of MySQL's as it counts. Only plain ASCII is sure to be read as the server reads it, whose character set
     * may have quotes within letters.
     */
    public String mySql(String sql) {
        boolean bytes = this == BYTES
                || sql.contains("/*!")
                || sql.contains("/*M!")
                || sql.chars().anyMatch(c -> c == '\\' || c == 0 || c >= 0x80);
        return bytes ? sql : new PlainSql(sql, MySqlText::new, true).text();
    }
}
