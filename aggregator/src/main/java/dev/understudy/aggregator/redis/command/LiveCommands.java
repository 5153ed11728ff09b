package dev.understudy.aggregator.redis.command;

import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.Set;

/**
 * The commands that a real server may be sent for the debug JVM: they change no key, wait for nothing, and take time in
 * proportion to their keys or their reply at most.
 *
 * <p>Left out are scripts and functions, {@code KEYS}, {@code TOUCH}, {@code PFCOUNT} (which stores what it has
 * counted), {@code XREAD} (which may wait), sorting, and sets that are combined.
 */
public final class LiveCommands {
    private static final Set<String> READING = Set.of("""
            BITCOUNT BITFIELD_RO BITPOS DBSIZE EXISTS EXPIRETIME GEODIST GEOHASH GEOPOS GET GETBIT GETRANGE HEXISTS
            HEXPIRETIME HGET HGETALL HKEYS HLEN HMGET HPEXPIRETIME HPTTL HRANDFIELD HSCAN HSTRLEN HTTL HVALS LINDEX
            LLEN LPOS LRANGE MGET PEXPIRETIME PTTL SCAN SCARD SISMEMBER SMEMBERS SMISMEMBER SRANDMEMBER SSCAN STRLEN
            SUBSTR TIME TTL TYPE XLEN XRANGE XREVRANGE ZCARD ZCOUNT ZLEXCOUNT ZMSCORE ZRANDMEMBER ZRANGE ZRANGEBYLEX
            ZRANGEBYSCORE ZRANK ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN
            ZSCORE""".strip().split("\\s+", -1));

    private LiveCommands() {}

    /** Whether it is one of them, and all of it is here. */
    public static boolean contains(RedisCommand command) {
        return READING.contains(command.name()) && command.hash().length == 0;
    }
}
