package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.mysql.exchange.LargeRows;
import dev.understudy.divergence.wire.mysql.result.Ok;
import dev.understudy.divergence.wire.mysql.result.Rows;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A result of which the client reads some rows at a time, those that lie in files first. */
final class OpenCursor {
    final boolean whole;
    final Form form;
    private final Rows rows;
    private final @Nullable FiledRows filed;
    private long filedLeft;
    private int next;

    OpenCursor(Rows rows, MySqlAnswer answer, Form form, MySqlOutlet outlet) {
        LargeRows elsewhere = answer.elsewhere();
        this.rows = rows;
        this.whole = answer.whole();
        this.form = form;
        this.filed = elsewhere == null ? null : new FiledRows(elsewhere.body(), outlet);
        this.filedLeft = elsewhere == null ? 0 : elsewhere.of(0);
    }

    /** Memory that its rows take. */
    long heldBytes() {
        return rows.bytes();
    }

    /** How many rows are left. */
    long left() {
        return filedLeft + rows.rows().size() - next;
    }

    Ok ending() {
        return rows.ending() instanceof Ok ok ? ok : Ok.of(0);
    }

    /**
     * Has so many of those that are left written.
     *
     * @param inMemory is given those that aren't written yet, which are the last of them
     * @param lost is told that they can't be read back, instead
     */
    void read(long some, Consumer<List<byte[]>> inMemory, Consumer<FiledRows> lost) {
        long fromFiles = Math.min(some, filedLeft);
        FiledRows files = filed;
        if (files == null || fromFiles == 0) {
            inMemory.accept(take((int) some));
            return;
        }
        filedLeft -= fromFiles;
        files.write(fromFiles, read -> {
            if (read) {
                inMemory.accept(take((int) (some - fromFiles)));
            } else {
                lost.accept(files);
            }
        });
    }

    private List<byte[]> take(int some) {
        next += some;
        return rows.rows().subList(next - some, next);
    }

    void close() {
        if (filed != null) {
            filed.close();
        }
    }
}
