package dev.understudy.it.exhaust;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.it.fidelity.server.MariaDbServer;
import dev.understudy.it.fidelity.server.PostgresServer;
import dev.understudy.it.fidelity.server.RedisServer;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import dev.understudy.it.stage.NeedsPrograms;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An aggregator of 256 MiB, in one process, whose debug ports are asked for all that they may hold, answers production
 * as if nothing was. One class, since all ports are asked at the same time.
 */
@Tag("any-jdk")
class DebugPortIT {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int MOST_SECONDS = 20;
    private static final int PHASE_SECONDS = 3;
    private static final Pattern PORTS =
            Pattern.compile("(redis|postgres|mysql) production=127\\.0\\.0\\.1:(\\d+) debug=127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern CONTROL = Pattern.compile("control=(\\S+)");
    private static final String LONG = "x".repeat(200_000);
    private static final byte[] PIECE = new byte[100_000];

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Talk> attackers = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> debug = new HashMap<>();
    private URI control = URI.create("http://localhost");

    @TempDir
    Path folder;

    /** Says something to a debug port, as long as it is let. */
    @FunctionalInterface
    private interface Attack {
        void on(Talk talk) throws IOException;
    }

    /** Attacks of one kind, on as many connections as it takes. */
    @FunctionalInterface
    private interface Attacks {
        void begin() throws IOException;
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    @NeedsPrograms({"redis-server", "postgres", "initdb", "mariadbd", "mariadb-install-db", "mariadb"})
    void debugPortsThatAreAskedForAll_leaveProductionItsOwn() throws Exception {
        try (RedisServer redis = RedisServer.start(folder);
                PostgresServer postgres = PostgresServer.start(folder);
                MariaDbServer mariadb = MariaDbServer.start(folder);
                Child aggregator =
                        start(Map.of("redis", redis.port(), "postgres", postgres.port(), "mysql", mariadb.port()))) {
            Map<String, Integer> production = ports(aggregator.output());
            List<Traffic> all = List.of(
                    new Traffic("redis", redis.port(), port(production, "redis"), redisRequests()),
                    new Traffic("postgres", postgres.port(), port(production, "postgres"), postgresRequests()),
                    new Traffic("mysql", mariadb.port(), port(production, "mysql"), mysqlRequests()));
            // what this machine makes anybody wait
            Traffic direct = new Traffic("redis", redis.port(), redis.port(), redisRequests());
            direct.begin(threads, 1);
            all.forEach(traffic -> traffic.begin(threads, 3));
            await().atMost(PATIENCE).until(() -> all.stream().allMatch(traffic -> traffic.answered() > 100));

            List<Attacks> phases = List.of(
                    this::attackTransactions,
                    this::attackUnfinished,
                    this::attackStatements,
                    this::attackPortals,
                    this::attackMySqlStatements,
                    this::attackOutput,
                    this::attackTexts,
                    this::attackPorts);
            for (Attacks phase : phases) {
                phase.begin();
                lookAtMemory(aggregator);
                await().atMost(PATIENCE).until(this::isOver);
            }
            all.forEach(Traffic::end);
            direct.end();
            for (Traffic traffic : all) {
                assertThat(traffic.failures()).as(aggregator.output()).isEmpty();
                assertThat(traffic.longestSeconds()).isLessThan(MOST_SECONDS + 3 * direct.longestSeconds());
                assertThat(traffic.answered()).isGreaterThan(1_000);
            }
            for (JsonNode upstream : status().get("upstreams")) {
                assertThat(upstream.at("/debug/limited").size())
                        .as(upstream.toString())
                        .isPositive();
            }
            try (Talk talk = Talk.open("redis", port(debug, "redis"))) {
                talk.send("PING\r\n");
                assertThat(new String(talk.read(7), StandardCharsets.US_ASCII)).isEqualTo("+PONG\r\n");
            }
            assertThat(aggregator.output()).doesNotContain("OutOfMemoryError");
        }
    }

    /** Throughout a phase: debug connections hold memory at some time, and never more than they may. */
    private void lookAtMemory(Child aggregator) throws Exception {
        long most = 0;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PHASE_SECONDS);
        while (most == 0 || System.nanoTime() < end) {
            assertThat(aggregator.process().isAlive()).as(aggregator.output()).isTrue();
            JsonNode held = status().get("debugMemory");
            long used = held.get("usedBytes").asLong();
            assertThat(used).isLessThanOrEqualTo(held.get("capacityBytes").asLong());
            assertThat(System.nanoTime() - end).as("nobody attacks").isLessThan(PATIENCE.toNanos());
            most = Math.max(most, used);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static List<byte[]> redisRequests() {
        return List.of(
                ascii("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5000\r\n" + "v".repeat(5_000) + "\r\n"),
                ascii("GET k\r\n"),
                ascii("MULTI\r\nGET k\r\nEXEC\r\n"),
                ascii("GET none\r\n"));
    }

    private static List<byte[]> postgresRequests() {
        return List.of(
                Talk.postgres(query("SELECT repeat('v', 5000), n FROM generate_series(1, 20) n")),
                Talk.postgres(query("SELECT 1")),
                Talk.postgres(query("SELECT nothing")));
    }

    private static List<byte[]> mysqlRequests() {
        return List.of(
                Talk.mysql(3, "SELECT repeat('v', 5000), seq FROM seq_1_to_20"),
                Talk.mysql(3, "SELECT 1"),
                Talk.mysql(3, "SELECT nothing"));
    }

    private void attackTransactions() {
        String set = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$200000\r\n" + LONG + "\r\n";
        attack(66, "redis", talk -> {
            talk.send("MULTI\r\n");
            for (int n = 0; n < 26; n++) {
                talk.send(set); // 5 MiB: a transaction of more isn't recorded with a heap of this size
            }
        });
    }

    private void attackUnfinished() {
        attack(30, "redis", talk -> {
            talk.send("*2\r\n$3\r\nGET\r\n$1000000000\r\n");
            flood(talk);
        });
        attack(30, "redis", talk -> {
            talk.send("*1000000\r\n$4\r\nMGET\r\n");
            while (true) {
                talk.send("$0\r\n\r\n".repeat(10_000));
            }
        });
        attack(60, "postgres", talk -> {
            talk.send(new PgWriter().int8('F').int32(5_000_000).toBytes());
            for (int n = 0; n < 49; n++) {
                talk.send(PIECE);
            }
        });
        attack(60, "mysql", talk -> {
            talk.send(new MySqlWriter().int24(5_000_000).int8(0).int8(3).toBytes());
            for (int n = 0; n < 49; n++) {
                talk.send(PIECE);
            }
        });
    }

    private void attackStatements() {
        attack(33, "postgres", talk -> {
            for (int n = 0; n < 100; n++) {
                talk.send(Talk.postgres(parse("s" + n, "SELECT '" + LONG + "'"), new PgMessage('S', new byte[0])));
            }
        });
    }

    private void attackPortals() {
        attack(33, "postgres", talk -> {
            talk.send(Talk.postgres(query("BEGIN"), parse("s", "SELECT $1")));
            for (int n = 0; n < 100; n++) {
                PgMessage bind = new PgWriter()
                        .string("p" + n)
                        .string("s")
                        .int16(0)
                        .int16(1)
                        .value(PIECE)
                        .int16(0)
                        .toMessage('B');
                talk.send(Talk.postgres(bind, new PgMessage('H', new byte[0])));
            }
        });
    }

    private void attackMySqlStatements() {
        attack(33, "mysql", talk -> {
            for (int n = 0; n < 400; n++) {
                talk.send(Talk.mysql(22, "SET NAMES '" + "x".repeat(20_000) + "'"));
            }
        });
    }

    private void attackOutput() {
        attackWithoutReading(100, "redis", talk -> {
            while (true) {
                talk.send("*50001\r\n$11\r\nUNSUBSCRIBE\r\n" + "$1\r\na\r\n".repeat(50_000));
            }
        });
        attackWithoutReading(30, "redis", talk -> {
            while (true) {
                talk.send("*2\r\n$4\r\nECHO\r\n$200000\r\n" + LONG + "\r\n");
            }
        });
        attackWithoutReading(30, "postgres", talk -> {
            while (true) {
                talk.send(postgresRequests().get(0));
            }
        });
        attackWithoutReading(30, "mysql", talk -> {
            while (true) {
                talk.send(mysqlRequests().get(0));
            }
        });
    }

    private void attackTexts() {
        String text = "a;".repeat(1_000_000);
        attack(10, "postgres", talk -> {
            while (true) {
                talk.send(Talk.postgres(query(text)));
            }
        });
        attack(10, "mysql", talk -> {
            while (true) {
                talk.send(Talk.mysql(3, text));
            }
        });
        attack(10, "postgres", talk -> {
            for (int n = 0; ; n++) {
                talk.send(Talk.postgres(query("SET a.b" + n + " = '" + "x".repeat(10_000) + "'")));
            }
        });
    }

    private static void flood(Talk talk) throws IOException {
        while (true) {
            talk.send(PIECE);
        }
    }

    /** Connections that say nothing, or begin TLS and don't go on. */
    private void attackPorts() throws IOException {
        for (int n = 0; n < 1_200; n++) {
            try {
                Talk talk = Talk.silent(
                        port(debug, List.of("redis", "postgres", "mysql").get(n % 3)));
                attackers.add(talk);
                if (n % 4 == 0) {
                    talk.send(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1});
                }
            } catch (IOException refused) {
                // as it should be
            }
        }
    }

    private void attack(int connections, String protocol, Attack attack) {
        for (int n = 0; n < connections; n++) {
            begin(protocol, attack, true);
        }
    }

    private void attackWithoutReading(int connections, String protocol, Attack attack) {
        for (int n = 0; n < connections; n++) {
            begin(protocol, attack, false);
        }
    }

    private void begin(String protocol, Attack attack, boolean reading) {
        threads.execute(() -> {
            try {
                Talk talk = Talk.open(protocol, port(debug, protocol), reading);
                attackers.add(talk);
                if (reading) {
                    threads.execute(talk::drain);
                }
                attack.on(talk);
            } catch (IOException refused) {
                // as it should be
            }
        });
    }

    private Child start(Map<String, Integer> servers) throws IOException {
        StringBuilder settings = new StringBuilder("""
                control: { listen: 127.0.0.1:0, anonymous: admin }
                tap: { carrier: inline }
                upstreams:
                """);
        servers.forEach((protocol, port) -> settings.append("""
                  - { name: %1$s, protocol: %1$s, wait: 2s, debug: { listen: "127.0.0.1:0" },
                      production: { listen: "127.0.0.1:0", upstream: "127.0.0.1:%2$d" } }
                """.formatted(protocol, port)));
        Path file = Files.writeString(folder.resolve("aggregator.yaml"), settings);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Child child = Child.start(
                folder.resolve("aggregator.log"),
                List.of(
                        java,
                        "-Xmx256m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--enable-native-access=ALL-UNNAMED",
                        "-jar",
                        jar().toString(),
                        "--config",
                        file.toString()));
        await().atMost(PATIENCE)
                .until(() ->
                        child.output().contains("ready:") || !child.process().isAlive());
        return child;
    }

    private static Path jar() throws IOException {
        try (Stream<Path> files =
                Files.list(Checkout.root().resolve("aggregator").resolve("target"))) {
            return files.filter(file -> file.getFileName().toString().matches("aggregator-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Production's ports; those of the debug side and the control port are kept. */
    private Map<String, Integer> ports(String ready) {
        Map<String, Integer> production = new HashMap<>();
        Matcher found = PORTS.matcher(ready);
        while (found.find()) {
            production.put(found.group(1), Integer.parseInt(found.group(2)));
            debug.put(found.group(1), Integer.parseInt(found.group(3)));
        }
        Matcher address = CONTROL.matcher(ready);
        assertThat(address.find()).as(ready).isTrue();
        control = URI.create("http://" + address.group(1));
        return production;
    }

    /** Ends the attack, those that come late included; true once nothing is held for it. */
    private boolean isOver() throws IOException, InterruptedException {
        for (Talk attacker = attackers.poll(); attacker != null; attacker = attackers.poll()) {
            attacker.close();
        }
        return status().at("/debugMemory/usedBytes").asLong() == 0;
    }

    private static int port(Map<String, Integer> ports, String protocol) {
        return Objects.requireNonNull(ports.get(protocol), protocol);
    }

    private JsonNode status() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(control.resolve("/v1/status")).build();
        return new ObjectMapper()
                .readTree(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .body());
    }

    private static PgMessage query(String sql) {
        return new PgWriter().string(sql).toMessage('Q');
    }

    private static PgMessage parse(String name, String sql) {
        return new PgWriter().string(name).string(sql).int16(0).toMessage('P');
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
