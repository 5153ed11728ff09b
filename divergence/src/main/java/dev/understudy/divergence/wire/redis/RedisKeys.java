package dev.understudy.divergence.wire.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which arguments of a command are keys, as Redis 7 and 8 have it ({@code COMMAND DOCS}, key specifications).
 *
 * <p>A command that isn't in these tables has none that anybody knows of.
 */
public final class RedisKeys {
    private enum At {
        FIRST,
        FIRST_TWO,
        SECOND,
        ALL,
        ALL_BUT_FIRST,
        ALL_BUT_LAST,
        EVERY_OTHER,
        COUNTED_FIRST,
        COUNTED_SECOND,
        TARGET_AND_COUNTED,
        STREAMS,
        MIGRATED
    }

    private static final Map<String, At> TABLE = Map.ofEntries(
                    Map.entry(At.FIRST, """
                            APPEND BITCOUNT BITFIELD BITFIELD_RO BITPOS DECR DECRBY DUMP EXPIRE EXPIREAT EXPIRETIME
                            GEOADD GEODIST GEOHASH GEOPOS GEORADIUS GEORADIUSBYMEMBER GEORADIUSBYMEMBER_RO GEORADIUS_RO
                            GEOSEARCH GET GETBIT GETDEL GETEX GETRANGE GETSET HDEL HEXISTS HEXPIRE HEXPIREAT
                            HEXPIRETIME HGET HGETALL HGETDEL HGETEX HINCRBY HINCRBYFLOAT HKEYS HLEN HMGET HMSET
                            HPERSIST HPEXPIRE HPEXPIREAT HPEXPIRETIME HPTTL HRANDFIELD HSCAN HSET HSETEX HSETNX HSTRLEN
                            HTTL HVALS INCR INCRBY INCRBYFLOAT LINDEX LINSERT LLEN LPOP LPOS LPUSH LPUSHX LRANGE LREM
                            LSET LTRIM MOVE PERSIST PEXPIRE PEXPIREAT PEXPIRETIME PFADD PSETEX PTTL RESTORE RPOP RPUSH
                            RPUSHX SADD SCARD SET SETBIT SETEX SETNX SETRANGE SISMEMBER SMEMBERS SMISMEMBER SORT
                            SORT_RO SPOP SRANDMEMBER SREM SSCAN STRLEN SUBSTR TTL TYPE XACK XADD XAUTOCLAIM XCLAIM XDEL
                            XLEN XPENDING XRANGE XREVRANGE XSETID XTRIM ZADD ZCARD ZCOUNT ZINCRBY ZLEXCOUNT ZMSCORE
                            ZPOPMAX ZPOPMIN ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREM ZREMRANGEBYLEX
                            ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN
                            ZSCORE"""),
                    Map.entry(At.FIRST_TWO, """
                            BLMOVE BRPOPLPUSH COPY GEOSEARCHSTORE LCS LMOVE RENAME RENAMENX RPOPLPUSH SMOVE
                            ZRANGESTORE"""),
                    Map.entry(At.SECOND, "OBJECT XGROUP XINFO"),
                    Map.entry(At.ALL, """
                            DEL EXISTS MGET PFCOUNT PFMERGE SDIFF SDIFFSTORE SINTER SINTERSTORE SUNION SUNIONSTORE
                            TOUCH UNLINK WATCH"""),
                    Map.entry(At.ALL_BUT_FIRST, "BITOP"),
                    Map.entry(At.ALL_BUT_LAST, "BLPOP BRPOP BZPOPMAX BZPOPMIN"),
                    Map.entry(At.EVERY_OTHER, "MSET MSETNX"),
                    Map.entry(At.COUNTED_FIRST, "LMPOP SINTERCARD ZDIFF ZINTER ZINTERCARD ZMPOP ZUNION"),
                    Map.entry(At.COUNTED_SECOND, "BLMPOP BZMPOP EVAL EVALSHA EVALSHA_RO EVAL_RO FCALL FCALL_RO"),
                    Map.entry(At.TARGET_AND_COUNTED, "ZDIFFSTORE ZINTERSTORE ZUNIONSTORE"),
                    Map.entry(At.STREAMS, "XREAD XREADGROUP"),
                    Map.entry(At.MIGRATED, "MIGRATE"))
            .entrySet()
            .stream()
            .flatMap(row ->
                    Stream.of(row.getValue().strip().split("\\s+", -1)).map(name -> Map.entry(name, row.getKey())))
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private RedisKeys() {}

    /** Its keys, as far as its words are there; empty if it has none, or if nobody knows. */
    public static List<byte[]> of(RedisCommand command) {
        List<byte[]> words = command.arguments();
        At at = TABLE.get(command.name());
        if (at == null) {
            boolean named = command.name().equals("MEMORY") && command.word(0).equals("USAGE");
            return named ? part(words, 1, 2) : List.of();
        }
        return switch (at) {
            case FIRST -> part(words, 0, 1);
            case FIRST_TWO -> part(words, 0, 2);
            case SECOND -> part(words, 1, 2);
            case ALL -> words;
            case ALL_BUT_FIRST -> part(words, 1, words.size());
            case ALL_BUT_LAST -> part(words, 0, words.size() - 1);
            case EVERY_OTHER -> everyOther(words);
            case COUNTED_FIRST -> counted(words, 0);
            case COUNTED_SECOND -> counted(words, 1);
            case TARGET_AND_COUNTED -> joined(part(words, 0, 1), counted(words, 1));
            case STREAMS -> streams(command);
            case MIGRATED -> joined(present(part(words, 2, 3)), after(command, "KEYS"));
        };
    }

    /** Whether the words that would follow can't be further keys of it. */
    public static boolean endBefore(RedisCommand command, int words) {
        At at = TABLE.get(command.name());
        return (at == At.FIRST && words > 0) || (at == At.FIRST_TWO && words > 1) || (at == At.SECOND && words > 1);
    }

    private static List<byte[]> part(List<byte[]> words, int from, int to) {
        int end = Math.min(to, words.size());
        return from >= end ? List.of() : words.subList(from, end);
    }

    private static List<byte[]> everyOther(List<byte[]> words) {
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < words.size(); i += 2) {
            keys.add(words.get(i));
        }
        return keys;
    }

    private static List<byte[]> counted(List<byte[]> words, int at) {
        if (at >= words.size() || words.get(at).length > 9) {
            return List.of();
        }
        try {
            int count = Integer.parseInt(new String(words.get(at), StandardCharsets.ISO_8859_1));
            return part(words, at + 1, at + 1 + Math.max(0, count));
        } catch (NumberFormatException refused) {
            return List.of();
        }
    }

    /** The first half of what follows the word STREAMS; the other half are ids. */
    private static List<byte[]> streams(RedisCommand command) {
        List<byte[]> rest = after(command, "STREAMS");
        return part(rest, 0, (rest.size() + 1) / 2);
    }

    private static List<byte[]> after(RedisCommand command, String word) {
        for (int i = 0; i < command.arguments().size(); i++) {
            if (command.word(i).equals(word)) {
                return part(command.arguments(), i + 1, command.arguments().size());
            }
        }
        return List.of();
    }

    private static List<byte[]> present(List<byte[]> words) {
        return words.stream().filter(word -> word.length > 0).toList();
    }

    private static List<byte[]> joined(List<byte[]> some, List<byte[]> more) {
        List<byte[]> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }
}
