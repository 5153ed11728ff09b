package dev.understudy.divergence.wire.mysql.result;

import java.util.List;

/**
 * A result set.
 *
 * @param columns payloads of their definitions
 * @param rows payloads, in the text or the binary format as the command asks for
 * @param ending how the rows ended
 */
public record Rows(List<byte[]> columns, List<byte[]> rows, ResultEnd ending) implements Result {
    public Rows {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    @Override
    public long bytes() {
        return 64 + Result.bytes(columns) + Result.bytes(rows) + ending.bytes();
    }
}
