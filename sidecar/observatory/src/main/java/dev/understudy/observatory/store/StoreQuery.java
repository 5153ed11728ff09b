package dev.understudy.observatory.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * SQL over a store. A query reads, and nothing else: it is refused unless it is one SELECT, and the database that runs
 * it may open no file but the store's segments. Damaged segments are left out.
 *
 * <p>Confined to one thread.
 */
public final class StoreQuery {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final StoreFolder store;
    private final QueryLimits limits;
    private final Set<Path> damaged = new LinkedHashSet<>();

    /** A query that is to be run on what the store has then. */
    public StoreQuery(StoreFolder store, QueryLimits limits) {
        this.store = store;
        this.limits = limits;
    }

    /** Segments that were left out of the last answer, since they aren't as they were written. */
    public Set<Path> damaged() {
        return Set.copyOf(damaged);
    }

    /**
     * Answers a query.
     *
     * @param sql one SELECT (or DESCRIBE, SUMMARIZE) of DuckDB over {@link StoreTable}s
     * @throws QueryException if it is none, can't be answered, or meets a limit
     * @throws IOException if the store can't be read, or the sink fails
     */
    public void run(String sql, ResultSink sink) throws QueryException, IOException {
        run(sql, List.of(), (statement, late) -> {
            try (ResultSet result = statement.executeQuery(sql)) {
                read(result, sink, late);
            }
        });
    }

    /**
     * Writes the answer of a query to a file of Parquet.
     *
     * @param file one that doesn't exist yet; only its owner may read it
     */
    public void write(String sql, Path file) throws QueryException, IOException {
        Path created = Files.createFile(file.toAbsolutePath(), OwnerOnly.file());
        boolean written = false;
        try {
            run(sql, List.of(created), (statement, late) -> {
                statement.execute("CREATE TEMP VIEW answer AS " + sql);
                statement.execute("COPY answer TO " + Database.quoted(created.toString())
                        + " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)");
            });
            written = true;
        } finally {
            if (!written) {
                Files.deleteIfExists(created);
            }
        }
    }

    /** What is done with a query that may be run. */
    private interface Answer {
        void by(Statement statement, AtomicBoolean late) throws SQLException, IOException, QueryException;
    }

    private void run(String sql, List<Path> writable, Answer answer) throws QueryException, IOException {
        List<StoreFolder.Segment> segments = wholeSegments();
        Path spill = Files.createTempDirectory("understudy-ask", OwnerOnly.directory());
        try (DuckDBConnection connection = Database.open()) {
            prepare(connection, segments, writable, spill);
            check(connection, sql);
            answer(connection, answer);
        } catch (SQLException closing) {
            throw Database.failure(closing);
        } finally {
            delete(spill);
        }
    }

    private List<StoreFolder.Segment> wholeSegments() throws IOException {
        damaged.clear();
        List<StoreFolder.Segment> whole = new ArrayList<>();
        for (StoreFolder.Segment segment : store.segments()) {
            try {
                if (StoreFolder.isWhole(segment)) {
                    whole.add(segment);
                } else {
                    damaged.add(segment.file());
                }
            } catch (NoSuchFileException deletedMeanwhile) {
                // the store made room: its rows are gone
            } catch (IOException unreadable) {
                damaged.add(segment.file());
            }
        }
        return whole;
    }

