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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

class StoreTest extends StoreStage {
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
                    .hasSize(5)
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

    /** Replaces all rows again and again, and says how often. */
    private CompletableFuture<Integer> replacing(AtomicBoolean stopped) {
        return CompletableFuture.supplyAsync(() -> {
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
    }

    /** What is replaced again and again has all its rows at each moment, and each once. */
    @Test
    void queriesDuringReplacements_seeEachRowOnce() throws Exception {
        add(SMALL, BEGUN);
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Integer> writing = replacing(stopped);
        try {
            for (int round = 0; round < 30; round++) {
                assertThat(rows("SELECT count(*) FROM exchanges")).containsExactly(List.of((long) SMALL));
            }
        } finally {
            stopped.set(true);
        }
        assertThat(writing.get(1, TimeUnit.MINUTES)).isPositive();
    }

    /** What counts is read and the folder listed one after the other; a writer may change both in between. */
    @Test
    void looksDuringReplacements_findOneSegment() throws Exception {
        add(SMALL, BEGUN);
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Integer> writing = replacing(stopped);
        try {
            for (int look = 0; look < 3_000; look++) {
                assertThat(store().segments()).hasSize(1);
            }
        } finally {
            stopped.set(true);
        }
        assertThat(writing.get(1, TimeUnit.MINUTES)).isPositive();
    }

    @Test
    void whoReadsForTooLong_isntWaitedForWithoutEnd() throws Exception {
        add(SMALL, BEGUN);
        StoreFolder hasty = new StoreFolder(folder, Duration.ofMillis(50));
        StoreFolder.Writing writing = hasty.write();
        try (writing;
                StoreFolder.Reading reading = store().read()) {
            assertThat(reading).isNotNull();
            assertThatIOException().isThrownBy(() -> writing.trim(0)).withMessageContaining("still reads");
        }
        assertThat(store().segments()).hasSize(1);
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
}
