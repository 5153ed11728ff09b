package dev.understudy.it.clients;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import dev.understudy.it.stage.RealServer;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Well-known clients, unmodified, through the sidecar: they notice nothing, and the debug side, a real server of the
 * same kind, ends where production's ends.
 */
@Tag("any-jdk")
class ClientsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern CALLS = Pattern.compile("cmdstat_(set|get|lpush|incr|mset):calls=(\\d+)");

    @TempDir
    Path folder;

    @BeforeEach
    void letServersIn() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }

    @Test
    @NeedsPrograms({"redis-server", "redis-cli", "redis-benchmark"})
    void redisBenchmark_runsTheSameCommandsOnBothSides() throws Exception {
        try (RealServer production = RealServer.redis(folder("production"));
                RealServer debug = RealServer.redis(folder("debug"));
                TeeStage stage = TeeStage.open(folder("tee"), "tcp", production.port(), debug.port())) {
            for (String pipeline : List.of("1", "16")) {
                String said = run(
                        "redis-benchmark",
                        "-p",
                        port(stage),
                        "-c",
                        "50",
                        "-n",
                        "5008",
                        "-P",
                        pipeline,
                        "-r",
                        "10000",
                        "-t",
                        "set,get,incr,lpush,mset",
                        "-q");
                assertThat(said).contains("MSET").doesNotContainIgnoringCase("error");
            }

            assertNothingLost(stage.settled());
            List<String> calls = calls(production);
            assertThat(calls).hasSize(5).allMatch(count -> count.matches("\\w+=100\\d\\d"));
            assertThat(calls(debug)).isEqualTo(calls);
        }
    }

    @Test
    @NeedsPrograms({"redis-server", "redis-cli", "redis-benchmark"})
    void redisBenchmark_isComparedCommandByCommand() throws Exception {
        try (RealServer production = RealServer.redis(folder("production"));
                RealServer debug = RealServer.redis(folder("debug"));
                TeeStage stage = TeeStage.open(folder("tee"), "redis", production.port(), debug.port())) {
            // in this order: what connections do to one key at the same time, each server may do in an order of its own
            benchmark(stage, "50", "set,mset");
            stage.settled();
            benchmark(stage, "50", "get");
            stage.settled();
            benchmark(stage, "1", "incr,lpush,rpush,sadd,hset,zadd,lpop,rpop,lrange_100");

            JsonNode status = stage.settled();
            assertNothingLost(status);
            assertThat(status.at("/verdicts/SAME").asInt()).isGreaterThan(12 * 5000);
            assertThat(status.at("/verdicts/DIFFERENT").asInt()).isZero();
            assertThat(status.at("/verdicts/NOT_COMPARED").asInt()).isZero();
            assertThat(status.at("/unframedConnections").asInt()).isZero();
            assertThat(contents(debug)).isEqualTo(contents(production)).contains("myhash", "key:000000000001");
        }
    }

    @Test
    @NeedsPrograms({"redis-server", "redis-cli"})
    void redisCli_isComparedByWhatItsCommandsMean() throws Exception {
        String session = """
                HELLO 3
                SELECT 2
                SADD set a b c d e f g h i j k l m n o p
                SMEMBERS set
                HSET hash a 1 b 2 c 3
                HGETALL hash
                MULTI
                ZADD scores 1.5 a
                ZSCORE scores a
                SMEMBERS set
                EXEC
                EVAL "return redis.call('GET', KEYS[1])" 1 nothing
                GET set
                TIME
                CLIENT ID
                RANDOMKEY
                INFO server
                NOSUCHCOMMAND
                XADD stream * field value
                """;
        Path file = Files.writeString(folder.resolve("session"), session);
        try (RealServer production = RealServer.redis(folder("production"));
                RealServer debug = RealServer.redis(folder("debug"));
                TeeStage stage = TeeStage.open(folder("tee"), "redis", production.port(), debug.port())) {
            String said = run("sh", "-c", Programs.path("redis-cli") + " -p " + port(stage) + " < " + file);
            assertThat(said).contains("WRONGTYPE", "unknown command");

            JsonNode status = stage.settled();
            assertNothingLost(status);
            assertThat(status.at("/verdicts/DIFFERENT").asInt())
                    .as(status.toPrettyString())
                    .isZero();
            assertThat(status.at("/notCompared").toString()).matches("\\{\"VOLATILE\":[123]\\}");
            assertThat(status.at("/verdicts/SAME").asInt()).isGreaterThan(9);
            assertThat(status.at("/verdicts/EQUIVALENT").asInt()).isGreaterThan(2);
        }
    }

    @Test
    @NeedsPrograms({"redis-server", "redis-cli"})
    void redisCli_loadsInBulkOnBothSides() throws Exception {
        StringBuilder commands = new StringBuilder();
        for (int n = 0; n < 50_000; n++) {
            commands.append("SET key:").append(n).append(" value-").append(n).append('\n');
        }
        Path file = Files.writeString(folder.resolve("commands"), commands);
        try (RealServer production = RealServer.redis(folder("production"));
                RealServer debug = RealServer.redis(folder("debug"));
                TeeStage stage = TeeStage.open(folder("tee"), "tcp", production.port(), debug.port())) {
            String said = run("sh", "-c", Programs.path("redis-cli") + " -p " + port(stage) + " --pipe < " + file);
            assertThat(said).contains("errors: 0, replies: 50000");

            assertNothingLost(stage.settled());
            for (RealServer server : List.of(production, debug)) {
                assertThat(redis(server, "DBSIZE").strip()).isEqualTo("50000");
                assertThat(redis(server, "GET", "key:49999").strip()).isEqualTo("value-49999");
            }
        }
    }

    @Test
    @NeedsPrograms({"initdb", "postgres", "psql", "pgbench"})
    void pgbench_commitsTheSameTransactionsOnBothSides() throws Exception {
        try (RealServer production = RealServer.postgres(folder("production"));
                RealServer debug = RealServer.postgres(folder("debug"));
                TeeStage stage = TeeStage.open(folder("tee"), "tcp", production.port(), debug.port())) {
            pgbench(stage, "-i", "-q");
            for (String protocol : List.of("simple", "extended", "prepared")) {
                pgbench(stage, "-n", "-c", "4", "-j", "2", "-t", "200", "-M", protocol);
            }

            assertNothingLost(stage.settled());
            String history = "SELECT count(*), sum(delta) FROM pgbench_history";
            String sums = psql(production, history);
            assertThat(sums).startsWith("2400|");
            assertThat(psql(debug, history)).isEqualTo(sums);
            String balances = "SELECT sum(abalance), (SELECT sum(tbalance) FROM pgbench_tellers) FROM pgbench_accounts";
            assertThat(psql(debug, balances)).isEqualTo(psql(production, balances));
        }
    }

    @Test
    @NeedsPrograms({"mariadb-install-db", "mariadbd", "mariadb", "mariadb-slap"})
    void mariadbSlap_leavesTheSameRowsOnBothSides() throws Exception {
        try (RealServer production = RealServer.mariadb(folder("production"));
                RealServer debug = RealServer.mariadb(folder("debug"));
                TeeStage stage = TeeStage.open(folder("tee"), "tcp", production.port(), debug.port())) {
            run(
                    "mariadb-slap",
                    "--no-defaults",
                    "--host=127.0.0.1",
                    "--port=" + port(stage),
                    "--skip-ssl",
                    "--auto-generate-sql",
                    "--auto-generate-sql-load-type=mixed",
                    "--concurrency=8",
                    "--number-of-queries=1600",
                    "--no-drop");

            assertNothingLost(stage.settled());
            String rows = mariadb(production, "SELECT COUNT(*) FROM mysqlslap.t1");
            assertThat(Integer.parseInt(rows.strip())).isGreaterThan(100);
            assertThat(mariadb(debug, "SELECT COUNT(*) FROM mysqlslap.t1")).isEqualTo(rows);
        }
    }

    @Test
    @NeedsPrograms({"nginx", "curl"})
    void curl_getsTheFilesWholeByHttp1AndHttp2() throws Exception {
        Path files = folder("files");
        byte[] content = new byte[5_000_000];
        new Random(7).nextBytes(content);
        Files.write(files.resolve("file"), content);
        for (boolean http2 : List.of(false, true)) {
            String version = http2 ? "--http2-prior-knowledge" : "--http1.1";
            Path productionFolder = folder("production" + version);
            Path debugFolder = folder("debug" + version);
            try (RealServer production = RealServer.nginx(productionFolder, files, http2);
                    RealServer debug = RealServer.nginx(debugFolder, files, http2);
                    TeeStage stage = TeeStage.open(folder("tee" + version), "http", production.port(), debug.port())) {
                Path got = folder.resolve("got" + version);
                for (int n = 0; n < 3; n++) {
                    run(
                            "curl",
                            "-sS",
                            version,
                            "--fail",
                            "-o",
                            got.toString(),
                            "http://127.0.0.1:" + port(stage) + "/file");
                    assertThat(Files.mismatch(got, files.resolve("file"))).isEqualTo(-1);
                }

                JsonNode status = stage.settled();
                assertNothingLost(status);
                assertThat(status.at("/verdicts/DIFFERENT").asInt())
                        .as(status.toPrettyString())
                        .isZero();
                assertThat(status.at("/unframedConnections").asInt())
                        .as(status.toPrettyString())
                        .isZero();
                assertThat(status.at("/exchanges/debug").asInt())
                        .as(status.toPrettyString())
                        .isEqualTo(3);
                // a line is written after the last byte of its answer
                await("lines of the logs")
                        .atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(requests(debugFolder))
                                .isEqualTo(requests(productionFolder))
                                .hasSize(3));
            }
        }
    }

    private static List<String> requests(Path server) throws IOException {
        return Files.readAllLines(server.resolve("access.log")).stream()
                .map(line -> line.replaceAll("\\[.*?]", ""))
                .toList();
    }

    private static void benchmark(TeeStage stage, String connections, String tests) throws Exception {
        String[] line = {
            "redis-benchmark",
            "-p",
            port(stage),
            "-c",
            connections,
            "-n",
            "5008",
            "-P",
            "16",
            "-r",
            "10000",
            "-t",
            tests,
            "-q"
        };
        assertThat(run(line)).doesNotContainIgnoringCase("error");
    }

    /** All keys, in order, with what {@code DUMP} says of those whose order is the same in every server. */
    private static String contents(RealServer redis) throws Exception {
        String script =
                "local keys = redis.call('KEYS', '*') table.sort(keys) local all = {} for _, key in ipairs(keys) do"
                        + " local value = '' local type = redis.call('TYPE', key).ok"
                        + " if type == 'string' or type == 'list' or type == 'zset' then value "
                        + "= redis.call('DUMP', key) end"
                        + " all[#all + 1] = key .. ' ' .. type .. ' ' .. redis.sha1hex(value) "
                        + "end return table.concat(all, '\\n')";
        return redis(redis, "EVAL", script, "0");
    }

    private static List<String> calls(RealServer redis) throws Exception {
        Matcher counted = CALLS.matcher(redis(redis, "INFO", "commandstats"));
        List<String> calls = new ArrayList<>();
        while (counted.find()) {
            calls.add(counted.group(1) + "=" + counted.group(2));
        }
        calls.sort(null);
        return calls;
    }

    private static void pgbench(TeeStage stage, String... options) throws Exception {
        List<String> line = new ArrayList<>(List.of("pgbench", "-h", "127.0.0.1", "-p", port(stage), "-U", "bench"));
        line.addAll(List.of(options));
        line.add("postgres");
        run(line.toArray(String[]::new));
    }

    private static String psql(RealServer server, String query) throws Exception {
        return run(
                "psql",
                "-h",
                "127.0.0.1",
                "-p",
                String.valueOf(server.port()),
                "-U",
                "bench",
                "-At",
                "-c",
                query,
                "postgres");
    }

    private static String mariadb(RealServer server, String query) throws Exception {
        return run(
                "mariadb",
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + server.port(),
                "--skip-ssl",
                "-N",
                "-B",
                "-e",
                query);
    }

    private static String redis(RealServer server, String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("redis-cli", "-p", String.valueOf(server.port())));
        line.addAll(List.of(command));
        return run(line.toArray(String[]::new));
    }

    private static void assertNothingLost(JsonNode status) {
        assertThat(status.at("/losses")).as(status.toPrettyString()).isEmpty();
        assertThat(status.at("/fidelity").asText()).startsWith("faithful");
    }

    private static String port(TeeStage stage) {
        return String.valueOf(stage.port());
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    private static String run(String... command) throws Exception {
        Path log = Files.createTempFile("understudy-client", ".log");
        List<String> line = new ArrayList<>(List.of(command));
        line.set(0, Programs.path(command[0]));
        try (Child child = Child.start(log, line)) {
            int code = child.exitCode(PATIENCE);
            assertThat(code).as(line + "\n" + child.output()).isZero();
            return child.output();
        } finally {
            Files.delete(log);
        }
    }
}
