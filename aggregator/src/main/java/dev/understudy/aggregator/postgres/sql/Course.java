package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.wire.postgres.LongText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What one session has asked for in its transaction so far. Some requests mean nothing without that: a descriptor of a
 * large object, or a cursor's name, stands for whatever was opened under it before, and for how far it was read. Their
 * forms have the transaction's course in them, so that two transactions that do the same with different things aren't
 * given each other's answers. What isn't known of a long text may be such a request. Confined to its connection.
 */
public final class Course {
    private static final Pattern WITH_DESCRIPTOR = Pattern.compile(
            "\\b(loread|lowrite|lo_(close|lseek|lseek64|tell|tell64|truncate|truncate64))\\s*\\(",
            Pattern.CASE_INSENSITIVE);
    private static final byte[] NOTHING = {};

    /** So many requests are remembered before what they come to is. */
    private static final int LATEST = 64;

    /** Memory of a form, most of whose text is shorter than it may be. */
    private static final long PER_FORM = 500;

    private byte[] before = NOTHING;

    /** What came after that; few requests depend on it, and most transactions end without one that does. */
    private final List<Form> latest = new ArrayList<>();

    /** The form of the next statement that isn't its session's own. */
    public Form statement(PgStatementKind command, String sql, Form form) {
        boolean depends = command == PgStatementKind.FETCH
                || LongText.shortened(sql)
                || (mentionsObjects(sql) && WITH_DESCRIPTOR.matcher(sql).find());
        return next(form, depends);
    }

    /** The form of the next call of a function by its oid; those of large objects are called so. */
    public Form call(Form form) {
        return next(form, true);
    }

    /** The form of a question about what was opened before; it isn't part of the course. */
    public Form within(Form form) {
        chain();
        return before.length > 0
                ? Form.of(form.family(), form.text(), form.identity(), before).in(form.trace())
                : form;
    }

    /** The transaction is over. */
    public void end() {
        before = NOTHING;
        latest.clear();
    }

    /** Memory that the requests take. */
    public long heldBytes() {
        return PER_FORM * latest.size();
    }

    private Form next(Form form, boolean depends) {
        if (depends || latest.size() == LATEST) {
            chain();
        }
        latest.add(form);
        return depends && before.length > 0
                ? Form.of(form.family(), form.text(), form.identity(), before).in(form.trace())
                : form;
    }

    private void chain() {
        for (Form one : latest) {
            before = Form.of("", "", before, one.identity()).identity();
        }
        latest.clear();
    }

    /** Spares almost all statements the pattern. */
    private static boolean mentionsObjects(String sql) {
        return sql.contains("lo") || sql.contains("LO");
    }
}
