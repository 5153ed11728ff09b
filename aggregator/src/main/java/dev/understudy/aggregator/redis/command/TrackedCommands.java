package dev.understudy.aggregator.redis.command;

import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.Set;

/**
 * The commands whose keys a server tracks for a client that caches: those that only read, as Redis 7 and 8 flag them.
 */
public final class TrackedCommands {
    private static final Set<String> READING = Set.of("""
            BITCOUNT BITFIELD_RO BITPOS DUMP EVALSHA_RO EVAL_RO EXISTS EXPIRETIME FCALL_RO GEODIST GEOHASH GEOPOS
            GEORADIUSBYMEMBER_RO GEORADIUS_RO GEOSEARCH GET GETBIT GETRANGE HEXISTS HEXPIRETIME HGET HGETALL HKEYS HLEN
            HMGET HPEXPIRETIME HPTTL HRANDFIELD HSCAN HSTRLEN HTTL HVALS LCS LINDEX LLEN LPOS LRANGE MGET OBJECT
            PEXPIRETIME PFCOUNT PTTL SCARD SDIFF SINTER SINTERCARD SISMEMBER SMEMBERS SMISMEMBER SORT_RO SRANDMEMBER
            SSCAN STRLEN SUBSTR SUNION TOUCH TTL TYPE XINFO XLEN XPENDING XRANGE XREAD XREVRANGE ZCARD ZCOUNT ZDIFF
            ZINTER ZINTERCARD ZLEXCOUNT ZMSCORE ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREVRANGE
            ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE ZUNION""".strip().split("\\s+", -1));

    private TrackedCommands() {}

    public static boolean contains(RedisCommand command) {
        return READING.contains(command.name());
    }
}
