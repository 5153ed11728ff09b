package dev.understudy.observatory.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

    /** What a SELECT may call, and would change or write something by. */
    private static final Set<String> SETTERS = Set.of(
            "enable_logging",
            "disable_logging",
            "truncate_duckdb_logs",
            "write_log",
            "enable_profiling",
            "disable_profiling",
            "checkpoint",
            "force_checkpoint");

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
        run(sql, List.of(), (statement, deadline) -> {
            try (ResultSet result = statement.executeQuery(sql)) {
                read(result, sink, deadline);
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
        try (RemovedAtExit unfinished = RemovedAtExit.of(created)) {
            run(sql, List.of(created), (statement, deadline) -> {
                statement.execute("CREATE TEMP VIEW answer AS " + sql);
                deadline.check();
                statement.execute("COPY answer TO " + Database.quoted(created.toString())
                        + " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)");
            });
            unfinished.keep();
        }
    }

    /** What is done with a query that may be run. */
    private interface Answer {
        void by(Statement statement, Deadline deadline) throws SQLException, IOException, QueryException;
    }

    @SuppressWarnings("try") // they are held
    private void run(String sql, List<Path> writable, Answer answer) throws QueryException, IOException {
        Path spill = Files.createTempDirectory("understudy-ask", OwnerOnly.directory());
        try (RemovedAtExit spilled = RemovedAtExit.of(spill);
                StoreFolder.Reading reading = store.read();
                Deadline deadline = new Deadline(limits.time());
                DuckDBConnection connection = Database.open()) {
            check(connection, sql);
            prepare(connection, wholeSegments(deadline), writable, spill);
            answer(connection, answer, deadline);
        } catch (SQLException closing) {
            throw Database.failure(closing);
        }
    }

    private List<StoreFolder.Segment> wholeSegments(Deadline deadline) throws IOException, QueryException {
        damaged.clear();
        List<StoreFolder.Segment> whole = new ArrayList<>();
        for (StoreFolder.Segment segment : store.segments()) {
            deadline.check();
            try {
                if (StoreFolder.isWhole(segment)) {
                    whole.add(segment);
                } else {
                    damaged.add(segment.file());
                }
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
        for (String function : parsed.findValuesAsText("function_name")) {
            if (SETTERS.contains(function.toLowerCase(Locale.ROOT))) {
                throw new QueryException(function + ": the store is only read");
            }
        }
        int statements = parsed.path("statements").size();
        if (statements != 1) {
            throw new QueryException(statements + " queries (expected: one SELECT)");
        }
    }

    private static void answer(DuckDBConnection connection, Answer answer, Deadline deadline)
            throws QueryException, IOException {
        try (Statement statement = connection.createStatement()) {
            deadline.guard(statement);
            answer.by(statement, deadline);
        } catch (SQLException failed) {
            deadline.check();
            throw new QueryException(Database.message(failed), failed);
        }
    }

    private static void read(ResultSet result, ResultSink sink, Deadline deadline)
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
            deadline.check();
            if (!sink.row(row)) {
                break;
            }
        }
        sink.end();
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
}
