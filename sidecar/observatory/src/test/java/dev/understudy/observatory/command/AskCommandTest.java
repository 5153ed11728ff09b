package dev.understudy.observatory.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.observatory.event.TierExchange;
import dev.understudy.observatory.store.StoreFolder;
import dev.understudy.observatory.store.StoreWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class AskCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @BeforeEach
    void fill() throws IOException {
        try (StoreFolder.Writing writing = new StoreFolder(folder.resolve("store")).write();
                StoreWriter writer = new StoreWriter(writing, "web.recording")) {
            writer.add(new TierExchange("web", "GET /a,\"b\"", 1, 1_000_000, 3_500_000, 1, 2, 200, true));
            writer.add(new TierExchange("db", "SELECT", 2, 2_000_000, 2_000_000, 1, 2, 0, false));
            writer.finish();
        }
    }

    @Test
    void table_isForPeople() {
        assertThat(ask("SELECT tier, status, millis FROM exchanges ORDER BY began"))
                .isZero();

        assertThat(out.toString()).isEqualTo("""
                tier  status  millis
                web   200     2500.0
                db    -       0.0
                """);
    }

    @Test
    void table_saysWhatItCuts() {
        assertThat(ask("SELECT range, repeat('x', 100) AS long FROM range(2000)"))
                .isZero();

        assertThat(out.toString().lines()).hasSize(1_002).last().asString().contains("--format csv");
        assertThat(out.toString().lines()).allMatch(line -> line.length() < 100);
    }

    @Test
    void controlCharacters_dontReachTheTerminal() {
        assertThat(ask("SELECT chr(27) || '[2J' AS route")).isZero();

        assertThat(out.toString()).isEqualTo("route\n\uFFFD[2J\n");
    }

    @Test
    void fileThatIsntThere_isNoStackTrace() {
        assertThat(execute("--file", folder.resolve("none.sql").toString())).isEqualTo(2);

        assertThat(err.toString()).contains("none.sql").doesNotContain("\tat ");
    }

    @Test
    void csv_isQuotedWhereItMustBe() {
        assertThat(ask("SELECT route, status FROM exchanges ORDER BY began", "--format", "csv"))
                .isZero();

        assertThat(out.toString()).isEqualTo("route,status\r\n\"GET /a,\"\"b\"\"\",200\r\nSELECT,\r\n");
    }

    @Test
    void csv_keepsEmptyFields() {
        assertThat(ask("SELECT '' AS a, 1 AS b, NULL AS c", "--format", "csv")).isZero();

        assertThat(out.toString()).isEqualTo("a,b,c\r\n,1,\r\n");
    }

    @Test
    void json_isAnArray() throws IOException {
        assertThat(ask(
                        "SELECT *, 'nan'::FLOAT AS none, [1, 2] AS list FROM exchanges ORDER BY began",
                        "--format",
                        "json"))
                .isZero();

        JsonNode rows = new ObjectMapper().readTree(out.toString());
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0).path("millis").asDouble()).isEqualTo(2_500);
        assertThat(rows.get(0).path("began").asText()).isEqualTo("1970-01-01T00:00:01Z");
        assertThat(rows.get(0).path("none").isNull()).isTrue();
        assertThat(rows.get(0).path("list").asText()).isEqualTo("[1, 2]");
        assertThat(rows.get(1).path("status").isNull()).isTrue();
        assertThat(rows.get(1).path("sure").isBoolean()).isTrue();
    }

    @Test
    void answer_goesToANewFileOfItsOwner() throws IOException {
        for (String format : List.of("table", "csv", "json", "parquet")) {
            Path file = folder.resolve("answer." + format);
            assertThat(ask("SELECT 1 AS one", "--format", format, "--out", file.toString()))
                    .isZero();
            assertThat(file).isNotEmptyFile();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");

            byte[] before = Files.readAllBytes(file);
            assertThat(ask("SELECT 2 AS two", "--format", format, "--out", file.toString()))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("exists already");
            assertThat(file).hasBinaryContent(before);
        }
    }

    @Test
    void queryThatFails_leavesNoFile() {
        for (String format : List.of("csv", "json", "parquet")) {
            Path file = folder.resolve("answer");
            assertThat(ask("SELECT nothing FROM exchanges", "--format", format, "--out", file.toString()))
                    .isEqualTo(2);
            assertThat(file).doesNotExist();
        }
        assertThat(err.toString()).contains("nothing");
    }

    @Test
    void query_isReadFromAFile() throws IOException {
        Path file =
                Files.writeString(folder.resolve("query.sql"), "-- how many\nSELECT count(*) AS n FROM exchanges;\n");

        assertThat(execute("--file", file.toString())).isZero();

        assertThat(out.toString()).isEqualTo("n\n2\n");
    }

    @Test
    void queryThatIsNone_isExplained() {
        assertThat(execute()).isEqualTo(2);
        assertThat(err.toString()).contains("expected: a query, or --file FILE");
        assertThat(ask("SELECT 1", "--format", "parquet")).isEqualTo(2);
        assertThat(err.toString()).contains("needs --out");
        assertThat(ask("DROP VIEW exchanges")).isEqualTo(2);
        assertThat(err.toString()).contains("a query is one SELECT");
    }

    @Test
    void damagedSegment_isNamed() throws IOException {
        Path segment =
                new StoreFolder(folder.resolve("store")).segments().get(0).file();
        Files.write(segment, new byte[100]);

        assertThat(ask("SELECT count(*) AS n FROM exchanges")).isEqualTo(1);

        assertThat(out.toString()).isEqualTo("n\n0\n");
        assertThat(err.toString()).contains(segment.getFileName().toString()).contains("left out");
    }

    @Test
    void missingStore_isNoEmptyOne() {
        assertThat(commandLine()
                        .execute("ask", "--store", folder.resolve("none").toString(), "SELECT 1"))
                .isEqualTo(2);

        assertThat(err.toString()).contains("no such folder");
    }

    private int ask(String sql, String... options) {
        List<String> words = new ArrayList<>(List.of(options));
        words.add(sql);
        return execute(words.toArray(String[]::new));
    }

    private int execute(String... words) {
        List<String> all = new ArrayList<>(
                List.of("ask", "--store", folder.resolve("store").toString()));
        all.addAll(List.of(words));
        return commandLine().execute(all.toArray(String[]::new));
    }

    private CommandLine commandLine() {
        return Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    }
}
