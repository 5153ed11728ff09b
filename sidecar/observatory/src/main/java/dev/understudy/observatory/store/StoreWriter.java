package dev.understudy.observatory.store;

import dev.understudy.observatory.event.TierExchange;
import dev.understudy.observatory.sample.SampleSeries;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * Writes all rows of one origin into new segments, at most {@link #MOST_ROWS} each. Rows may come in any order; each
 * segment is ordered by time. Confined to one thread.
 */
public final class StoreWriter implements AutoCloseable {
    /** So many are held in memory, about 100 bytes each. */
    public static final int MOST_ROWS = 500_000;

    private final StoreFolder.Writing folder;
    private final String origin;
    private final DuckDBConnection connection;
    private @Nullable StoreTable table;
    private @Nullable DuckDBAppender rows;
    private int rowCount;
    private final List<StoreFolder.Unfinished> finished = new ArrayList<>();

    /**
     * @param origin which file the rows are from; shown to those who ask
     * @throws IOException if the database can't be loaded
     */
    public StoreWriter(StoreFolder.Writing folder, String origin) throws IOException {
        this.folder = folder;
        this.origin = origin;
        connection = Database.open();
    }

    /** Adds an exchange. */
    public void add(TierExchange exchange) throws IOException {
        try {
            DuckDBAppender row = begin(StoreTable.EXCHANGES);
            row.append(exchange.tier());
            row.append(exchange.route());
            row.append(exchange.connection());
            row.appendEpochMicros(exchange.startMicros());
            row.appendEpochMicros(exchange.endMicros());
            row.append(exchange.requestBytes());
            row.append(exchange.replyBytes());
            if (exchange.status() == 0) {
                row.appendNull();
            } else {
                row.append((short) exchange.status());
            }
            row.append(exchange.sure());
            end(row);
        } catch (SQLException failed) {
            throw Database.failure(failed);
        }
    }

    /** Adds all values of a series. */
    public void add(SampleSeries series) throws IOException {
        try {
            for (int n = 0; n < series.micros().length; n++) {
                DuckDBAppender row = begin(StoreTable.SAMPLES);
                row.appendEpochMicros(series.micros()[n]);
                row.append(series.source());
                row.append(series.metric());
                row.append(series.values()[n]);
                end(row);
            }
        } catch (SQLException failed) {
            throw Database.failure(failed);
        }
    }

    /** Has all rows in the store, in the place of those that it had of this origin. Without this it has none. */
    public void finish() throws IOException {
        try {
            flush();
            folder.replace(origin, finished);
        } catch (SQLException failed) {
            throw Database.failure(failed);
        }
    }

    private DuckDBAppender begin(StoreTable wanted) throws SQLException, IOException {
        if (table != wanted || rowCount >= MOST_ROWS) {
            flush();
            table = wanted;
        }
        if (rows == null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE OR REPLACE TABLE fresh (" + wanted.columns() + ")");
            }
            rows = connection.createAppender("main", "fresh");
        }
        rows.beginRow();
        return rows;
    }

    private void end(DuckDBAppender row) throws SQLException {
        row.append(origin);
        row.endRow();
        rowCount++;
    }

    private void flush() throws SQLException, IOException {
        StoreTable written = table;
        if (rows == null || written == null) {
            return;
        }
        rows.close();
        rows = null;
        rowCount = 0;
        Path file = folder.unfinished();
        long first;
        try (Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT * FROM fresh ORDER BY " + written.time() + ") TO "
                    + Database.quoted(file.toString()) + " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)");
            try (ResultSet earliest =
                    statement.executeQuery("SELECT epoch_us(min(" + written.time() + ")) FROM fresh")) {
                earliest.next();
                first = earliest.getLong(1);
            }
        }
        finished.add(new StoreFolder.Unfinished(file, written, Math.max(0, Math.min(TableFileName.LATEST, first))));
    }

    @Override
    public void close() throws IOException {
        try {
            if (rows != null) {
                rows.close();
            }
            connection.close();
        } catch (SQLException failed) {
            throw Database.failure(failed);
        }
    }
}
