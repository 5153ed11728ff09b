package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.record.Unrecorded;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.aggregator.redis.RedisSides.CONFIRMED;
import static dev.understudy.aggregator.redis.RedisSides.heard;
import static dev.understudy.aggregator.redis.RedisSides.invalidate;
import static dev.understudy.aggregator.redis.RedisSides.message;
import static org.assertj.core.api.Assertions.assertThat;

/** What a connection has agreed on with its server, and how that tells its commands from others; byte by byte. */
class RedisAgreementsTest {
    private final RedisSides sides = new RedisSides();

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void repliesThatAreSwitchedOff_leaveTheOthersInStep() {
        sides.production(
                "CLIENT REPLY SKIP\r\nSET a 1\r\nGET a\r\nCLIENT REPLY OFF\r\nSET a 2\r\nCLIENT REPLY ON\r\nGET a\r\n");
        sides.server("$1\r\n1\r\n+OK\r\n$1\r\n2\r\n");

        assertThat(sides.test.recorded.exchanges()).isEqualTo(2);
        assertThat(sides.test.recorded.unrecorded(Unrecorded.UNANSWERED)).isEqualTo(2);
        assertThat(sides.debug("CLIENT REPLY SKIP\r\nSET a 1\r\nGET a\r\n")).isEqualTo("$1\r\n1\r\n");
        assertThat(sides.debug("CLIENT REPLY OFF\r\nSET a 2\r\nCLIENT REPLY ON\r\nGET a\r\n"))
                .isEqualTo("+OK\r\n$1\r\n2\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1", "MULTI", "SUBSCRIBE a", "HELLO 3", "MONITOR"})
    void stateThatChangesUnanswered_endsTheRecording(String command) {
        sides.production("CLIENT REPLY SKIP\r\n" + command + "\r\nGET a\r\n");
        sides.server("$1\r\n1\r\n");

        assertThat(sides.test.recorded.unrecorded(Unrecorded.UNANSWERED)).isEqualTo(1);
        assertThat(sides.test.recorded.exchanges()).isZero();
    }

    @Test
    void silenceThatIsRefused_endsTheRecording() {
        sides.production("CLIENT REPLY SKIP\r\nSET a 1\r\nGET a\r\n");
        sides.server("-NOPERM this user has no permissions\r\n+OK\r\n$1\r\n1\r\n");

        assertThat(sides.test.recorded.unrecorded(Unrecorded.UNANSWERED)).isEqualTo(2);
        assertThat(sides.test.recorded.exchanges()).isZero();
    }

    @Test
    void askedCommand_isAnotherThanOneThatWasNot() {
        sides.production("GET k\r\nASKING\r\nGET k\r\nGET k\r\n");
        sides.server("-MOVED 7629 127.0.0.1:7001\r\n+OK\r\n$1\r\nv\r\n-MOVED 7629 127.0.0.1:7002\r\n");

        assertThat(sides.debug("ASKING\r\nGET k\r\nGET k\r\nGET k\r\n"))
                .isEqualTo("+OK\r\n$1\r\nv\r\n-MOVED 7629 127.0.0.1:7001\r\n-MOVED 7629 127.0.0.1:7002\r\n");
    }

    @Test
    void watchedKeys_arePartOfTheTransaction() {
        sides.production("WATCH k\r\nMULTI\r\nINCR k\r\nEXEC\r\nMULTI\r\nINCR k\r\nEXEC\r\n");
        sides.server("+OK\r\n+OK\r\n+QUEUED\r\n*-1\r\n+OK\r\n+QUEUED\r\n*1\r\n:2\r\n");

        assertThat(sides.debug("MULTI\r\nINCR k\r\nEXEC\r\n")).endsWith("*1\r\n:2\r\n");
        assertThat(sides.debug("WATCH k\r\nMULTI\r\nINCR k\r\nEXEC\r\n")).endsWith("*-1\r\n");
    }

    @ParameterizedTest
    @ValueSource(longs = {84, 85, 86})
    void anyWordsOfBothSides_throwNothing(long seed) {
        Random random = new Random(seed);
        String[] commands = {
            "SUBSCRIBE a b",
            "UNSUBSCRIBE",
            "PSUBSCRIBE *",
            "PUNSUBSCRIBE a",
            "SSUBSCRIBE",
            "MULTI",
            "EXEC",
            "DISCARD",
            "RESET",
            "HELLO 3",
            "HELLO 2",
            "PING",
            "GET a",
            "CLIENT REPLY SKIP",
            "CLIENT REPLY OFF",
            "CLIENT REPLY ON",
            "CLIENT TRACKING ON",
            "CLIENT TRACKING OFF",
            "CLIENT CACHING YES",
            "WATCH a",
            "ASKING",
            "SELECT 1",
            "BLPOP a 0"
        };
        String[] replies = {
            CONFIRMED,
            "+OK\r\n",
            "+QUEUED\r\n",
            "*-1\r\n",
            "$-1\r\n",
            "-ERR no\r\n",
            message("a", "1"),
            "*0\r\n",
            ">0\r\n",
            ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n",
            ">2\r\n$10\r\ninvalidate\r\n_\r\n",
            invalidate("a"),
            "_\r\n",
            ">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\n1\r\n",
            "*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n",
            "%0\r\n"
        };
        for (int round = 0; round < 2_000; round++) {
            RedisRecorder recorder = sides.recorder();
            EmbeddedChannel channel = sides.connect();
            for (int step = 0; step < 20; step++) {
                String command = commands[random.nextInt(commands.length)] + "\r\n";
                if (random.nextInt(3) > 0) {
                    recorder.request(bytes(command), 1);
                    recorder.reply(bytes(replies[random.nextInt(replies.length)]), 2);
                } else if (channel.isOpen()) {
                    heard(channel, command);
                }
            }
            recorder.closed(2);
            channel.finishAndReleaseAll();
            assertThat(sides.subscriptions.bytes())
                    .as("seed %d, round %d", seed, round)
                    .isBetween(0L, 2_000L);
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
