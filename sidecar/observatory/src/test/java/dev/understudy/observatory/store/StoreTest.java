package dev.understudy.observatory.store;

import dev.understudy.observatory.event.TierExchange;
import dev.understudy.observatory.sample.SampleSeries;
import dev.understudy.relay.TinyDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

class StoreTest {
    private static final int SMALL = 5;
    private static final long BEGUN = 1_764_000_000_000_000L;

    @TempDir
    Path folder;

    @Test
    void exchange_comesBackAsItWas() throws Exception {
        try (StoreFolder.Writing writing = store().write();
                StoreWriter writer = new StoreWriter(writing, "web.recording")) {
            writer.add(new TierExchange("web", "GET /o'rders", 7, BEGUN, BEGUN + 1_500, 120, 4_096, 503, true));
            writer.add(new TierExchange("db", "SELECT", 8, BEGUN + 1, BEGUN + 1, 1, 0, 0, false));
            writer.finish();
        }

        assertThat(rows("SELECT * FROM exchanges ORDER BY began"))
                .containsExactly(
                        List.of(
                                "web",
                                "GET /o'rders",
                                7L,
                                "2025-11-24T16:00:00Z",
                                "2025-11-24T16:00:00.001500Z",
                                120L,
                                4_096L,
                                (short) 503,
                                true,
                                "web.recording",
                                1.5),
                        new ArrayList<>(Arrays.asList(
                                "db",
                                "SELECT",
                                8L,
                                "2025-11-24T16:00:00.000001Z",
                                "2025-11-24T16:00:00.000001Z",
                                1L,
                                0L,
                                null,
                                false,
                                "web.recording",
                                0.0)));
    }

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
    void samples_comeBackAsTheyWere() throws Exception {
        try (StoreFolder.Writing writing = store().write();
                StoreWriter writer = new StoreWriter(writing, "host.csv")) {
            writer.add(new SampleSeries(
                    "host", "processor.busy", new long[] {BEGUN, BEGUN + 50_000}, new double[] {0.25, Double.NaN}));
            writer.finish();
        }

        assertThat(rows("SELECT source, metric, value FROM samples ORDER BY taken"))
                .containsExactly(
                        List.of("host", "processor.busy", 0.25), List.of("host", "processor.busy", Double.NaN));
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
    void damagedSegment_isLeftOutAndNamed() throws Exception {
        Path damaged = add(100, BEGUN).get(0).file();
        add(10, BEGUN + 1_000_000_000);
        byte[] bytes = Files.readAllBytes(damaged);
        Random random = new Random(7);
        for (int round = 0; round < 50; round++) {
            byte[] changed = bytes.clone();
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(damaged, round % 5 == 0 ? Arrays.copyOf(changed, round) : changed);
            StoreQuery query = query();
            Rows rows = new Rows();

            query.run("SELECT count(*) FROM exchanges", rows);

            assertThat(query.damaged()).containsExactly(damaged);
            assertThat(rows.all).containsExactly(List.of(10L));
        }
    }

    @Test
    void onlyItsOwner_mayReadIt() throws Exception {
        Path inner = folder.resolve("new/store");
        StoreFolder made = new StoreFolder(inner);
        try (StoreFolder.Writing writing = made.write();
                StoreWriter writer = new StoreWriter(writing, "x")) {
            writer.add(new TierExchange("web", "GET /", 1, BEGUN, BEGUN, 1, 1, 200, true));
            writer.finish();
        }
        query().write("SELECT 1 AS one -- of many", folder.resolve("answer.parquet"));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(inner)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(inner)) {
            assertThat(Stream.concat(files, Stream.of(folder.resolve("answer.parquet")))
                            .toList())
                    .hasSize(4)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void earliestSegments_makeRoom() throws Exception {
        List<StoreFolder.Segment> early = add(1_000, BEGUN);
        List<StoreFolder.Segment> late = add(1_000, BEGUN + 1_000_000_000);
        Files.writeString(folder.resolve("somebody's.parquet"), "no segment");

        try (StoreFolder.Writing writing = store().write()) {
            assertThat(writing.trim(late.get(0).bytes())).containsExactlyElementsOf(early);
        }

        assertThat(store().segments()).containsExactlyElementsOf(late);
        assertThat(folder.resolve("somebody's.parquet")).exists();
    }

    @Test
    void originThatIsAddedAgain_replacesWhatWasThereOfIt() throws Exception {
        add(SMALL, BEGUN);
        add(SMALL, BEGUN + 7);
        add(SMALL, BEGUN);
        add(SMALL + 2, BEGUN);

        assertThat(rows("SELECT count(*) FROM exchanges")).containsExactly(List.of(2L * SMALL + 2));
    }

    @Test
    void rowsThatAreNotFinished_arentThere() throws Exception {
        add(SMALL, BEGUN);

        try (StoreFolder.Writing writing = store().write();
                StoreWriter writer = new StoreWriter(writing, "from " + BEGUN)) {
            writer.add(new TierExchange("web", "GET /", 1, BEGUN, BEGUN, 1, 1, 200, true));
        }

        assertThat(rows("SELECT count(*) FROM exchanges")).containsExactly(List.of((long) SMALL));
    }

    /** Killed between any two steps: the rows are those before, or those after. */
    @Test
    void writerThatWasKilled_leavesTheOneOrTheOther() throws Exception {
        Path before = add(SMALL, BEGUN).get(0).file();
        byte[] rows = Files.readAllBytes(before);
        Path moved = folder.resolve(before.getFileName().toString().replace("-0", "-1"));
        Files.write(moved, rows);
        Files.writeString(folder.resolve(".uncounted"), moved.getFileName() + "\n../etc/passwd\n");

        assertThat(store().segments()).extracting(StoreFolder.Segment::file).containsExactly(before);
        store().write().close();
        assertThat(moved).doesNotExist();

        Files.write(moved, rows);
        Files.writeString(folder.resolve(".uncounted"), before.getFileName() + "\n");
        assertThat(rows("SELECT count(*) FROM exchanges")).containsExactly(List.of((long) SMALL));
        store().write().close();
        assertThat(store().segments()).extracting(StoreFolder.Segment::file).containsExactly(moved);
        assertThat(folder.resolve(".uncounted")).doesNotExist();
    }

    /** What is replaced again and again has all its rows at each moment, and each once. */
    @Test
    void queriesDuringReplacements_seeEachRowOnce() throws Exception {
        add(SMALL, BEGUN);
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Integer> writing = CompletableFuture.supplyAsync(() -> {
            int rounds = 0;
            try {
                for (; !stopped.get(); rounds++) {
                    try (StoreFolder.Writing writer = store().write()) {
                        fill(writer, "from " + BEGUN, rounds % 2, SMALL);
                    }
                }
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            return rounds;
        });
        try {
            for (int round = 0; round < 30; round++) {
                assertThat(rows("SELECT count(*) FROM exchanges")).containsExactly(List.of((long) SMALL));
            }
        } finally {
            stopped.set(true);
        }
        assertThat(writing.get(1, TimeUnit.MINUTES)).isPositive();
    }

    @Test
    void secondWriter_isKeptOut() throws Exception {
        try (StoreFolder.Writing first = store().write()) {
            assertThatIOException().isThrownBy(() -> store().write()).withMessageContaining("another process writes");
            assertThat(first.trim(0)).isEmpty();
        }
        store().write().close();
    }

    @Test
    void writerThatWasKilled_leavesNothingThatIsRead() throws Exception {
        Path left = Files.writeString(folder.resolve(".unfinished-123"), "half a segment");

        assertThat(rows("SELECT count(*) FROM exchanges")).containsExactly(List.of(0L));
        store().write().close();

        assertThat(left).doesNotExist();
    }

    @Test
    void fullDisk_losesNothingElse() throws Exception {
        try (TinyDisk disk = TinyDisk.mount(folder.resolve("disk"))) {
            StoreFolder small = new StoreFolder(disk.folder);
            add(small, 10, BEGUN);

            assertThatIOException().isThrownBy(() -> addNoise(small)).withMessageContaining("No space left");
            assertThat(small.segments()).hasSize(1);
            add(small, 10, BEGUN + 1_000_000);

            Rows rows = new Rows();
            new StoreQuery(small, QueryLimits.USUAL).run("SELECT count(*) FROM exchanges", rows);
            assertThat(rows.all).containsExactly(List.of(20L));
        }
    }

    @Test
    void strangeTexts_areKept() throws Exception {
        Random random = new Random(11);
        List<String> routes = new ArrayList<>();
        try (StoreFolder.Writing writing = store().write();
                StoreWriter writer = new StoreWriter(writing, "x'; DROP VIEW exchanges; --")) {
            for (int n = 0; n < 300; n++) {
                StringBuilder route = new StringBuilder();
                for (int c = random.nextInt(20); c > 0; c--) {
                    route.append((char) random.nextInt(Character.MAX_VALUE + 1));
                }
                routes.add(route.toString());
                writer.add(new TierExchange("t", route.toString(), n, BEGUN + n, BEGUN + n, 0, 0, 200, true));
            }
            writer.finish();
        }

        assertThat(rows("SELECT count(*) FROM exchanges")).containsExactly(List.of((long) routes.size()));
    }

    @Test
    void manyRows_becomeSeveralSegments() throws Exception {
        int rows = StoreWriter.MOST_ROWS + 1;
        assertThat(add(rows, BEGUN)).hasSize(2);

        assertThat(rows("SELECT count(*), count(DISTINCT began) FROM exchanges"))
                .containsExactly(List.of((long) rows, (long) rows));
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

    private List<StoreFolder.Segment> add(int exchanges, long firstMicros) throws IOException {
        return add(store(), exchanges, firstMicros);
    }

    private static List<StoreFolder.Segment> add(StoreFolder store, int exchanges, long firstMicros)
            throws IOException {
        List<StoreFolder.Segment> before = store.segments();
        try (StoreFolder.Writing writing = store.write()) {
            fill(writing, "from " + firstMicros, firstMicros, exchanges);
        }
        return store.segments().stream()
                .filter(segment -> !before.contains(segment))
                .toList();
    }

    private static void fill(StoreFolder.Writing store, String origin, long firstMicros, int exchanges)
            throws IOException {
        try (StoreWriter writer = new StoreWriter(store, origin)) {
            for (int n = 0; n < exchanges; n++) {
                long start = firstMicros + n;
                writer.add(new TierExchange("web", "GET /" + n % 3, n, start, start + n % 1_000, 10, 20, 200, true));
            }
            writer.finish();
        }
    }

    /** More than two megabytes, however it is compressed. */
    private static void addNoise(StoreFolder store) throws IOException {
        Random random = new Random(3);
        try (StoreFolder.Writing writing = store.write();
                StoreWriter writer = new StoreWriter(writing, "noise")) {
            for (int n = 0; n < 400_000; n++) {
                long size = random.nextLong() >>> 1;
                writer.add(new TierExchange("web", "GET /", n, BEGUN + n, BEGUN + n, size, size, 200, true));
            }
            writer.finish();
        }
    }

    private StoreFolder store() {
        return new StoreFolder(folder);
    }

    private StoreQuery query() {
        return new StoreQuery(store(), QueryLimits.USUAL);
    }

    private List<List<@Nullable Object>> rows(String sql) throws QueryException, IOException {
        Rows rows = new Rows();
        query().run(sql, rows);
        return rows.all;
    }

    private static class Rows implements ResultSink {
        final List<List<@Nullable Object>> all = new ArrayList<>();

        @Override
        public void columns(List<String> names) {}

        @Override
        public boolean row(List<@Nullable Object> values) {
            all.add(values);
            return true;
        }

        @Override
        public void end() {}
    }
}
