package dev.understudy.aggregator;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("process")
class RedisEndToEndTest {
    private static RedisProgram redis;
    private static RedisClient lettuce;

    private Aggregator aggregator;

    @BeforeAll
    static void startRedis() throws IOException {
        redis = RedisProgram.start();
        lettuce = RedisClient.create();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        lettuce.shutdown(0, 5, TimeUnit.SECONDS);
        redis.close();
    }

    @BeforeEach
    void start() throws IOException {
        aggregator = TestAggregator.open("redis", redis.port(), "wait: 1m");
        try (StatefulRedisConnection<String, String> direct = connect(redis.address())) {
            direct.sync().flushall();
            direct.sync().configResetstat();
        }
    }

    @AfterEach
    void stop() {
        aggregator.close();
    }

    @Test
    void debugClient_getsWhatProductionGotAndRedisServesProductionOnly() throws Exception {
        List<Object> real;
        List<Object> replayed;
        try (StatefulRedisConnection<String, String> production = production()) {
            real = work(production);
        }
        String before = commandStatistics();
        try (StatefulRedisConnection<String, String> debug = debug()) {
            replayed = work(debug);
        }

        assertThat(replayed).isEqualTo(real);
        assertThat(commandStatistics()).isEqualTo(before).contains("cmdstat_incr:calls=4");
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0", "\"unused\":0");
    }

    @Test
    void database_isPartOfTheForm() {
        try (StatefulRedisConnection<String, String> production = production();
                StatefulRedisConnection<String, String> debug = debug()) {
            production.sync().select(1);
            production.sync().set("key", "of database 1");
            production.sync().get("key");
            production.sync().select(0);
            production.sync().get("key");

            assertThat(debug.sync().get("key")).isNull();
            debug.sync().select(1);
            assertThat(debug.sync().get("key")).isEqualTo("of database 1");
        }
    }

    @Test
    void commandThatProductionNeverSent_failsInRedisWords() throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open("redis", redis.port(), "wait: 1ms");
        try (StatefulRedisConnection<String, String> production = production()) {
            production.sync().get("order:1");
        }
        TestAggregator.awaitRecorded(aggregator, 1);
        try (StatefulRedisConnection<String, String> debug = debug()) {
            assertThatThrownBy(() -> debug.sync().get("order:2"))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageStartingWith("UNDERSTUDY no recorded reply for GET order:2");
            assertThat(debug.sync().get("order:1")).isNull();
        }
        assertThat(TestAggregator.get(aggregator, "/v1/misses")).contains("\"form\":\"GET order:2", "GET order:1");
    }

    @Test
    void command_waitsForProduction() throws Exception {
        try (StatefulRedisConnection<String, String> production = production();
                StatefulRedisConnection<String, String> debug = debug()) {
            debug.sync().ping();
            String before = requests();
            CompletableFuture<Long> early = debug.async().incr("counter").toCompletableFuture();
            Eventually.await(() -> !requests().equals(before));
            assertThat(early).isNotDone();

            production.sync().incr("counter");

            assertThat(early.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    @Test
    void formRule_leavesOutWhatDiffersBetweenTheTwoJvms() throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open(
                "redis",
                redis.port(),
                "wait: 1ms",
                "form: { ignore-ttl: true, ignore-arguments: [PUBLISH 2], ignore-keys: ['session:*'] }");
        try (StatefulRedisConnection<String, String> production = production()) {
            production.sync().set("session:1", "shared", SetArgs.Builder.ex(60));
            production.sync().get("session:1");
        }
        TestAggregator.awaitRecorded(aggregator, 1);
        try (StatefulRedisConnection<String, String> debug = debug()) {
            assertThat(debug.sync().set("session:2", "shared", SetArgs.Builder.ex(59)))
                    .isEqualTo("OK");
            assertThat(debug.sync().get("session:2")).isEqualTo("shared");
            assertThatThrownBy(() -> debug.sync().get("user:2")).hasMessageContaining("UNDERSTUDY");
        }
        String rule =
                "command; arguments without PUBLISH 2, without times to live; of keys like session:* only so much";
        assertThat(TestAggregator.status(aggregator)).contains(rule);
        assertThat(TestAggregator.get(aggregator, "/v1/matches/1")).contains(rule);
    }

    @Test
    void repeatLast_appliesToReadsOnly() throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open("redis", redis.port(), "wait: 1ms", "miss: repeat-last");
        try (StatefulRedisConnection<String, String> production = production()) {
            production.sync().set("key", "value");
            production.sync().get("key");
        }
        TestAggregator.awaitRecorded(aggregator, 1);
        try (StatefulRedisConnection<String, String> debug = debug()) {
            debug.sync().set("key", "value");
            assertThat(debug.sync().get("key")).isEqualTo("value");
            assertThat(debug.sync().get("key")).isEqualTo("value");
            assertThatThrownBy(() -> debug.sync().set("key", "value")).hasMessageContaining("UNDERSTUDY");
        }
        assertThat(TestAggregator.status(aggregator)).contains("\"repeated\":1", "\"missed\":1");
    }

    @Test
    void credentials_areAcceptedAndNeverKept() throws Exception {
        RedisURI uri = RedisURI.builder(uri((InetSocketAddress) aggregator.debugAddress("test")))
                .withAuthentication("anybody", "s3cret")
                .build();
        try (StatefulRedisConnection<String, String> debug = lettuce.connect(uri)) {
            assertThat(debug.sync().ping()).isEqualTo("PONG");
        }
        assertThat(TestAggregator.get(aggregator, "/v1/misses")).doesNotContain("s3cret");
    }

    /** What an application does, and what it got. */
    private static List<Object> work(StatefulRedisConnection<String, String> connection) throws Exception {
        RedisCommands<String, String> redis = connection.sync();
        List<Object> got = new ArrayList<>();
        got.add(redis.ping());
        got.add(redis.incr("counter"));
        got.add(redis.incr("counter"));
        got.add(redis.incr("counter"));
        got.add(redis.set("key", "välue\r\n", SetArgs.Builder.ex(100)));
        got.add(redis.get("key"));
        got.add(String.valueOf(redis.get("nothing")));
        got.add(redis.hset("hash", "field", "1"));
        got.add(redis.hgetall("hash"));
        got.add(redis.lpush("list", "a", "b", "c"));
        got.add(redis.lrange("list", 0, -1));
        got.add(redis.set("large", "x".repeat(300_000)));
        got.add(redis.get("large"));
        redis.multi();
        redis.incr("counter");
        redis.get("key");
        got.add(redis.exec().stream().toList());
        try {
            redis.lpush("key", "wrong type");
        } catch (RedisCommandExecutionException e) {
            got.add(e.getMessage());
        }
        RedisAsyncCommands<String, String> pipeline = connection.async();
        connection.setAutoFlushCommands(false);
        List<Future<?>> replies = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            replies.add(pipeline.set("p" + i, "v" + i));
            replies.add(pipeline.get("p" + i));
        }
        connection.flushCommands();
        connection.setAutoFlushCommands(true);
        for (Future<?> reply : replies) {
            got.add(reply.get(60, TimeUnit.SECONDS));
        }
        return got;
    }

    private String requests() {
        return TestAggregator.status(aggregator).replaceAll(".*\"requests\":(\\d+).*", "$1");
    }

    private static String commandStatistics() {
        try (StatefulRedisConnection<String, String> direct = connect(redis.address())) {
            return direct.sync()
                    .info("commandstats")
                    .lines()
                    .filter(line -> !line.contains("cmdstat_info")
                            && !line.contains("cmdstat_hello")
                            && !line.contains("cmdstat_client")
                            && !line.contains("cmdstat_config"))
                    .map(line -> line.replaceAll(",.*", ""))
                    .sorted()
                    .toList()
                    .toString();
        }
    }

    private StatefulRedisConnection<String, String> production() {
        return connect(aggregator.productionAddress("test"));
    }

    private StatefulRedisConnection<String, String> debug() {
        return connect((InetSocketAddress) aggregator.debugAddress("test"));
    }

    private static StatefulRedisConnection<String, String> connect(InetSocketAddress address) {
        return lettuce.connect(uri(address));
    }

    private static RedisURI uri(InetSocketAddress address) {
        return RedisURI.create("127.0.0.1", address.getPort());
    }
}
