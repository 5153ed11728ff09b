package dev.understudy.aggregator.mysql.record;

import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.ResultEnd;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.ArrayList;
import java.util.List;

/** A result of which production has read a part. */
final class Cursor {
    final Question question;

    /** The first of its rows, where they are too many. */
    final RowOverflow overflow;

    private final List<byte[]> columns;
    private final List<byte[]> rows = new ArrayList<>();
    private ResultEnd ending;
    private long bytes;

    Cursor(Question question, Rows opened, RowOverflow overflow) {
        this.question = question;
        this.overflow = overflow;
        this.columns = opened.columns();
        this.ending = opened.ending();
        add(opened);
    }

    /** Takes the rows of a fetch. */
    void add(Rows fetched) {
        add(fetched.rows());
        ending = fetched.ending();
    }

    private void add(List<byte[]> fetched) {
        if (overflow.any() || overflow.lost() != null) {
            overflow.add(0, fetched);
        } else {
            rows.addAll(fetched);
            bytes += Result.bytes(fetched);
        }
    }

    /** Has all rows so far go to files, and these behind them. */
    void spill(List<byte[]> fetched) {
        if (!rows.isEmpty()) {
            overflow.add(0, rows);
            rows.clear();
            bytes = 0;
        }
        overflow.add(0, fetched);
    }

    List<byte[]> columns() {
        return columns;
    }

    Rows read() {
        return new Rows(columns, rows, ending);
    }

    long bytes() {
        return bytes + overflow.heldBytes();
    }
}
