package dev.understudy.divergence.compare.sql;

import dev.understudy.divergence.compare.ReplyCapture;
import dev.understudy.divergence.content.TextSpan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects one server's reply in bounded memory, as its framer tells it. Confined to one thread. */
public final class SqlReplyCapture implements ReplyCapture {
    private static final int OVERHEAD = 256;
    private static final int ITEM = 64;

    private final int most;
    private final List<SqlResult> results = new ArrayList<>();
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final Map<String, String> own = new LinkedHashMap<>();
    private @Nullable SqlRows rows;
    private List<SqlColumn> columns = List.of();
    private boolean ordered = true;
    private Map<String, String> said = new LinkedHashMap<>();
    private List<SqlNotice> notices = new ArrayList<>();
    private @Nullable SqlNotice error;
    private long held = OVERHEAD;
    private long rowsHeld;
    private boolean begun;
    private boolean forgotten;
    private boolean tooLarge;
    private boolean complete;

    /**
     * @param most bytes that are kept; of more rows than fit number and hashes decide, and of more beside rows nothing
     *     is known
     */
    public SqlReplyCapture(int most) {
        this.most = most;
    }

    /**
     * The rows that follow have these columns.
     *
     * @param inOrder whether their order means something
     */
    public void columns(List<SqlColumn> of, boolean inOrder) {
        begun = true;
        ordered = inOrder;
        of.forEach(column -> hold(column.name().length() + column.type().length()));
        columns = tooLarge ? List.of() : List.copyOf(of);
    }

    /** A row; the array is the capture's from now on. */
    public void row(byte[] row, SqlRows.Decoder decoder) {
        begun = true;
        if (tooLarge) {
            return;
        }
        if (rows == null) {
            rows = new SqlRows();
            if (forgotten) {
                rows.forget();
            }
        }
        long before = rows.heldBytes();
        rows.add(row, decoder);
        rowsHeld += rows.heldBytes() - before;
        if (held + rowsHeld > most) {
            forgetContent();
        }
    }

    /** What the server says of the statement, by name. */
    public void said(String name, String value) {
        begun = true;
        if (hold(name.length() + value.length())) {
            said.put(name, value);
        }
    }

    /** The statement failed. */
    public void error(SqlNotice why) {
        begun = true;
        error = hold(length(why)) ? why : null;
    }

    /** Said beside it. */
    public void notice(SqlNotice notice) {
        begun = true;
        if (hold(length(notice))) {
            notices.add(notice);
        }
    }

    /** What the server says of the connection, by name; the last one of a name counts. */
    public void fact(String name, String value) {
        if (hold(name.length() + value.length())) {
            facts.put(name, value);
        }
    }

    /** What the server made up for itself. */
    public void own(String name, String value) {
        if (hold(name.length() + value.length())) {
            own.put(name, value);
        }
    }

    /** The statement is done: what follows is about the next one. Nothing if nothing was said of any. */
    public void endResult() {
        if (begun && hold(OVERHEAD)) {
            SqlRows all = rows == null ? new SqlRows() : rows;
            results.add(new SqlResult(columns, ordered, all, said, error, notices));
        }
        begun = false;
        rows = null;
        columns = List.of();
        ordered = true;
        said = new LinkedHashMap<>();
        notices = new ArrayList<>();
        error = null;
    }

    /** The reply is whole. */
    public void end() {
        endResult();
        complete = true;
    }

    private static int length(SqlNotice notice) {
        return notice.message().length()
                + notice.detail().length()
                + notice.rest().length();
    }

    /** Takes room for one more thing that can't be hashed; without room all of these are given up. */
    private boolean hold(long characters) {
        held += ITEM + characters;
        if (held > most && !tooLarge) {
            lost();
        }
        return !tooLarge;
    }

    /** Something of it isn't known, so that it can't be compared. */
    public void lost() {
        tooLarge = true;
        forgetContent();
        results.clear();
        facts.clear();
        own.clear();
        said.clear();
        notices.clear();
    }

    @Override
    public long heldBytes() {
        return tooLarge ? OVERHEAD : held + rowsHeld;
    }

    @Override
    public void forgetContent() {
        forgotten = true;
        results.forEach(result -> result.rows().forget());
        if (rows != null) {
            rows.forget();
        }
        rowsHeld = 0;
    }

    /** What was captured, for a request and a reply within {@code times}; to be called once. */
    public SqlReply finish(TextSpan times) {
        endResult();
        return new SqlReply(
                Collections.unmodifiableList(results),
                Collections.unmodifiableMap(facts),
                Collections.unmodifiableMap(own),
                complete,
                tooLarge,
                times);
    }
}
