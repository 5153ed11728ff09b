package dev.understudy.aggregator;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TrackingArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.support.caching.CacheAccessor;
import io.lettuce.core.support.caching.CacheFrontend;
import io.lettuce.core.support.caching.ClientSideCaching;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.params.XReadParams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Subscriptions, blocking commands, scripts, transactions and deep pipelines, by Jedis and Lettuce against a real
 * Redis.
 */
@Tag("process")
class RedisDriversEndToEndTest {
    /** Both sides block at once, and the common pool may have a single thread. */
    private static final Executor OWN_THREAD = work -> new Thread(work, "driver").start();

    private static RedisProgram redis;

    private Aggregator aggregator;

    @BeforeAll
    static void startRedis() throws IOException {
        redis = RedisProgram.start();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.close();
    }

    @BeforeEach
    void start() throws IOException {
        aggregator = TestAggregator.open("redis", redis.port(), "wait: 30s");
        try (Jedis direct = jedis(redis.address(), RedisProtocol.RESP2)) {
            direct.flushAll();
        }
    }

    @AfterEach
    void stop() {
        aggregator.close();
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void jedisSubscriber_isToldWhatItsTwinWasTold(RedisProtocol protocol) throws Exception {
        Heard production = new Heard(3);
        Heard debug = new Heard(3);
        try (Jedis real = jedis(production(), protocol);
                Jedis copy = jedis(debug(), protocol);
                Jedis publisher = jedis(redis.address(), protocol)) {
            CompletableFuture<Void> early =
                    CompletableFuture.runAsync(() -> copy.subscribe(debug, "news", "sport"), OWN_THREAD);
            CompletableFuture<Void> listens =
                    CompletableFuture.runAsync(() -> real.subscribe(production, "news", "sport"), OWN_THREAD);
            production.subscribed.get(60, TimeUnit.SECONDS);
            debug.subscribed.get(60, TimeUnit.SECONDS);
            publisher.publish("news", "one");
            publisher.publish("sport", "twö");
            publisher.publish("elsewhere", "not heard");
            publisher.publish("news", "three");
            listens.get(60, TimeUnit.SECONDS);
            early.get(60, TimeUnit.SECONDS);
        }
        assertThat(debug.said).isEqualTo(production.said).contains("message news one", "message sport twö");
        assertThat(TestAggregator.status(aggregator)).contains("\"pushed\":3", "\"missed\":0", "\"unframed\":{}");
    }

    @Test
    void lettuceSubscriber_hearsPatternsItsCommandsAndWhatCameBefore() throws Exception {
        RedisClient lettuce = RedisClient.create();
        List<String> real = new CopyOnWriteArrayList<>();
        List<String> copied = new CopyOnWriteArrayList<>();
        try (StatefulRedisPubSubConnection<String, String> production = listen(lettuce, production(), real);
                StatefulRedisPubSubConnection<String, String> debug = listen(lettuce, debug(), copied);
                Jedis publisher = jedis(redis.address(), RedisProtocol.RESP3)) {
            production.sync().psubscribe("order.*");
            production.sync().subscribe("news");
            publisher.publish("order.1", "new");
            publisher.publish("news", "early");
            Eventually.await(() -> real.size() == 2);

            debug.sync().subscribe("news");
            debug.sync().psubscribe("order.*");
            assertThat(debug.sync().ping()).isEqualTo("PONG");
            publisher.publish("order.2", "paid");
            production.sync().unsubscribe("news");
            debug.sync().unsubscribe("news");
            publisher.publish("news", "not heard");
            publisher.publish("order.2", "sent");
            Eventually.await(() -> copied.size() == 4);
        } finally {
            lettuce.shutdown(0, 5, TimeUnit.SECONDS);
        }
        assertThat(copied).containsExactly("news early", "order.1 new", "order.2 paid", "order.2 sent");
        assertThat(real).containsExactlyInAnyOrderElementsOf(copied);
    }

    @Test
    void largeBacklog_isToldWholeAndInOrder() throws Exception {
        RedisClient lettuce = RedisClient.create();
        List<String> real = new CopyOnWriteArrayList<>();
        List<String> copied = new CopyOnWriteArrayList<>();
        try (StatefulRedisPubSubConnection<String, String> production = listen(lettuce, production(), real);
                StatefulRedisPubSubConnection<String, String> debug = listen(lettuce, debug(), copied);
                Jedis publisher = jedis(redis.address(), RedisProtocol.RESP3)) {
            production.sync().subscribe("large");
            for (int i = 0; i < 60; i++) {
                publisher.publish("large", i + "x".repeat(50_000));
            }
            Eventually.await(() -> real.size() == 60);
            debug.sync().subscribe("large");
            Eventually.await(() -> copied.size() == 60);
        } finally {
            lettuce.shutdown(0, 5, TimeUnit.SECONDS);
        }
        assertThat(copied).isEqualTo(real);
    }

    @Test
    void lettuceCache_forgetsWhatProductionsCacheForgot() throws Exception {
        RedisClient lettuce = RedisClient.create();
        Map<String, String> real = new ConcurrentHashMap<>();
        Map<String, String> copied = new ConcurrentHashMap<>();
        try (StatefulRedisConnection<String, String> production = lettuce.connect(uri(production()));
                StatefulRedisConnection<String, String> debug = lettuce.connect(uri(debug()));
                Jedis direct = jedis(redis.address(), RedisProtocol.RESP3)) {
            direct.set("price", "1");
            direct.set("stock", "7");
            CacheFrontend<String, String> caches = caching(production, real);
            CacheFrontend<String, String> copies = caching(debug, copied);
            assertThat(caches.get("price") + caches.get("stock")).isEqualTo("17");
            assertThat(copies.get("price") + copies.get("stock")).isEqualTo("17");
            direct.set("price", "2");
            Eventually.await(() -> !real.containsKey("price"));
            Eventually.await(() -> !copied.containsKey("price"));

            assertThat(caches.get("price")).isEqualTo("2");
            assertThat(copies.get("price")).isEqualTo("2");
            assertThat(copied).isEqualTo(real).containsKey("stock");
        } finally {
            lettuce.shutdown(0, 5, TimeUnit.SECONDS);
        }
    }

    private static CacheFrontend<String, String> caching(
            StatefulRedisConnection<String, String> connection, Map<String, String> cache) {
        return ClientSideCaching.enable(CacheAccessor.forMap(cache), connection, TrackingArgs.Builder.enabled());
    }

    private static RedisURI uri(InetSocketAddress address) {
        return RedisURI.create("127.0.0.1", address.getPort());
    }

    @Test
    void blockingCommand_waitsAsLongAsItMayAndIsAnsweredWithProduction() throws Exception {
        aggregator.close();
        aggregator = TestAggregator.open("redis", redis.port(), "wait: 10ms");
        try (Jedis real = jedis(production(), RedisProtocol.RESP3);
                Jedis copy = jedis(debug(), RedisProtocol.RESP3);
                Jedis other = jedis(debug(), RedisProtocol.RESP3);
                Jedis direct = jedis(redis.address(), RedisProtocol.RESP3)) {
            CompletableFuture<List<String>> copied =
                    CompletableFuture.supplyAsync(() -> copy.blpop(20, "jobs"), OWN_THREAD);
            CompletableFuture<List<String>> popped =
                    CompletableFuture.supplyAsync(() -> real.blpop(20, "jobs"), OWN_THREAD);
            assertThatThrownBy(() -> other.get("nothing")).hasMessageContaining("UNDERSTUDY");
            assertThat(copied).isNotDone();
            direct.rpush("jobs", "first");

            assertThat(popped.get(60, TimeUnit.SECONDS)).containsExactly("jobs", "first");
            assertThat(copied.get(60, TimeUnit.SECONDS)).containsExactly("jobs", "first");
        }
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void debugJedis_getsWhatProductionGot(RedisProtocol protocol) {
        List<Object> real;
        List<Object> copied;
        try (Jedis jedis = jedis(production(), protocol)) {
            real = work(jedis);
        }
        try (Jedis jedis = jedis(debug(), protocol)) {
            copied = work(jedis);
        }
        assertThat(copied).isEqualTo(real);
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0", "\"unused\":0", "\"unframed\":{}");
    }

    /** What an application does, and what it got. */
    private static List<Object> work(Jedis redis) {
        List<Object> got = new ArrayList<>();
        redis.clientSetname("worker");
        got.add(redis.clientGetname());
        redis.select(3);
        String add = "return redis.call('INCRBY', KEYS[1], ARGV[1])";
        got.add(redis.eval(add, List.of("n"), List.of("5")));
        String sha = redis.scriptLoad(add);
        got.add(sha);
        got.add(redis.evalsha(sha, List.of("n"), List.of("2")));
        got.add(thrownBy(() -> redis.evalsha("0".repeat(40))));
        // an older server refuses both, in words that are replayed as well
        String function = "#!lua name=lib\nredis.register_function('f', function(k, a) return a[1] end)";
        got.add(thrownBy(() -> redis.functionLoadReplace(function)));
        got.add(thrownBy(() -> redis.fcall("f", List.of(), List.of("x"))));
        redis.watch("n");
        Transaction transaction = redis.multi();
        Response<Long> counted = transaction.incrBy("n", 1);
        transaction.get("n");
        got.add(transaction.exec());
        got.add(counted.get());
        redis.xadd("stream", new StreamEntryID(7, 1), Map.of("a", "b"));
        got.add(redis.xread(XReadParams.xReadParams().block(1).count(10), Map.of("stream", new StreamEntryID(0, 0)))
                .toString());
        got.add(String.valueOf(redis.blpop(0.01, "none")));
        got.add(redis.waitReplicas(0, 10));
        Pipeline pipeline = redis.pipelined();
        for (int i = 0; i < 20_000; i++) {
            pipeline.incr("deep");
        }
        got.add(pipeline.syncAndReturnAll());
        got.add(redis.zadd("z", 1.5, "one"));
        got.add(redis.bzpopmin(1, "z").toString());
        redis.select(0);
        got.add(String.valueOf(redis.get("n")));
        return got;
    }

    private static String thrownBy(Runnable call) {
        try {
            call.run();
            return "nothing";
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static StatefulRedisPubSubConnection<String, String> listen(
            RedisClient lettuce, InetSocketAddress address, List<String> heard) {
        StatefulRedisPubSubConnection<String, String> connection = lettuce.connectPubSub(uri(address));
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                heard.add(channel + " " + message);
            }

            @Override
            public void message(String pattern, String channel, String message) {
                heard.add(channel + " " + message);
            }
        });
        return connection;
    }

