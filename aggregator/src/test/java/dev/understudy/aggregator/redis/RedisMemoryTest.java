package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.push.Subscriptions;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a debug connection to Redis can make the process hold ends at its bound, and at that of all connections. */
class RedisMemoryTest {
    private static final long ALL = 256 << 10;
    private static final String TOO_MUCH = "-OOM debug connections hold as much as they may\r\n";

    private final TestJournal<RedisReply> test = new TestJournal<>(1 << 20);
    private final Subscriptions subscriptions = new Subscriptions(10_000, 1_000_000, () -> 2);
    private final RedisSharing shared = new RedisSharing(subscriptions);
    private final MemoryBudget all = new MemoryBudget(ALL, null);
    private final EmbeddedChannel debug = connect(ALL);

    @AfterEach
    void everything_isGivenBack() {
        debug.finishAndReleaseAll();
        assertThat(all.used()).isZero();
    }

    @Test
    void transactionBeyondTheBound_isAborted() {
        assertThat(say(debug, "MULTI\r\n")).isEqualTo("+OK\r\n");

        assertThat(untilRefused(debug)).isBetween(9, 12);

        assertThat(test.reached).containsOnly(DebugLimit.CONNECTION_MEMORY);
        assertThat(say(debug, set(20_000))).isEqualTo("+QUEUED\r\n");
        assertThat(say(debug, "EXEC\r\n"))
                .isEqualTo("-EXECABORT Transaction discarded because of previous errors.\r\n");
        assertThat(say(debug, "PING\r\n")).isEqualTo("+PONG\r\n");
    }

    @Test
    void transactionOfManyConnections_endsAtTheBoundOfAll() {
        EmbeddedChannel first = connect(ALL);
        say(first, "MULTI\r\n" + set(20_000).repeat(5));
        say(debug, "MULTI\r\n");

        assertThat(untilRefused(debug)).isBetween(3, 6);

        assertThat(test.reached).containsOnly(DebugLimit.MEMORY);
        first.finishAndReleaseAll();
        say(debug, "DISCARD\r\nMULTI\r\n");
        assertThat(untilRefused(debug)).isBetween(9, 12);
    }

    @Test
    void transactionOfManySmallCommands_countsWhatObjectsTake() {
        String pings = "*1\r\n$1\r\nX\r\n".repeat(2_000);
        say(debug, "MULTI\r\n");

        assertThat(say(debug, pings)).contains(TOO_MUCH);
    }

    @Test
    void transactionWithRepliesOff_endsTheConnection() {
        say(debug, "CLIENT REPLY OFF\r\nMULTI\r\n");

        for (int n = 0; n < 20 && debug.isActive(); n++) {
            say(debug, set(20_000));
        }

        assertThat(debug.isActive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*2\r\n$3\r\nGET\r\n$250000\r\n",
                "*100000\r\n$4\r\nMGET\r\n",
                "*3\r\n$5\r\nWATCH\r\n$250000\r\n",
                "*1\r\n$250000\r\n"
            })
    void unfinishedCommandBeyondTheBound_endsTheConnection(String begin) {
        StringBuilder said = new StringBuilder(say(debug, begin));
        for (int n = 0; n < 300 && debug.isActive(); n++) {
            said.append(say(debug, begin.contains("MGET") ? "$0\r\n\r\n".repeat(100) : "x".repeat(1_000)));
        }

        assertThat(said).hasToString(TOO_MUCH);
        assertThat(debug.isActive()).isFalse();
    }

    @Test
    void itemsOfAnUnfinishedCommand_countWhatObjectsTake() {
        say(debug, "*100000\r\n$4\r\nMGET\r\n");
        say(debug, "$0\r\n\r\n".repeat(5_000));

        assertThat(debug.isActive()).isFalse();
    }

    @Test
    void watchedKeysBeyondTheBound_endTheConnection() {
        for (int n = 0; n < 20 && debug.isActive(); n++) {
            say(debug, "*2\r\n$5\r\nWATCH\r\n" + bulk(20_000));
        }

        assertThat(debug.isActive()).isFalse();
    }

    @Test
    void name_isCharged() {
        say(debug, "*3\r\n$6\r\nCLIENT\r\n$7\r\nSETNAME\r\n" + bulk(20_000));

        assertThat(all.used()).isGreaterThan(40_000);
    }

    @Test
    void requestsBehindOneThatWaits_endAtTheBound() {
        say(debug, "GET a\r\n");

        for (int n = 0; n < 20 && debug.isActive(); n++) {
            say(debug, "*2\r\n$3\r\nGET\r\n" + bulk(20_000));
        }

        assertThat(debug.isActive()).isFalse();
    }

    /** How many commands were queued before one was refused. */
    private static int untilRefused(EmbeddedChannel channel) {
        for (int n = 0; n < 100; n++) {
            String said = say(channel, set(20_000));
            if (!said.equals("+QUEUED\r\n")) {
                assertThat(said).isEqualTo(TOO_MUCH);
                return n;
            }
        }
        return 100;
    }

    private EmbeddedChannel connect(long most) {
        EmbeddedChannel channel = new EmbeddedChannel();
        var replay = test.replay(Duration.ofHours(1), new MemoryBudget(most, all));
        channel.closeFuture().addListener(over -> replay.memory().close());
        channel.pipeline().addLast(new RedisReplayHandler(channel, replay, shared, RedisRule.DEFAULT));
        return channel;
    }

    private static String set(int bytes) {
        return "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n" + bulk(bytes);
    }

    private static String bulk(int bytes) {
        return "$" + bytes + "\r\n" + "v".repeat(bytes) + "\r\n";
    }

    private static String say(EmbeddedChannel channel, String commands) {
        return RedisSides.heard(channel, commands);
    }
}
