package dev.understudy.aggregator.redis;

import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.aggregator.redis.RedisSides.heard;
import static org.assertj.core.api.Assertions.assertThat;

/** Ids of clients: each side's own, and what requests that name one mean by it. */
class RedisClientIdsTest {
    private final RedisSides sides = new RedisSides();
    private final EmbeddedChannel other = sides.connect();

    @AfterEach
    void close() {
        sides.close();
        other.finishAndReleaseAll();
    }

    @Test
    void debugConnections_haveIdsThatNoneOfProductionsHas() {
        production("CLIENT ID\r\n", ":1000000000003\r\n");
        String first = sides.debug("CLIENT ID\r\n");
        String second = heard(other, "CLIENT ID\r\n");
        EmbeddedChannel third = sides.connect();

        assertThat(first).isEqualTo(":1000000000001\r\n").isNotEqualTo(second);
        assertThat(heard(third, "CLIENT ID\r\n")).isNotEqualTo(":1000000000003\r\n");
        third.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CLIENT UNBLOCK %s",
                "CLIENT UNBLOCK %s ERROR",
                "CLIENT KILL ID %s",
                "client kill id %s skipme no"
            })
    void requestThatNamesAnother_getsWhatProductionGotForIt(String command) {
        RedisRecorder target = sides.recorder();
        send(target, "HELLO 2\r\n", "*4\r\n$5\r\nproto\r\n:2\r\n$2\r\nid\r\n:57\r\n");
        production(command.formatted("57") + "\r\n", ":1\r\n");

        String id = heard(other, "CLIENT ID\r\n").substring(1).strip();
        assertThat(sides.debug(command.formatted(id) + "\r\n")).isEqualTo(":1\r\n");
        assertThat(sides.test.replayed.missed()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"own, other", "other, own"})
    void ownId_isntAnothersId(String recorded, String asked) {
        production("CLIENT ID\r\n", ":57\r\n");
        send(sides.recorder(), "CLIENT ID\r\n", ":58\r\n");
        production("CLIENT UNBLOCK " + (recorded.equals("own") ? 57 : 58) + "\r\n", ":0\r\n");

        String id = heard(asked.equals("own") ? sides.debug : other, "CLIENT ID\r\n");
        assertThat(sides.debug("CLIENT UNBLOCK " + id.substring(1))).startsWith("-UNDERSTUDY");
    }

    @Test
    void nameOfTheOther_tellsItFromOthers() {
        RedisRecorder worker = sides.recorder();
        send(worker, "CLIENT SETNAME worker\r\nCLIENT ID\r\n", "+OK\r\n:57\r\n");
        send(sides.recorder(), "CLIENT SETNAME idle\r\nCLIENT ID\r\n", "+OK\r\n:58\r\n");
        production("CLIENT UNBLOCK 57\r\nCLIENT UNBLOCK 58\r\n", ":1\r\n:0\r\n");

        EmbeddedChannel idle = sides.connect();
        String second =
                heard(idle, "CLIENT SETNAME idle\r\nCLIENT ID\r\n").substring(6).strip();
        String first = heard(other, "CLIENT SETNAME worker\r\nCLIENT ID\r\n")
                .substring(6)
                .strip();
        assertThat(sides.debug("CLIENT UNBLOCK " + second + "\r\nCLIENT UNBLOCK " + first + "\r\n"))
                .isEqualTo(":0\r\n:1\r\n");
        idle.finishAndReleaseAll();
    }

    @Test
    void idOfProductions_seenInAReplyMeansTheSameThere() {
        send(sides.recorder(), "CLIENT ID\r\n", ":57\r\n");
        production("CLIENT KILL ID 57\r\nCLIENT KILL ID 99\r\n", ":1\r\n:0\r\n");

        assertThat(sides.debug("CLIENT KILL ID 57\r\nCLIENT KILL ID 99\r\n")).isEqualTo(":1\r\n:0\r\n");
    }

    @ParameterizedTest
    @CsvSource({"'$24\r\n', '$35\r\n', ''", "'=28\r\ntxt:', '=39\r\ntxt:', ''"})
    void clientInfo_saysThisConnectionsId(String begun, String expected, String none) {
        production("CLIENT INFO\r\n", begun + none + "id=57 addr=10.0.0.1:4711\r\n");

        assertThat(sides.debug("CLIENT INFO\r\n")).isEqualTo(expected + "id=1000000000001 addr=10.0.0.1:4711\r\n");
    }

    private void production(String commands, String replies) {
        send(sides.production, commands, replies);
    }

    private static void send(RedisRecorder recorder, String commands, String replies) {
        recorder.request(ByteBuffer.wrap(commands.getBytes(StandardCharsets.UTF_8)), 1);
        recorder.reply(ByteBuffer.wrap(replies.getBytes(StandardCharsets.UTF_8)), 2);
    }
}
