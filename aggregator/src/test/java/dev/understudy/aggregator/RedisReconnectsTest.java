package dev.understudy.aggregator;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ClientKillParams;

import static org.assertj.core.api.Assertions.assertThat;

/** Subscribers that come one after another, by Jedis against a real Redis. */
@Tag("process")
class RedisReconnectsTest {
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
    }

    @AfterEach
    void stop() {
        aggregator.close();
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void subscribersOneAfterAnother_hearWhatProductionsHeard(RedisProtocol protocol) throws Exception {
        for (int i = 1; i <= 3; i++) {
            assertThat(hear(production(), protocol, "message " + i)).containsExactly("message " + i);
        }
        List<String> heard = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            heard.addAll(hear(debug(), protocol, null));
        }
        assertThat(heard).containsExactly("message 1", "message 2", "message 3");
        assertThat(TestAggregator.status(aggregator)).contains("\"pushed\":3", "\"missed\":0");
    }

    @ParameterizedTest
    @EnumSource(RedisProtocol.class)
    void subscriberThatTheServerEnds_endsInDebugTooAndComesBack(RedisProtocol protocol) throws Exception {
        Subscriber real = new Subscriber();
        Subscriber copy = new Subscriber();
        try (Jedis first = jedis(production(), protocol);
                Jedis twin = jedis(debug(), protocol);
                Jedis direct = jedis(redis.address(), protocol)) {
            CompletableFuture<Void> reals = real.listen(first);
            CompletableFuture<Void> copies = copy.listen(twin);
            real.subscribed.get(60, TimeUnit.SECONDS);
            copy.subscribed.get(60, TimeUnit.SECONDS);
            direct.publish("news", "before");
            Eventually.await(() -> real.heard.size() == 1);
            direct.clientKill(ClientKillParams.clientKillParams().type(ClientType.PUBSUB));
            reals.get(60, TimeUnit.SECONDS);
            copies.get(60, TimeUnit.SECONDS);
        }
        assertThat(hear(production(), protocol, "after")).containsExactly("after");
        assertThat(hear(debug(), protocol, null)).containsExactly("after");
        assertThat(copy.heard).containsExactly("before");
    }

    /** What one subscriber hears first, which then is closed. */
    private static List<String> hear(InetSocketAddress address, RedisProtocol protocol, @Nullable String published)
            throws Exception {
        Subscriber subscriber = new Subscriber();
        CompletableFuture<Void> listens;
        try (Jedis jedis = jedis(address, protocol)) {
            listens = subscriber.listen(jedis);
            subscriber.subscribed.get(60, TimeUnit.SECONDS);
            if (published != null) {
                try (Jedis direct = jedis(redis.address(), protocol)) {
                    direct.publish("news", published);
                }
            }
            Eventually.await(() -> !subscriber.heard.isEmpty() || listens.isDone());
        }
        listens.get(60, TimeUnit.SECONDS);
        return subscriber.heard;
    }

    private InetSocketAddress production() {
        return aggregator.productionAddress("test");
    }

    private InetSocketAddress debug() {
        return (InetSocketAddress) aggregator.debugAddress("test");
    }

    private static Jedis jedis(InetSocketAddress address, RedisProtocol protocol) {
        return new Jedis(
                new HostAndPort(address.getHostString(), address.getPort()),
                DefaultJedisClientConfig.builder()
                        .protocol(protocol)
                        .socketTimeoutMillis(60_000)
                        .build());
    }

    private static final class Subscriber extends JedisPubSub {
        private final List<String> heard = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Void> subscribed = new CompletableFuture<>();

        /** Done once the connection has ended. */
        CompletableFuture<Void> listen(Jedis jedis) {
            return CompletableFuture.runAsync(
                    () -> {
                        try {
                            jedis.subscribe(this, "news");
                        } catch (JedisException ended) {
                            subscribed.complete(null);
                        }
                    },
                    work -> new Thread(work, "subscriber").start());
        }

        @Override
        public void onSubscribe(String channel, int channels) {
            subscribed.complete(null);
        }

        @Override
        public void onMessage(String channel, String message) {
            heard.add(message);
        }
    }
}