    private void prepare(
            DuckDBConnection connection, List<StoreFolder.Segment> segments, List<Path> writable, Path spill)
            throws IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET memory_limit = '" + limits.memoryBytes() + " bytes'");
            statement.execute("SET temp_directory = " + Database.quoted(spill.toString()));
            statement.execute("SET max_temp_directory_size = '" + limits.diskBytes() + " bytes'");
            statement.execute("SET TimeZone = 'UTC'");
            String files = Stream.concat(segments.stream().map(StoreFolder.Segment::file), writable.stream())
                    .map(file -> Database.quoted(file.toString()))
                    .collect(Collectors.joining(", "));
            statement.execute("SET allowed_paths = [" + files + "]");
            statement.execute("SET allowed_directories = [" + Database.quoted(spill.toString()) + "]");
            statement.execute("SET enable_external_access = false");
            for (StoreTable table : StoreTable.values()) {
                statement.execute(view(table, segments));
            }
            statement.execute("SET lock_configuration = true");
        } catch (SQLException failed) {
            throw Database.failure(failed);
        }
    }

    /** A table without segments is there, too, and has no rows. */
    private static String view(StoreTable table, List<StoreFolder.Segment> segments) {
        String files = segments.stream()
                .filter(segment -> segment.table() == table)
                .map(segment -> Database.quoted(segment.file().toString()))
                .collect(Collectors.joining(", "));
        String empty = Stream.of(table.columns().split(", "))
                .map(column -> column.split(" "))
                .map(column -> "NULL::" + column[1] + " AS " + column[0])
                .collect(Collectors.joining(", ", "(SELECT ", " WHERE false)"));
        return "CREATE VIEW " + table.sqlName() + " AS SELECT *" + table.derived() + " FROM "
                + (files.isEmpty() ? empty : "read_parquet([" + files + "])");
    }

    private static void check(DuckDBConnection connection, String sql) throws QueryException, IOException {
        JsonNode parsed;
        try (Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT json_serialize_sql(" + Database.quoted(sql) + "::VARCHAR)")) {
            result.next();
            parsed = JSON.readTree(result.getString(1));
        } catch (SQLException unparsable) {
            throw new QueryException(Database.message(unparsable), unparsable);
        }
        if (parsed.path("error").asBoolean()) {
            boolean other = parsed.path("error_type").asText().equals("not implemented");
            String problem = parsed.path("error_message").asText();
            throw new QueryException(other ? "the store is only read: a query is one SELECT" : problem);
        }
        int statements = parsed.path("statements").size();
        if (statements != 1) {
            throw new QueryException(statements + " queries (expected: one SELECT)");
        }
    }

    private void answer(DuckDBConnection connection, Answer answer) throws QueryException, IOException {
        AtomicBoolean late = new AtomicBoolean();
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "query-limit");
            thread.setDaemon(true);
            return thread;
        });
        try (Statement statement = connection.createStatement()) {
            clock.schedule(() -> cancel(statement, late), limits.time().toMillis(), TimeUnit.MILLISECONDS);
            answer.by(statement, late);
        } catch (SQLException failed) {
            if (late.get()) {
                throw tooLate();
            }
            throw new QueryException(Database.message(failed), failed);
        } finally {
            clock.shutdownNow();
        }
    }

    private void read(ResultSet result, ResultSink sink, AtomicBoolean late)
            throws SQLException, IOException, QueryException {
        ResultSetMetaData meta = result.getMetaData();
        List<String> names = new ArrayList<>();
        for (int n = 1; n <= meta.getColumnCount(); n++) {
            names.add(meta.getColumnLabel(n));
        }
        sink.columns(names);
        while (result.next()) {
            List<@Nullable Object> row = new ArrayList<>(names.size());
            for (int n = 1; n <= names.size(); n++) {
                row.add(
                        meta.getColumnType(n) == Types.TIMESTAMP
                                ? moment(result.getObject(n, LocalDateTime.class))
                                : plain(result.getObject(n)));
            }
            if (late.get()) {
                throw tooLate();
            }
            if (!sink.row(row)) {
                break;
            }
        }
        sink.end();
    }

    private QueryException tooLate() {
        return new QueryException("cancelled after " + limits.time().toSeconds()
                + " s (ask for less, for example by a span of time, or allow it more)");
    }

    private static void cancel(Statement statement, AtomicBoolean late) {
        late.set(true);
        try {
            statement.cancel();
        } catch (SQLException ended) {
            // it has its answer
        }
    }

    /** Lists and structures are text. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return value;
        }
        return value.toString();
    }

    /** The store's times are UTC. */
    private static @Nullable String moment(@Nullable LocalDateTime time) {
        return time == null ? null : time.toInstant(ZoneOffset.UTC).toString();
    }

    private static void delete(Path spill) throws IOException {
        try (Stream<Path> files = Files.walk(spill)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException kept) {
                    throw new UncheckedIOException(kept);
                }
            });
        } catch (UncheckedIOException kept) {
            throw kept.getCause();
        }
    }
}
