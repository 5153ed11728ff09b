package dev.understudy.it.fidelity.redis;

import dev.understudy.it.fidelity.Side;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.resps.ScanResult;

/** Jedis: single commands, pipelines and transactions, one named piece of work each on a connection of its own. */
public final class Jedises implements RedisSuite {
    private final int rounds;

    /** Makes one that does it all so many times, with other keys. */
    public Jedises(int rounds) {
        this.rounds = rounds;
    }

    @Override
    public String name() {
        return "jedis";
    }

    @Override
    public String about() {
        return ("Jedis 7.4.1, %d rounds of single commands, pipelines, transactions and scripts; an "
                        + "operation is one of these")
                .formatted(rounds);
    }

    @Override
    public void run(Side side) {
        for (int round = 0; round < rounds; round++) {
            String key = "key:" + round;
            strings(side, key);
            collections(side, key);
            together(side, key);
        }
    }

    private static void strings(Side side, String key) {
        add(side, key, "set and get", jedis -> jedis.set(key, "value") + jedis.get(key));
        add(
                side,
                key,
                "set if absent",
                jedis -> jedis.set(key, "other", SetParams.setParams().nx().ex(100)));
        add(side, key, "get missing", jedis -> jedis.get(key + ":missing"));
        add(side, key, "count", jedis -> jedis.incr(key + ":n") + jedis.incrBy(key + ":n", 5) + jedis.decr(key + ":n"));
        add(side, key, "count of all", jedis -> jedis.incr("all"));
        add(
                side,
                key,
                "append, length, range",
                jedis -> jedis.append(key, "+") + jedis.strlen(key) + jedis.getrange(key, 1, 3));
        add(side, key, "expiry", jedis -> jedis.expire(key, 1_000) + jedis.ttl(key) + jedis.persist(key));
        add(
                side,
                key,
                "many at once",
                jedis -> jedis.mset(key + ":a", "1", key + ":b", "2") + jedis.mget(key + ":a", key + ":b", "no"));
        add(side, key, "wrong type", jedis -> jedis.lpush(key, "x"));
        add(
                side,
                key,
                "bytes",
                jedis -> jedis.set(new byte[] {0, 13, 10, -1}, key.getBytes(StandardCharsets.US_ASCII)));
        add(
                side,
                key,
                "large value",
                jedis -> jedis.set(key + ":large", "x".repeat(100_000))
                        + jedis.get(key + ":large").hashCode());
        add(side, key, "other database", jedis -> {
            jedis.select(3);
            return jedis.get(key) + jedis.set(key, "third") + jedis.get(key);
        });
        add(side, key, "ping, echo, server's time", jedis -> jedis.ping() + jedis.echo("a") + jedis.time());
        add(side, key, "bits", jedis -> jedis.setbit(key + ":bits", 7, true) + "" + jedis.bitcount(key + ":bits"));
    }

