package dev.understudy.it.fidelity.redis;

import dev.understudy.it.fidelity.Side;
import io.lettuce.core.KeyValue;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Lettuce with RESP3 and one connection for many threads: synchronous, asynchronous, reactive, flushed by hand,
 * transactions.
 */
public final class Lettuces implements RedisSuite {
    private static final int THREADS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final int keys;

    /** Makes one that works with so many keys. */
    public Lettuces(int keys) {
        this.keys = keys;
    }

    @Override
    public String name() {
        return "lettuce";
    }

    @Override
    public String about() {
        return ("Lettuce 7.5.2 (RESP3), %d keys on %d threads and one connection; an operation is "
                        + "one of 8 pieces of work with a key")
                .formatted(keys, THREADS);
    }

    @Override
    public void run(Side side) throws Exception {
        // both of Netty's native transports are on the class path, and it would say so each time
        System.setProperty("io.lettuce.core.iouring", "false");
        RedisClient client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(side.port())
                .withTimeout(PATIENCE)
                .build());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (StatefulRedisConnection<String, String> shared = client.connect()) {
            List<Future<?>> all = new ArrayList<>();
            for (int n = 0; n < keys; n++) {
                int key = side.inOrder(n, keys);
                all.add(threads.submit(() -> work(side, client, shared, "key:" + key)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    private static void work(
            Side side, RedisClient client, StatefulRedisConnection<String, String> shared, String key) {
        RedisCommands<String, String> redis = shared.sync();
        add(side, "strings", key, () -> redis.set(key, key + "!") + redis.get(key) + redis.get(key + "?"));
        add(
                side,
                "hash",
                key,
                () -> redis.hset(key + ":h", Map.of("a", key)) + "" + new TreeMap<>(redis.hgetall(key + ":h")));
        add(side, "wrong type", key, () -> redis.lpush(key, "x"));
        add(side, "asynchronous", key, () -> asynchronous(shared.async(), key));
        add(
                side,
                "reactive",
                key,
                () -> shared.reactive()
                        .incr(key + ":n")
                        .flatMap(count -> shared.reactive().append(key, "," + count))
                        .then(shared.reactive().get(key))
                        .block(PATIENCE));
        add(
                side,
                "script",
                key,
                () -> redis.eval("return redis.call('STRLEN', KEYS[1])", ScriptOutputType.INTEGER, key));
        add(side, "flushed by hand", key, () -> flushed(client, key));
        add(side, "transaction", key, () -> transaction(client, key));
    }

    private static String asynchronous(RedisAsyncCommands<String, String> redis, String key) {
        RedisFuture<Long> pushed = redis.rpush(key + ":l", "a", "b", "c");
        RedisFuture<String> popped = redis.lpop(key + ":l");
        RedisFuture<List<String>> rest = redis.lrange(key + ":l", 0, -1);
        RedisFuture<List<KeyValue<String, String>>> several = redis.mget(key, key + ":missing");
        LettuceFutures.awaitAll(PATIENCE, pushed, popped, rest, several);
        return pushed.toCompletableFuture().join()
                + popped.toCompletableFuture().join()
                + rest.toCompletableFuture().join()
                + several.toCompletableFuture().join();
    }

    private static String flushed(RedisClient client, String key) {
        try (StatefulRedisConnection<String, String> own = client.connect()) {
            own.setAutoFlushCommands(false);
            List<RedisFuture<?>> all = new ArrayList<>();
            for (int n = 0; n < 50; n++) {
                all.add(own.async().zadd(key + ":z", n, "member " + n));
                all.add(own.async().zcard(key + ":z"));
            }
            own.flushCommands();
            StringBuilder said = new StringBuilder();
            all.forEach(each -> said.append(each.toCompletableFuture().join()).append(' '));
            return said.toString();
        }
    }

    private static String transaction(RedisClient client, String key) {
        try (StatefulRedisConnection<String, String> own = client.connect()) {
            RedisCommands<String, String> redis = own.sync();
            redis.multi();
            redis.incr(key + ":n");
            redis.get(key);
            redis.lpush(key, "not a list");
            TransactionResult results = redis.exec();
            return results.wasDiscarded() + " "
                    + results.stream().map(String::valueOf).toList();
        }
    }

    private static void add(Side side, String name, String key, Callable<Object> work) {
        side.transcript().add(name + ", " + key, () -> String.valueOf(work.call()));
    }
}
