package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.redis.push.Heard;
import dev.understudy.aggregator.redis.push.Invalidations;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.understudy.aggregator.redis.RedisSides.invalidate;
import static org.assertj.core.api.Assertions.assertThat;

/** What clients that cache are told to forget, from a production connection to a debug connection, byte by byte. */
class RedisTrackingTest {
    private final RedisSides sides = new RedisSides();

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void key_isForgottenAfterTheReadThatProductionHadBefore() {
        sides.production("HELLO 3\r\nCLIENT TRACKING ON\r\nGET a\r\nGET b\r\n");
        sides.server("%1\r\n+proto\r\n:3\r\n+OK\r\n$1\r\n1\r\n$1\r\n2\r\n");
        sides.server(invalidate("a"));
        sides.production("GET a\r\n");
        sides.server("$1\r\n3\r\n");

        assertThat(sides.debug("HELLO 3\r\nCLIENT TRACKING ON\r\n")).endsWith("+OK\r\n");
        assertThat(sides.debug("GET a\r\n")).isEqualTo("$1\r\n1\r\n" + invalidate("a"));
        assertThat(sides.debug("GET b\r\nGET a\r\n")).isEqualTo("$1\r\n2\r\n$1\r\n3\r\n");
        sides.server(invalidate("b"));
        assertThat(sides.debug("")).isEqualTo(invalidate("b"));
        sides.server(">2\r\n$10\r\ninvalidate\r\n_\r\n");
        assertThat(sides.debug("")).isEqualTo(invalidate("a"));
        assertThat(sides.test.replayed.pushed()).isEqualTo(3);
    }

    @Test
    void connectionThatTracks_getsNothingThatNobodyTracked() {
        sides.production("HELLO 3\r\nGET a\r\n");
        sides.server("%1\r\n+proto\r\n:3\r\n$1\r\n1\r\n");

        assertThat(sides.debug("HELLO 3\r\nCLIENT TRACKING ON\r\nGET a\r\n")).contains("-UNDERSTUDY");
        assertThat(sides.debug("CLIENT TRACKING OFF\r\nGET a\r\n")).isEqualTo("+OK\r\n$1\r\n1\r\n");
    }

    @Test
    void replyThatAnEarlierProcessRecorded_isForgottenAtOnce() {
        RedisCommand get = new RedisCommand("GET", List.of("a".getBytes(StandardCharsets.UTF_8)));
        RedisReply reply = new RedisReply("$1\r\n1\r\n".getBytes(StandardCharsets.UTF_8));
        sides.test.journal.add(RedisForms.of(get, Agreed.on(0, 3, "TRACKING"), RedisRule.DEFAULT), 1, 1, 2, reply);

        sides.debug("HELLO 3\r\nCLIENT TRACKING ON\r\n");
        assertThat(sides.debug("GET a\r\n")).isEqualTo("$1\r\n1\r\n" + invalidate("a"));
    }

    @Test
    void replyFromDisk_stillKnowsWhatIsForgottenAfterIt() {
        RedisReply reply = RedisReply.of(new byte[0], new Heard(new Invalidations(), 7), null);

        assertThat(new RedisReplyCodec().kept(reply)).isEqualTo(reply.heard());
    }

    @Test
    void trackingThatEndsInProduction_makesCachesForget() {
        sides.production("HELLO 3\r\nCLIENT TRACKING ON\r\nGET a\r\n");
        sides.server("%1\r\n+proto\r\n:3\r\n+OK\r\n$1\r\n1\r\n");
        sides.debug("HELLO 3\r\nCLIENT TRACKING ON\r\nGET a\r\n");
        sides.production.closed(2);

        assertThat(sides.debug("")).isEqualTo(invalidate("a"));
    }
}