    private static void collections(Side side, String key) {
        add(
                side,
                key,
                "hash",
                jedis -> jedis.hset(key + ":h", new TreeMap<>(Map.of("a", "1", "b", "2"))) + ""
                        + new TreeMap<>(jedis.hgetAll(key + ":h")));
        add(
                side,
                key,
                "list",
                jedis -> jedis.rpush(key + ":l", "a", "b", "c")
                        + jedis.lpop(key + ":l")
                        + jedis.lrange(key + ":l", 0, -1));
        add(side, key, "blocking pop", jedis -> jedis.blpop(1, key + ":l"));
        add(side, key, "blocking pop of nothing", jedis -> jedis.blpop(0.05, key + ":none"));
        add(
                side,
                key,
                "set of members",
                jedis -> jedis.sadd(key + ":s", "a", "b") + "" + new TreeSet<>(jedis.smembers(key + ":s")));
        add(side, key, "random member", jedis -> jedis.srandmember(key + ":s"));
        add(
                side,
                key,
                "sorted set",
                jedis -> jedis.zadd(key + ":z", Map.of("a", 1.5, "b", 0.5)) + ""
                        + jedis.zrangeWithScores(key + ":z", 0, -1));
        add(side, key, "stream", jedis -> {
            StreamEntryID id = jedis.xadd(key + ":x", XAddParams.xAddParams(), Map.of("field", "value"));
            return id + " " + jedis.xlen(key + ":x") + jedis.xrange(key + ":x", "-", "+");
        });
        add(
                side,
                key,
                "places",
                jedis -> jedis.geoadd(key + ":g", 13.4, 52.5, "b") + "" + jedis.geopos(key + ":g", "b"));
        add(side, key, "distinct", jedis -> jedis.pfadd(key + ":p", "a", "b") + jedis.pfcount(key + ":p"));
        add(side, key, "scan", jedis -> {
            TreeSet<String> found = new TreeSet<>();
            String cursor = ScanParams.SCAN_POINTER_START;
            do {
                ScanResult<String> some = jedis.scan(cursor, new ScanParams().match(key + ":*"));
                found.addAll(some.getResult());
                cursor = some.getCursor();
            } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
            return found;
        });
        add(
                side,
                key,
                "delete",
                jedis -> jedis.del(key + ":a", "no") + "" + jedis.exists(key + ":a") + jedis.type(key + ":h"));
    }

    private static void together(Side side, String key) {
        add(side, key, "pipeline", jedis -> {
            Pipeline pipeline = jedis.pipelined();
            Response<Long> count = pipeline.incr(key + ":n");
            Response<String> value = pipeline.get(key);
            Response<List<String>> list = pipeline.lrange(key + ":l", 0, -1);
            pipeline.sync();
            return count.get() + value.get() + list.get();
        });
        add(side, key, "pipeline of 500", jedis -> {
            Pipeline pipeline = jedis.pipelined();
            for (int n = 0; n < 500; n++) {
                pipeline.hincrBy(key + ":many", "field " + n % 10, n);
            }
            return pipeline.syncAndReturnAll().hashCode();
        });
        add(side, key, "transaction", jedis -> {
            Transaction transaction = jedis.multi();
            transaction.incr(key + ":n");
            transaction.get(key);
            transaction.hgetAll(key + ":h");
            return transaction.exec();
        });
        add(side, key, "discarded transaction", jedis -> {
            Transaction transaction = jedis.multi();
            transaction.incr(key + ":n");
            return transaction.discard() + jedis.get(key + ":n");
        });
        add(side, key, "watched transaction", jedis -> {
            jedis.watch(key);
            Transaction transaction = jedis.multi();
            transaction.append(key, "!");
            return transaction.exec();
        });
        add(side, key, "transaction that another one spoils", jedis -> {
            jedis.watch(key);
            try (Jedis other = new Jedis("127.0.0.1", side.port())) {
                other.append(key, "?");
            }
            Transaction transaction = jedis.multi();
            transaction.append(key, "never");
            return transaction.exec();
        });
        add(
                side,
                key,
                "script",
                jedis -> jedis.eval("return {KEYS[1], ARGV[1], redis.call('INCR', KEYS[1])}", 1, key + ":n", "a"));
        add(side, key, "script by its hash", jedis -> {
            String hash = jedis.scriptLoad("return redis.call('GET', KEYS[1])");
            return hash + jedis.evalsha(hash, 1, key);
        });
        add(side, key, "script that fails", jedis -> jedis.eval("return redis.call('NOPE')"));
    }

    private static void add(Side side, String key, String name, Work work) {
        side.transcript().add(name + ", " + key, () -> {
            try (Jedis jedis = new Jedis("127.0.0.1", side.port())) {
                return String.valueOf(work.on(jedis));
            }
        });
    }

    @FunctionalInterface
    private interface Work {
        @Nullable
        Object on(Jedis jedis) throws Exception;
    }
}
