package dev.understudy.observatory.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StoreQueryTest extends StoreStage {
    @Test
    void zoneOfTheMachine_changesNoTime() throws Exception {
        TimeZone before = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            // 02:30, which clocks in Berlin skipped that night
            add(1, 1_743_301_800_000_000L);
            assertThat(rows("SELECT began, began + INTERVAL 1 hour AS later FROM exchanges"))
                    .containsExactly(List.of("2025-03-30T02:30:00Z", "2025-03-30T03:30:00Z"));
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void tables_areThereWithoutSegments() throws Exception {
        assertThat(rows("SELECT count(*), max(millis) FROM exchanges")).hasSize(1);
        assertThat(rows("SELECT value FROM samples")).isEmpty();
        assertThat(rows("DESCRIBE exchanges")).hasSize(11);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP VIEW exchanges",
                "COPY (SELECT 1) TO 'x.csv'",
                "CREATE TABLE t (a INT)",
                "INSERT INTO exchanges SELECT * FROM exchanges",
                "ATTACH 'x.db'",
                "INSTALL httpfs",
                "SET memory_limit = '1TB'",
                "PRAGMA database_list",
                "SELECT 1; SELECT 2",
                "SELECT 1; DROP VIEW exchanges",
                "",
                ";",
                "SELECT * FROM read_text('/etc/passwd')",
                "SELECT * FROM '/etc/passwd'",
                "SELECT * FROM read_csv('/etc/passwd')",
                "SELECT * FROM read_blob('/proc/self/environ')",
                "SELECT * FROM glob('/etc/*')",
                "SELECT * FROM parquet_metadata('/etc/passwd')",
                "SELECT * FROM sqlite_scan('x', 'y')",
                "SELECT * FROM enable_logging('QueryLog', storage = 'stdout')",
                "SELECT * FROM Enable_Logging('QueryLog', storage = 'file', storage_config = {'path': 'log'})",
                "SELECT (SELECT write_log('x'))",
                "SELEC 1",
                "SELECT nothing FROM exchanges",
                "SELECT '\u0000'",
                "SELECT (((("
            })
    void whatIsNoReading_isRefused(String sql) throws IOException {
        add(3, BEGUN);

        assertThatExceptionOfType(QueryException.class).isThrownBy(() -> rows(sql));
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> query().write(sql, folder.resolve("out.parquet")));
        assertThat(folder.resolve("out.parquet")).doesNotExist();
        assertThat(store().segments()).hasSize(1);
    }

    @Test
    void queryThatTakesTooLong_isCancelled() throws IOException {
        StoreQuery impatient = new StoreQuery(store(), new QueryLimits(Duration.ofMillis(100), 256L << 20, 256L << 20));

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> new StoreQuery(store(), new QueryLimits(Duration.ofMillis(1), 256L << 20, 256L << 20))
                        .run("SELECT 1", new Rows()));
        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> impatient.run(
                        "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range % 7 = b.range % 5",
                        new Rows()))
                .withMessageContaining("cancelled after");
    }

    @Test
    void rowsWithoutEnd_areCancelled() throws IOException {
        StoreQuery impatient = new StoreQuery(store(), new QueryLimits(Duration.ofMillis(500), 256L << 20, 256L << 20));
        ResultSink forgetful = new Rows() {
            @Override
            public boolean row(List<@Nullable Object> values) {
                return true;
            }
        };

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> impatient.run("SELECT * FROM range(1000000000000)", forgetful))
                .withMessageContaining("cancelled after");
    }

    @Test
    void queryThatTakesTooMuchMemory_isRefused() throws IOException {
        StoreQuery small = new StoreQuery(store(), new QueryLimits(Duration.ofMinutes(1), 16L << 20, 1L << 20));

        assertThatExceptionOfType(QueryException.class)
                .isThrownBy(() -> small.run("SELECT list(range) FROM range(50000000)", new Rows()))
                .withMessageContaining("memory");
    }

    @Test
    void parquet_isReadByAnybody() throws Exception {
        add(10, BEGUN);
        Path file = folder.resolve("answer.parquet");
        query().write("SELECT tier, count(*) AS n FROM exchanges GROUP BY tier;", file);

        assertThat(Files.size(file)).isPositive();
        try (var connection = Database.open();
                var statement = connection.createStatement();
                var result = statement.executeQuery("FROM " + Database.quoted(file.toString()))) {
            assertThat(result.next()).isTrue();
            assertThat(result.getLong("n")).isEqualTo(10);
        }
    }
}
