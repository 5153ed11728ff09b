package dev.understudy.divergence.wire.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** As {@code COMMAND GETKEYS} says it. */
class RedisKeysTest {
    @ParameterizedTest
    @CsvSource({
        "GET a, a",
        "set a b, a",
        "MSET a 1 b 2, a b",
        "MGET a b c, a b c",
        "DEL a b, a b",
        "BLPOP a b 0, a b",
        "BITOP AND d a b, d a b",
        "SMOVE a b m, a b",
        "EVAL script 2 a b x y, a b",
        "EVALSHA sha 0 x, ''",
        "EVAL script 99999999999 a, ''",
        "FCALL f 1 a x, a",
        "ZUNIONSTORE d 2 a b WEIGHTS 1 2, d a b",
        "ZUNION 2 a b, a b",
        "LMPOP 2 a b LEFT, a b",
        "BLMPOP 0 2 a b LEFT, a b",
        "XREAD COUNT 2 STREAMS a b 0 0, a b",
        "XREADGROUP GROUP g c BLOCK 0 STREAMS a >, a",
        "OBJECT ENCODING a, a",
        "MEMORY USAGE a, a",
        "MEMORY DOCTOR, ''",
        "XGROUP CREATE a g $, a",
        "MIGRATE host 6379 a 0 1000, a",
        "GEOSEARCHSTORE d s FROMMEMBER m BYRADIUS 1 m, d s",
        "PING, ''",
        "SELECT 1, ''",
        "MODULE.CMD a, ''",
        "GET, ''"
    })
    void keys_areFoundWhereTheyStand(String command, String keys) {
        assertThat(RedisKeys.of(command(command)).stream()
                        .map(key -> new String(key, StandardCharsets.UTF_8))
                        .collect(Collectors.joining(" ")))
                .isEqualTo(keys);
    }

    @ParameterizedTest
    @CsvSource({"SET a, true", "MSET a, false", "SMOVE a, false", "SMOVE a b, true", "GET, false", "EVAL s, false"})
    void commandCutShort_mayHaveFurtherKeys(String command, boolean ended) {
        RedisCommand cut = command(command);

        assertThat(RedisKeys.endBefore(cut, cut.arguments().size())).isEqualTo(ended);
    }

    private static RedisCommand command(String words) {
        return Objects.requireNonNull(RedisCommand.of(Arrays.stream(words.split(" ", -1))
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toList()));
    }
}
