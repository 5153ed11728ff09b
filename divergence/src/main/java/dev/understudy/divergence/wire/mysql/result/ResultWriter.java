package dev.understudy.divergence.wire.mysql.result;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.ServerStatus;
import java.util.List;
import java.util.function.Consumer;

/** Writes results as packets for a client that has agreed on certain capabilities. */
public final class ResultWriter {
    private static final int OF_FETCHING = ServerStatus.MORE_RESULTS
            | ServerStatus.CURSOR_EXISTS
            | ServerStatus.LAST_ROW_SENT
            | ServerStatus.METADATA_CHANGED;

    private final Capabilities agreed;
    private final Consumer<byte[]> out;

    public ResultWriter(Capabilities agreed, Consumer<byte[]> out) {
        this.agreed = agreed;
        this.out = out;
    }

    /** Writes all of them; each but the last is followed by more. */
    public void write(List<Result> results) {
        for (int i = 0; i < results.size(); i++) {
            Result result = results.get(i);
            boolean more = i + 1 < results.size();
            begin(result, more);
            if (result instanceof Rows rows) {
                rows.rows().forEach(out);
            }
            end(result, more);
        }
    }

    /** Writes what comes before the rows of a result. */
    public void begin(Result result, boolean more) {
        if (result instanceof Rows rows) {
            int status = rows.ending() instanceof Ok ok ? plain(ok, flags(more)).status() : 0;
            columns(rows.columns(), status);
        }
    }

    /** Writes what comes behind the rows of a result, or all of it if it has none. */
    public void end(Result result, boolean more) {
        if (result instanceof Rows rows) {
            end(rows.ending(), flags(more));
        } else if (result instanceof Ok ok) {
            out.accept(plain(ok, flags(more)).encode(0, agreed));
        } else if (result instanceof Err err) {
            out.accept(err.encode());
        }
    }

    private static int flags(boolean more) {
        return more ? ServerStatus.MORE_RESULTS : 0;
    }

    /** Writes the columns of a result whose rows are to be fetched, with this status. */
    public void openCursor(Rows rows, int status) {
        columns(rows.columns(), status | ServerStatus.CURSOR_EXISTS);
        if (agreed.has(Capabilities.DEPRECATE_EOF)) {
            end(Ok.of(status), ServerStatus.CURSOR_EXISTS);
        }
    }

    /** Writes the rows of one fetch. */
    public void fetched(List<byte[]> rows, Ok ending, boolean last) {
        rows.forEach(out);
        end(ending, last ? ServerStatus.LAST_ROW_SENT : ServerStatus.CURSOR_EXISTS);
    }

    /** Writes the answer to preparing a statement that gets this number. */
    public void prepared(int statement, PreparedShape shape, int status) {
        out.accept(new MySqlWriter()
                .int8(0)
                .int32(statement)
                .int16(shape.columns().size())
                .int16(shape.parameters().size())
                .int8(0)
                .int16(shape.warnings())
                .toBytes());
        definitions(shape.parameters(), status);
        definitions(shape.columns(), status);
    }

    /** Writes what ends rows, alone. */
    public void end(ResultEnd ending, int flags) {
        if (ending instanceof Err err) {
            out.accept(err.encode());
        } else if (ending instanceof Ok ok) {
            Ok told = plain(ok, flags);
            out.accept(agreed.has(Capabilities.DEPRECATE_EOF) ? told.encode(0xfe, agreed) : told.encodeEof());
        }
    }

    private void columns(List<byte[]> columns, int status) {
        MySqlWriter count = new MySqlWriter().number(columns.size());
        if (agreed.has(Capabilities.MARIADB_CACHE_METADATA)) {
            count.int8(1);
        }
        out.accept(count.toBytes());
        columns.forEach(out);
        if (!agreed.has(Capabilities.DEPRECATE_EOF)) {
            out.accept(Ok.of(status).encodeEof());
        }
    }

    private void definitions(List<byte[]> definitions, int status) {
        definitions.forEach(out);
        if (!definitions.isEmpty() && !agreed.has(Capabilities.DEPRECATE_EOF)) {
            out.accept(Ok.of(status).encodeEof());
        }
    }

    private static Ok plain(Ok ok, int flags) {
        return ok.withStatus((ok.status() & ~OF_FETCHING) | flags);
    }
}
