package dev.understudy.observatory.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.stream.RecordingFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** From recordings to what is printed: a web tier that waits for a database which stalls for 300 ms. */
final class BottlenecksCommandTest {
    private static final long SECONDS = 20;
    private static final long STALL = 10_000_000;
    private static final long STALL_END = STALL + 300_000;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void freshOutput() {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
    }

    private int run(String... arguments) {
        return new CommandLine(new BottlenecksCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    /** 150 requests a second, each with one call of the database in it, whose clock is so much ahead. */
    private void record(boolean stalls, long dbAhead) throws IOException {
        Random random = new Random(1);
        RecordingFile web = new RecordingFile(folder.resolve("web.rec"));
        RecordingFile db = new RecordingFile(folder.resolve("db.rec"));
        try (web;
                db) {
            long difference = db.epochMicros() - web.epochMicros();
            int connection = 0;
            for (long at = 1_000; at < SECONDS * 1_000_000; at += 1 + random.nextInt(13_332)) {
                long asked = at + 500;
                long left = stalls && asked > STALL && asked < STALL_END ? STALL_END : asked;
                long answered = left + 1_000 + random.nextInt(1_000);
                connection++;
                web.exchange(connection, "/orders/" + connection, at, answered + 400);
                db.exchange(connection, "/row", asked - difference + dbAhead, answered - difference + dbAhead);
            }
            samples(folder, web.epochMicros(), stalls);
        }
    }

    private static void samples(Path folder, long epochMicros, boolean stalls) throws IOException {
        Random random = new Random(2);
        List<String> lines = new ArrayList<>(List.of("micros,interval,disk.sda.busy,cpu.user"));
        for (long at = 50_000; at < SECONDS * 1_000_000; at += 50_000) {
            boolean busy = stalls && at > STALL && at <= STALL_END + 50_000;
            double disk = busy ? 1 : 0.3 * random.nextDouble();
            lines.add((epochMicros + at) + ",50000," + disk + "," + random.nextDouble());
        }
        Files.write(folder.resolve(String.format("host-%013d.csv", epochMicros / 1_000)), lines);
    }

    private String[] tiers(String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("--tier", "web=" + folder.resolve("web.rec"), "--tier", "db=" + folder.resolve("db.rec")));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    @Test
    void aStall_isNamedWithItsTierAndItsResource() throws IOException {
        record(true, 0);
        Path json = folder.resolve("found.json");

        assertThat(run(tiers("--samples", folder.toString(), "--json", json.toString())))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("1 bottlenecks;")
                .contains("began in db")
                .contains("pushed back")
                .contains("resource: host disk.sda.busy")
                .contains("█")
                .doesNotContain("clocks apart");
        JsonNode found = new ObjectMapper().readTree(json.toFile());
        JsonNode first = found.get("bottlenecks").get(0);
        assertThat(first.get("origin").asText()).isEqualTo("db");
        assertThat(first.get("delayedTier").asText()).isEqualTo("web");
        assertThat(first.get("explained").asBoolean()).isTrue();
        assertThat(first.get("resources").get(0).get("metric").asText()).isEqualTo("disk.sda.busy");
        assertThat(first.get("longestMillis").asDouble()).isBetween(290.0, 310.0);
        assertThat(first.get("slowExchanges").asInt()).isGreaterThan(20);
        assertThat(found.get("tiers").get(0).get("name").asText()).isEqualTo("web");
    }

    @Test
    void calmTraffic_hasNoBottleneck() throws IOException {
        record(false, 0);

        assertThat(run(tiers())).isZero();
        assertThat(out.toString()).contains("0 bottlenecks;");
    }

    @Test
    void clocksApart_areMeasuredAndCanBeShifted() throws IOException {
        record(true, 700_000);

        run(tiers());
        assertThat(out.toString()).contains("clocks apart").contains("--shift db=-70");
        freshOutput();
        assertThat(run(tiers("--shift", "db=-700ms"))).isEqualTo(1);
        assertThat(out.toString()).doesNotContain("clocks apart").contains("began in db");
    }

    @Test
    void tiersOfDifferentTimes_areRefusedWithTheirTimes() throws IOException {
        record(true, 3_600_000_000L);

        assertThat(run(tiers())).isEqualTo(2);
        assertThat(err.toString()).contains("web").contains("db").contains("no moment in common");
    }

    @Test
    void samplesOfAnotherTime_areLeftOutAndNamed() throws IOException {
        record(true, 0);
        Path earlier = Files.createDirectory(folder.resolve("earlier"));
        samples(earlier, 1_000_000, true);

        assertThat(run(tiers("--samples", earlier.toString()))).isEqualTo(1);
        assertThat(out.toString()).contains("no sample is between");
    }

    @Test
    void wrongArguments_areNamed() throws IOException {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("--tier");
        freshOutput();
        assertThat(run("--tier", "db")).isEqualTo(2);
        assertThat(err.toString()).contains("NAME=SOURCE");
        freshOutput();
        assertThat(run("--tier", "db=" + folder.resolve("gone.rec"))).isEqualTo(2);
        assertThat(err.toString()).contains("gone.rec");
        freshOutput();
        assertThat(run("--tier", "db=x", "--shift", "bd=10ms")).isEqualTo(2);
        assertThat(err.toString()).contains("--shift bd").contains("db");
        freshOutput();
        assertThat(run("--tier", "db=x", "--window", "soon")).isEqualTo(2);
        assertThat(err.toString()).contains("--window").contains("soon");
        freshOutput();
        try (RecordingFile empty = new RecordingFile(folder.resolve("empty.rec"))) {
            assertThat(empty.file()).exists();
        }
        assertThat(run("--tier", "db=" + folder.resolve("empty.rec"))).isEqualTo(2);
        assertThat(err.toString()).contains("no exchange");
        freshOutput();
        record(false, 0);
        assertThat(run(tiers("--most-exchanges", "10"))).isEqualTo(2);
        assertThat(err.toString()).contains("--most-exchanges");
    }
}
