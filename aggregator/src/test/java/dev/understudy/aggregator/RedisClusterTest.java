package dev.understudy.aggregator;

import dev.understudy.relay.Ports;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/** Two nodes of a real Redis cluster, one of which is the upstream: redirects, slots, functions. */
@Tag("process")
class RedisClusterTest {
    private static final int SLOTS = 16_384;

    /** Of slot 3300, which the first node has. */
    private static final String HERE = "b";

    /** Of slot 15495, which the second node has. */
    private static final String THERE = "a";

    private static final String MIGRATING = "k";
    private static final int MIGRATING_SLOT = 7_629;

    private static final String FUNCTIONS = "#!lua name=shop\n"
            + "redis.register_function('bump', function(keys, args) return "
            + "redis.call('INCRBY', keys[1], args[1]) end)\n"
            + "redis.register_function{function_name='peek', callback=function(keys) return "
            + "redis.call('GET', keys[1]) end,"
            + " flags={'no-writes'}}";

    private static final List<Node> NODES = new ArrayList<>();

    private record Node(Process process, int bus) {}

    @TempDir
    private static Path folder;

    private static int first;
    private static int second;

    private Aggregator aggregator;

    @BeforeAll
    static void startCluster() throws Exception {
        Programs.need("redis-server");
        first = node();
        second = node();
        try (Jedis one = jedis(at(first));
                Jedis other = jedis(at(second))) {
            one.clusterAddSlots(IntStream.range(0, SLOTS / 2).toArray());
            other.clusterAddSlots(IntStream.range(SLOTS / 2, SLOTS).toArray());
            one.sendCommand(
                    Protocol.Command.CLUSTER,
                    "MEET",
                    "127.0.0.1",
                    Integer.toString(second),
                    Integer.toString(NODES.get(1).bus()));
            Eventually.await(() -> clusterIsUp(one) && clusterIsUp(other));
        }
    }

    private static boolean clusterIsUp(Jedis node) {
        return node.clusterInfo().contains("cluster_state:ok")
                && node.clusterInfo().contains("cluster_known_nodes:2");
    }

    private static int node() throws Exception {
        int port = Ports.free();
        int bus = Ports.free();
        Path home = Files.createDirectory(folder.resolve("node-" + port));
        Process process = new ProcessBuilder(
                        "redis-server",
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--dir",
                        home.toString(),
                        "--cluster-enabled",
                        "yes",
                        "--cluster-port",
                        Integer.toString(bus))
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
        NODES.add(new Node(process, bus));
        Eventually.await(() -> answers(port));
        return port;
    }

    private static boolean answers(int port) {
        try (Jedis node = jedis(at(port))) {
            return node.ping().equals("PONG");
        } catch (JedisException notYet) {
            return false;
        }
    }

    @AfterAll
    static void stopCluster() throws InterruptedException {
        for (Node node : NODES) {
            node.process().destroy();
            node.process().waitFor(60, TimeUnit.SECONDS);
        }
    }

    @BeforeEach
    void start() throws IOException {
        aggregator = open("wait: 30s");
    }

    private static Aggregator open(String wait) throws IOException {
        return TestAggregator.open("redis", first, wait);
    }

    @AfterEach
    void stop() {
        aggregator.close();
    }

    @Test
    void redirects_arePassedOnAsProductionSawThem() {
        try (Jedis one = jedis(at(first));
                Jedis other = jedis(at(second))) {
            one.clusterSetSlotMigrating(MIGRATING_SLOT, other.clusterMyId());
            other.clusterSetSlotImporting(MIGRATING_SLOT, one.clusterMyId());
        }
        List<String> real = redirected(aggregator.productionAddress("test"));
        List<String> replayed = redirected(aggregator.debugAddress("test"));

        assertThat(replayed).isEqualTo(real);
        assertThat(real).contains("MOVED 15495 127.0.0.1:" + second, "ASK " + MIGRATING_SLOT + " 127.0.0.1:" + second);
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0", "\"unframed\":{}");
    }

    private static List<String> redirected(SocketAddress address) {
        try (Jedis node = jedis(address)) {
            return List.of(
                    said(() -> node.set(HERE, "1")),
                    said(() -> node.get(HERE)),
                    said(() -> node.get(THERE)),
                    said(() -> node.set(THERE, "1")),
                    said(() -> node.mget(HERE, THERE)),
                    said(() -> node.get(MIGRATING)),
                    said(() -> node.asking()),
                    said(() -> node.readonly()),
                    said(() -> node.readwrite()),
                    said(() -> node.clusterKeySlot(THERE)),
                    said(() -> node.sendCommand(Protocol.Command.CLUSTER, "SLOTS")));
        }
    }

    @Test
    void transactionWithARefusedCommand_isAMiss() throws IOException {
        aggregator.close();
        aggregator = open("wait: 10ms");
        List<String> real = transaction(aggregator.productionAddress("test"));
        List<String> replayed = transaction(aggregator.debugAddress("test"));

        assertThat(real)
                .containsExactly(
                        "OK",
                        "MOVED 15495 127.0.0.1:" + second,
                        "EXECABORT Transaction discarded because of previous errors.");
        assertThat(replayed).element(2, STRING).startsWith("UNDERSTUDY no recorded reply for MULTI; GET a; EXEC");
    }

    private static List<String> transaction(SocketAddress address) {
        try (Jedis node = jedis(address)) {
            return List.of(
                    said(() -> node.sendCommand(Protocol.Command.MULTI)),
                    said(() -> node.sendCommand(Protocol.Command.GET, THERE)),
                    said(() -> node.sendCommand(Protocol.Command.EXEC)));
        }
    }

    @Test
    void functions_areAnsweredAsTheyWere() {
        List<String> real = functions(aggregator.productionAddress("test"));
        List<String> replayed = functions(aggregator.debugAddress("test"));

        assertThat(replayed).isEqualTo(real);
        assertThat(real).contains("shop", "5", "12").anyMatch(said -> said.startsWith("ERR Function not found"));
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0", "\"unframed\":{}");
    }

    private static List<String> functions(SocketAddress address) {
        try (Jedis node = jedis(address)) {
            return List.of(
                    said(() -> node.functionLoadReplace(FUNCTIONS)),
                    said(() -> node.del(HERE)),
                    said(() -> node.fcall("bump", List.of(HERE), List.of("5"))),
                    said(() -> node.fcallReadonly("peek", List.of(HERE), List.of())),
                    said(() -> node.fcall("bump", List.of(HERE), List.of("7"))),
                    said(() -> node.fcall("bump", List.of(THERE), List.of("7"))),
                    said(() -> node.fcall("none", List.of(HERE), List.of())),
                    said(() -> node.functionList("shop").size()),
                    said(() -> node.functionDelete("shop")));
        }
    }

    /** What a call gives, in text: an error's words, too. */
    private static String said(Supplier<?> call) {
        try {
            return text(call.get());
        } catch (JedisDataException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static String text(Object value) {
        if (value instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return value instanceof List<?> list
                ? list.stream().map(RedisClusterTest::text).toList().toString()
                : String.valueOf(value);
    }

    private static Jedis jedis(SocketAddress address) {
        int port = ((InetSocketAddress) address).getPort();
        return new Jedis(
                new HostAndPort("127.0.0.1", port),
                DefaultJedisClientConfig.builder().socketTimeoutMillis(60_000).build());
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }
}
