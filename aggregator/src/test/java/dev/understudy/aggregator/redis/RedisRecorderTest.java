package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.push.Subscriptions;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RedisRecorderTest {
    private final TestJournal<RedisReply> test = new TestJournal<>(10_000);
    private final Subscriptions subscriptions = new Subscriptions(10_000, 1_000_000, () -> 2);
    private final RedisSharing shared = new RedisSharing(subscriptions);
    private RedisRecorder recorder = new RedisRecorder(test.recording(), shared, RedisRule.DEFAULT);

    @Test
    void pipelinedCommands_getTheirRepliesInOrder() {
        request("GET a\r\nGET b\r\n*2\r\n$3\r\nGET\r\n$1\r\nc\r\n");
        reply("$1\r\n1\r\n");
        reply("$1\r\n2\r\n$1\r\n");
        reply("3\r\n");

        assertThat(taken("GET", "b")).isEqualTo("$1\r\n2\r\n");
        assertThat(taken("GET", "c")).isEqualTo("$1\r\n3\r\n");
        assertThat(taken("GET", "a")).isEqualTo("$1\r\n1\r\n");
    }

    @Test
    void pushes_areNoReplies() {
        request("HELLO 3\r\nGET a\r\n");
        reply("%1\r\n+proto\r\n:3\r\n>2\r\n+invalidate\r\n*1\r\n$1\r\na\r\n$1\r\n1\r\n");

        assertThat(test.recorded.exchanges()).isEqualTo(1);
        assertThat(test.take(RedisForms.of(command("GET", "a"), Agreed.on(0, 3), RedisRule.DEFAULT)))
                .isNotNull();
    }

    @Test
    void selectThatFails_doesNotChangeTheDatabase() {
        request("SELECT 99\r\nGET a\r\nSELECT 2\r\nGET a\r\n");
        reply("-ERR DB index is out of range\r\n$1\r\n1\r\n+OK\r\n$1\r\n2\r\n");

        assertThat(taken("GET", "a")).isEqualTo("$1\r\n1\r\n");
        assertThat(test.take(RedisForms.of(command("GET", "a"), Agreed.on(2, 2), RedisRule.DEFAULT)))
                .isNotNull();
    }

    @Test
    void transaction_isOneExchange() {
        request("MULTI\r\nSET a 1\r\nGET a\r\nEXEC\r\n");
        reply("+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n+OK\r\n$1\r\n1\r\n");

        Form form = RedisForms.of(
                List.of(command("SET", "a", "1"), command("GET", "a")), List.of(), Agreed.on(0, 2), RedisRule.DEFAULT);
        RedisReply reply = test.take(form);
        assertThat(reply).isNotNull();
        assertThat(wire(reply)).isEqualTo("*2\r\n+OK\r\n$1\r\n1\r\n");
        assertThat(test.recorded.exchanges()).isEqualTo(1);
    }

    @Test
    void transactionWithARefusedCommand_isNotRecorded() {
        request("MULTI\r\nNOSUCH\r\nEXEC\r\nGET a\r\n");
        reply("+OK\r\n-ERR unknown command\r\n-EXECABORT\r\n$-1\r\n");

        assertThat(test.recorded.unrecorded(Unrecorded.INCOMPLETE)).isEqualTo(1);
        assertThat(taken("GET", "a")).isEqualTo("$-1\r\n");
    }

    @Test
    void credentials_enterNothing() {
        request("AUTH user s3cret\r\nHELLO 3 AUTH user s3cret\r\n");
        reply("+OK\r\n%1\r\n+proto\r\n:3\r\n");

        assertThat(test.recorded.exchanges()).isZero();
        assertThat(test.journal.counts().unused()).isZero();
    }

    @Test
    void connectionThatEnds_leavesItsUnansweredCommandsOut() {
        request("PING\r\nGET a\r\nGET b\r\n");
        reply("+PONG\r\n$5\r\nab");
        recorder.closed(0);

        assertThat(test.recorded.exchanges()).isZero();
        assertThat(test.recorded.unrecorded(Unrecorded.INCOMPLETE)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"monitor", "PSYNC ? -1", "SYNC"})
    void serverThatSpeaksUnasked_endsTheRecording(String command) {
        request("GET a\r\n" + command + "\r\n");
        reply("$1\r\n1\r\n");

        assertThat(test.recorded.unrecorded(Unrecorded.SERVER_PUSH)).isEqualTo(1);
        assertThat(test.recorded.exchanges()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "+OK\r\n+OK\r\n", "*1\r\n\0"})
    void replyThatIsNotRedis_endsTheRecording(String garbage) {
        request("GET a\r\n");
        reply(garbage);

        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL)).isEqualTo(1);
    }

    @Test
    void replyLongerThanAnyMessage_isPassedOver_andCounted() {
        request("GET a\r\nGET b\r\n");
        reply("$20000\r\n");
        for (int i = 0; i < 20; i++) {
            reply("y".repeat(1000));
            assertThat(recorder.heldBytes()).isLessThan(4000);
        }
        reply("\r\n$1\r\n1\r\n");

        assertThat(test.recorded.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(1);
        assertThat(test.recorded.exchanges()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33})
    void anyBytes_throwNothing(long seed) {
        Random random = new Random(seed);
        String alphabet = "*$+-:%>_\r\n0123abGETMULTIEXECSELECTHELLO ";
        for (int round = 0; round < 2_000; round++) {
            recorder = new RedisRecorder(test.recording(), shared, RedisRule.DEFAULT);
            for (int i = 0; i < 20; i++) {
                StringBuilder bytes = new StringBuilder();
                for (int n = random.nextInt(30); n > 0; n--) {
                    bytes.append(alphabet.charAt(random.nextInt(alphabet.length())));
                }
                if (random.nextBoolean()) {
                    request(bytes.toString());
                } else {
                    reply(bytes.toString());
                }
            }
            recorder.requestEnd(0);
            recorder.replyEnd(0);
            recorder.closed(0);
        }
        assertThat(test.recorded.unrecorded(Unrecorded.NOT_THE_PROTOCOL))
                .as("seed %d", seed)
                .isPositive();
    }

    private void request(String bytes) {
        recorder.request(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.UTF_8)), 1);
    }

    private void reply(String bytes) {
        recorder.reply(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.UTF_8)), 2);
    }

    private String taken(String name, String... arguments) {
        RedisReply reply = test.take(RedisForms.of(command(name, arguments), Agreed.on(0, 2), RedisRule.DEFAULT));
        return wire(reply);
    }

    private static String wire(RedisReply reply) {
        return new String(reply.wire(), StandardCharsets.UTF_8);
    }

    private static RedisCommand command(String name, String... arguments) {
        return new RedisCommand(
                name,
                java.util.Arrays.stream(arguments)
                        .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                        .toList());
    }
}
