package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the answer to a Redis command is, beyond its type: in RESP2 a set is an array like any other. */
enum RespAnswer {
    /** What it looks like; the rule. */
    PLAIN,
    /** An array whose order means nothing. */
    MEMBERS,
    /** An array of keys and values by turns, or a map; the order of pairs means nothing. */
    PAIRS,
    /** Made up from the server's own state, or by chance. */
    VOLATILE,
    /** A cursor, which is the server's own, and an array whose order means nothing. */
    SCAN,
    /** The time. */
    CLOCK,
    /** How many seconds are left. */
    SECONDS,
    /** How many milliseconds are left. */
    MILLIS,
    /** An id that begins with the time in milliseconds. */
    STREAM_ID,
    /** The number of the connection. */
    CONNECTION,
    /** The greeting, which holds the number of the connection. */
    GREETING;

    private static final Map<String, RespAnswer> BY_NAME = named();
    private static final Map<String, RespAnswer> BY_TWO_WORDS = twoWords();

    /** What that command is answered with. */
    static RespAnswer of(RedisCommand command) {
        if (command.name().equals("XADD")) {
            return command.arguments().stream().anyMatch(RespAnswer::letsTheServerChoose) ? STREAM_ID : PLAIN;
        }
        RespAnswer named = BY_NAME.get(command.name());
        return named != null ? named : BY_TWO_WORDS.getOrDefault(command.name() + ' ' + command.word(0), PLAIN);
    }

    private static boolean letsTheServerChoose(byte[] argument) {
        return argument.length > 0 && argument[argument.length - 1] == '*';
    }

    private static Map<String, RespAnswer> named() {
        return table(
                Map.of(
                        MEMBERS, "HKEYS HVALS KEYS SDIFF SINTER SMEMBERS SUNION",
                        PAIRS, "HGETALL",
                        VOLATILE,
                                "HRANDFIELD INFO LASTSAVE LATENCY LOLWUT MEMORY RANDOMKEY ROLE SLOWLOG SPOP SRANDMEMBER"
                                        + " WAIT WAITAOF XINFO XPENDING ZRANDMEMBER DEBUG",
                        SCAN, "HSCAN SCAN SSCAN ZSCAN",
                        CLOCK, "TIME",
                        SECONDS, "EXPIRETIME TTL",
                        MILLIS, "PEXPIRETIME PTTL",
                        GREETING, "HELLO"),
                " ");
    }

    private static Map<String, RespAnswer> twoWords() {
        return table(
                Map.of(
                        MEMBERS, "COMMAND LIST,FUNCTION LIST,PUBSUB CHANNELS,PUBSUB SHARDCHANNELS",
                        PAIRS, "CONFIG GET",
                        VOLATILE,
                                "ACL GENPASS,ACL LOG,CLIENT INFO,CLIENT LIST,CLUSTER INFO,CLUSTER LINKS,CLUSTER MYID,"
                                        + "CLUSTER MYSHARDID,CLUSTER NODES,CLUSTER "
                                        + "SHARDS,CLUSTER SLOTS,COMMAND ,COMMAND DOCS,COMMAND INFO,FUNCTION STATS,"
                                        + "OBJECT FREQ,OBJECT IDLETIME",
                        CONNECTION, "CLIENT ID"),
                ",");
    }

    private static Map<String, RespAnswer> table(Map<RespAnswer, String> rows, String between) {
        return rows.entrySet().stream()
                .flatMap(row -> Stream.of(row.getValue().split(between, -1)).map(name -> Map.entry(name, row.getKey())))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
