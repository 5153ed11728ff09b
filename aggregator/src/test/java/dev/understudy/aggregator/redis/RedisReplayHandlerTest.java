package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.push.Subscriptions;
import dev.understudy.divergence.wire.redis.RespValue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RedisReplayHandlerTest {
    private final TestJournal<RedisReply> test = new TestJournal<>(10_000);
    private final Subscriptions subscriptions = new Subscriptions(10_000, 1_000_000, () -> 2);
    private final RedisSharing shared = new RedisSharing(subscriptions);
    private EmbeddedChannel channel;

    @BeforeEach
    void connect() {
        channel = new EmbeddedChannel();
        channel.pipeline().addLast(new RedisReplayHandler(channel, test.replay(), shared, RedisRule.DEFAULT));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @CsvSource({
        "PING, '+PONG\r\n'",
        "PING hello, '$5\r\nhello\r\n'",
        "ECHO x, '$1\r\nx\r\n'",
        "AUTH any thing, '+OK\r\n'",
        "CLIENT SETNAME a, '+OK\r\n'",
        "CLIENT GETNAME, '$-1\r\n'",
        "SELECT 3, '+OK\r\n'",
        "WATCH a, '+OK\r\n'",
        "RESET, '+RESET\r\n'",
        "HELLO 4, '-NOPROTO unsupported protocol version\r\n'",
        "EXEC, '-ERR EXEC without MULTI\r\n'",
        "DISCARD, '-ERR DISCARD without MULTI\r\n'"
    })
    void localCommand_isAnsweredHere(String command, String answer) {
        assertThat(ask(command + "\r\n")).isEqualTo(answer);
        assertThat(test.replayed.local()).isEqualTo(1);
        assertThat(test.replayed.missed()).isZero();
    }

    @Test
    void hello_isProductionsWithThisConnectionsNumber() {
        test.journal
                .common()
                .share(
                        "HELLO 3",
                        new RespValue.Mapping(java.util.List.of(
                                new RespValue.Entry(bulk("version"), bulk("9.9.9")),
                                new RespValue.Entry(bulk("id"), new RespValue.Int(4711)))));

        assertThat(ask("HELLO 3\r\n"))
                .contains("9.9.9")
                .contains("id\r\n:1000000000001\r\n")
                .doesNotContain("4711");
    }

    @Test
    void hello_withoutProductionsIsMadeUp() {
        assertThat(ask("HELLO 2\r\n")).startsWith("*14\r\n").contains("proto\r\n:2\r\n");
        assertThat(ask("HELLO 3\r\n")).startsWith("%7\r\n").contains("proto\r\n:3\r\n");
    }

    @Test
    void hello_thatAnOldServerRefusedIsRefused() {
        RedisRecorder recorder = new RedisRecorder(test.recording(), shared, RedisRule.DEFAULT);
        recorder.request(bytes("HELLO 3 SETNAME a\r\n").nioBuffer(), 1);
        recorder.reply(bytes("-ERR unknown command\r\n").nioBuffer(), 2);

        assertThat(ask("HELLO 3\r\n")).isEqualTo("-ERR unknown command\r\n");
    }

    @Test
    void transaction_isReplayedAsAWhole() {
        RedisRecorder recorder = new RedisRecorder(test.recording(), shared, RedisRule.DEFAULT);
        recorder.request(bytes("MULTI\r\nINCR a\r\nEXEC\r\n").nioBuffer(), 1);
        recorder.reply(bytes("+OK\r\n+QUEUED\r\n*1\r\n:7\r\n").nioBuffer(), 2);

        assertThat(ask("MULTI\r\nINCR a\r\nEXEC\r\n")).isEqualTo("+OK\r\n+QUEUED\r\n*1\r\n:7\r\n");
        assertThat(ask("MULTI\r\nINCR a\r\nDISCARD\r\n")).isEqualTo("+OK\r\n+QUEUED\r\n+OK\r\n");
    }

    @Test
    void miss_isAnErrorInOneLine() {
        assertThat(ask("*2\r\n$3\r\nGET\r\n$4\r\na\r\nb\r\n"))
                .startsWith("-UNDERSTUDY no recorded reply for GET a..b")
                .endsWith("\r\n")
                .hasLineCount(1);
        assertThat(ask("PING\r\n")).isEqualTo("+PONG\r\n");
    }

    @Test
    void subscriptionThatProductionNeverMade_isAMiss() {
        assertThat(ask("SUBSCRIBE a\r\n")).startsWith("-UNDERSTUDY");
        assertThat(test.replayed.missed()).isEqualTo(1);
        assertThat(test.misses.latest(1))
                .singleElement()
                .satisfies(miss -> assertThat(miss.form()).contains("SUBSCRIBE"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CLIENT TRACKING ON",
                "client tracking on bcast",
                "CLIENT TRACKING ON REDIRECT 7",
                "MONITOR",
                "SYNC"
            })
    void whatMakesTheServerSpeakUnasked_isRefusedAndCounted(String command) {
        assertThat(ask(command + "\r\n")).startsWith("-UNDERSTUDY");
        assertThat(test.replayed.missed()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*1\r\n:1\r\n", "+OK\r\n", "$5\r\nhello\r\n", "*1\r\n$99999999\r\n", "*1\r\n\0\0"})
    void garbage_getsAProtocolErrorAndTheEnd(String garbage) {
        assertThat(ask("PING\r\n" + garbage))
                .startsWith("+PONG\r\n-ERR Protocol error")
                .hasLineCount(2);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void blockingCommand_waitsAsLongAsItSays() {
        try (RedisSides sides = new RedisSides()) {
            assertThat(sides.debug("BLPOP a 20\r\n")).isEmpty();
            sides.production("BLPOP a 20\r\n");
            sides.server("*2\r\n$1\r\na\r\n$1\r\nv\r\n");

            assertThat(sides.debug("")).isEqualTo("*2\r\n$1\r\na\r\n$1\r\nv\r\n");
        }
    }

    @Test
    void transactionLargerThanWhatIsRecorded_isRefused() {
        try (RedisSides sides = new RedisSides()) {
            String set = "SET a " + "x".repeat(4_000) + "\r\n";

            assertThat(sides.debug("MULTI\r\n" + set + set + set))
                    .isEqualTo("+OK\r\n+QUEUED\r\n+QUEUED\r\n-ERR transaction larger than what is recorded\r\n");
        }
    }

    @Test
    void quit_isTheEnd() {
        assertThat(ask("QUIT\r\nPING\r\n")).isEqualTo("+OK\r\n");
        assertThat(channel.isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {41, 42, 43})
    void anyBytes_throwNothing(long seed) {
        Random random = new Random(seed);
        String alphabet = "*$+-:%>_\r\n0123abGETMULTIEXECSELECTHELLO ";
        for (int round = 0; round < 1_000; round++) {
            close();
            connect();
            for (int i = 0; i < 10 && channel.isOpen(); i++) {
                StringBuilder bytes = new StringBuilder();
                for (int n = random.nextInt(40); n > 0; n--) {
                    bytes.append(alphabet.charAt(random.nextInt(alphabet.length())));
                }
                channel.writeInbound(bytes(bytes.toString()));
            }
            channel.checkException();
        }
        assertThat(test.replayed.replayed()).as("seed %d", seed).isZero();
    }

    private String ask(String request) {
        channel.writeInbound(bytes(request));
        channel.checkException();
        StringBuilder answer = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            answer.append(out.toString(StandardCharsets.UTF_8));
            out.release();
        }
        return answer.toString();
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    private static RespValue bulk(String text) {
        return new RespValue.Bulk(text.getBytes(StandardCharsets.UTF_8));
    }
}
