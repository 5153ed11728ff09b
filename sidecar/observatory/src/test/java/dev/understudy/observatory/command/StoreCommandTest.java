package dev.understudy.observatory.command;

import dev.understudy.relay.stream.RecordingFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class StoreCommandTest {
    private static final String HEADER = "micros,interval,processor.busy,memory.used\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path samples;
    private Path recording;

    @BeforeEach
    void write() throws IOException {
        samples = Files.createDirectory(folder.resolve("samples"));
        Files.writeString(
                samples.resolve("host-1764000000000.csv"),
                HEADER + "1764000000000000,50000,0.5,1000\n1764000000050000,50000,,2000\n");
        Files.writeString(
                samples.resolve("host-1764000060000.csv"), HEADER + "1764000060000000,50000,0.25,1000\n1764000060050");
        recording = folder.resolve("web.understudy");
        try (RecordingFile web = new RecordingFile(recording)) {
            web.exchange(1, "/orders/1", 1_000, 3_000);
            web.exchange(2, "/orders/2", 2_000, 3_000);
        }
    }

    @Test
    void whatIsAdded_canBeAskedFor() {
        assertThat(add()).as(err.toString()).isZero();

        assertThat(err.toString()).contains("host-1764000060000.csv").contains("1 lines left out");
        assertThat(ask("SELECT tier, count(*), max(millis) FROM exchanges GROUP BY tier"))
                .contains("web,2,2.0");
        assertThat(ask("SELECT source, metric, count(*) FROM samples GROUP BY ALL ORDER BY metric"))
                .contains("host,memory.used,3", "host,processor.busy,2");
        assertThat(ask("SELECT DISTINCT origin FROM exchanges").get(1)).endsWith("web.understudy");
    }

    @Test
    void whatIsAddedTwice_isThereOnce() {
        assertThat(add()).isZero();
        assertThat(add()).isZero();

        assertThat(ask("SELECT count(*) FROM exchanges")).contains("2");
        assertThat(ask("SELECT count(*) FROM samples")).contains("5");
    }

    @Test
    void damagedSamples_areLeftOutAndNamed() throws IOException {
        Files.writeString(samples.resolve("host-1764000120000.csv"), "what is this");

        assertThat(add()).isEqualTo(1);

        assertThat(err.toString()).contains("left out: ").contains("host-1764000120000.csv");
        assertThat(ask("SELECT count(*) FROM samples")).contains("5");
    }

    @Test
    void sourceThatIsMissing_isNamed_andTheStoreStays() {
        assertThat(add()).isZero();
        assertThat(execute("store", "add", "--store", store(), "--tier", "db=" + folder.resolve("none")))
                .isEqualTo(2);

        assertThat(err.toString()).contains("none: there is no such file");
        assertThat(ask("SELECT count(*) FROM exchanges")).contains("2");
    }

    @Test
    void sourceThatHasBecomeEmpty_deletesNothing() throws IOException {
        assertThat(add()).isZero();
        Files.delete(recording);
        try (RecordingFile empty = new RecordingFile(recording)) {
            assertThat(empty.file()).exists();
        }

        assertThat(add()).isEqualTo(1);

        assertThat(err.toString()).contains("no exchange in it");
        assertThat(ask("SELECT count(*) FROM exchanges")).contains("2");
    }

    @Test
    void storeThatIsntThere_isNoEmptyOne() {
        assertThat(execute("store", "list", "--store", store())).isEqualTo(2);
        assertThat(execute("store", "trim", "--store", store(), "--keep", "1KiB"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no such folder");
        assertThat(Path.of(store())).doesNotExist();
    }

    @Test
    void nothingToAdd_isExplained() {
        assertThat(execute("store", "add", "--store", store())).isEqualTo(2);
        assertThat(err.toString()).contains("expected: --tier or --samples");
        assertThat(execute("store", "add", "--store", store(), "--tier", "web")).isEqualTo(2);
        assertThat(err.toString()).contains("NAME=SOURCE");
        assertThat(execute("store")).isEqualTo(2);
    }

    @Test
    void earliestSegments_makeRoom() throws IOException {
        assertThat(add("--keep", "1KiB")).isZero();

        assertThat(out.toString()).contains("deleted the earliest");
        assertThat(add()).isZero();
        assertThat(execute("store", "trim", "--store", store(), "--keep", "1KiB"))
                .isZero();
        assertThat(out.toString()).contains("deleted 3 segments");
        assertThat(ask("SELECT count(*) FROM exchanges")).contains("0");
    }

    @Test
    void list_namesWhatIsDamaged() throws IOException {
        assertThat(add()).isZero();
        assertThat(execute("store", "list", "--store", store())).isZero();
        assertThat(out.toString()).contains("exchanges  from ", "samples  from 2025-11-24T16:00:00Z", "3 segments");

        try (Stream<Path> files = Files.list(Path.of(store()))) {
            Files.write(
                    files.filter(file -> file.toString().contains("exchanges-"))
                            .findFirst()
                            .orElseThrow(),
                    new byte[9]);
        }
        assertThat(execute("store", "list", "--store", store())).isEqualTo(1);
        assertThat(out.toString()).contains("damaged: exchanges-");
    }

    private int add(String... options) {
        List<String> words = new ArrayList<>(List.of(
                "store", "add", "--store", store(), "--tier", "web=" + recording, "--samples", samples.toString()));
        words.addAll(List.of(options));
        return execute(words.toArray(String[]::new));
    }

    private List<String> ask(String sql) {
        out.getBuffer().setLength(0);
        assertThat(execute("ask", "--store", store(), "--format", "csv", sql))
                .as(err.toString())
                .isZero();
        return out.toString().lines().toList();
    }

    private String store() {
        return folder.resolve("store").toString();
    }

    private int execute(String... words) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }
}