    private InetSocketAddress production() {
        return aggregator.productionAddress("test");
    }

    private InetSocketAddress debug() {
        return (InetSocketAddress) aggregator.debugAddress("test");
    }

    private static Jedis jedis(InetSocketAddress address, RedisProtocol protocol) {
        return new Jedis(
                new HostAndPort("127.0.0.1", address.getPort()),
                DefaultJedisClientConfig.builder()
                        .protocol(protocol)
                        .socketTimeoutMillis(60_000)
                        .blockingSocketTimeoutMillis(60_000)
                        .build());
    }

    /** Hears so many messages, and then unsubscribes. */
    private static final class Heard extends JedisPubSub {
        private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
        private final List<String> said = new CopyOnWriteArrayList<>();
        private final int messages;
        private int heard;

        Heard(int messages) {
            this.messages = messages;
        }

        @Override
        public void onSubscribe(String channel, int subscribedChannels) {
            said.add("subscribed " + channel + " " + subscribedChannels);
            if (subscribedChannels == 2) {
                subscribed.complete(null);
            }
        }

        @Override
        public void onMessage(String channel, String message) {
            said.add("message " + channel + " " + message);
            if (++heard == messages) {
                unsubscribe("sport", "news");
            }
        }

        @Override
        public void onUnsubscribe(String channel, int subscribedChannels) {
            said.add("unsubscribed " + channel + " " + subscribedChannels);
        }
    }
}
