package dev.understudy.aggregator.mysql.record;

import dev.understudy.divergence.wire.mysql.result.Ending;
import dev.understudy.divergence.wire.mysql.result.Result;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.ArrayList;
import java.util.List;

/** A result of which production has read a part. */
final class Cursor {
    final Question question;
    private final List<byte[]> columns;
    private final List<byte[]> rows = new ArrayList<>();
    private Ending ending;
    private long bytes;

    Cursor(Question question, Rows opened) {
        this.question = question;
        this.columns = opened.columns();
        this.ending = opened.ending();
        add(opened);
    }

    void add(Rows fetched) {
        rows.addAll(fetched.rows());
        bytes += Result.bytes(fetched.rows());
        ending = fetched.ending();
    }

    List<byte[]> columns() {
        return columns;
    }

    Rows read() {
        return new Rows(columns, rows, ending);
    }

    long bytes() {
        return bytes;
    }
}
