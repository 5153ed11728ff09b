package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.record.Unrecorded;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.aggregator.redis.RedisSides.CONFIRMED;
import static dev.understudy.aggregator.redis.RedisSides.heard;
import static dev.understudy.aggregator.redis.RedisSides.message;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

/** Subscriptions to one topic that follow one another, each on its own connection. */
class RedisResubscriptionsTest {
    private static final String SUBSCRIBE = "SUBSCRIBE a\r\n";
    private static final Map<String, String> MESSAGES =
            Map.of("SUBSCRIBE", "message", "PSUBSCRIBE", "pmessage", "SSUBSCRIBE", "smessage");

    private final RedisSides sides = new RedisSides();

    @AfterEach
    void close() {
        sides.close();
    }

    @ParameterizedTest
    @CsvSource({"SUBSCRIBE, 2", "PSUBSCRIBE, 2", "SSUBSCRIBE, 2", "SUBSCRIBE, 3", "PSUBSCRIBE, 3", "SSUBSCRIBE, 3"})
    void nthSubscription_hearsWhatProductionsNthHeard(String command, int version) {
        String mark = version == 3 ? ">" : "*";
        String hello = version == 3 ? "HELLO 3\r\n" : "";
        String greeting = version == 3 ? "%1\r\n+proto\r\n:3\r\n" : "";
        String word = command.toLowerCase(Locale.ROOT);
        String confirmed = "%s3\r\n$%d\r\n%s\r\n$1\r\na\r\n:1\r\n".formatted(mark, word.length(), word);
        String message = Objects.requireNonNull(MESSAGES.get(command));
        boolean pattern = command.equals("PSUBSCRIBE");
        String begun = "%s%d\r\n$%d\r\n%s\r\n$1\r\na\r\n%s$1\r\n"
                .formatted(mark, pattern ? 4 : 3, message.length(), message, pattern ? "$1\r\na\r\n" : "");
        for (int i = 1; i <= 3; i++) {
            RedisRecorder production = sides.recorder();
            request(production, hello + command + " a\r\n");
            reply(production, greeting + confirmed + begun + i + "\r\n");
            production.requestEnd(3);
            production.replyEnd(4);
            production.closed(4);
        }
        for (int i = 1; i <= 3; i++) {
            EmbeddedChannel debug = sides.connect();
            assertThat(heard(debug, hello + command + " a\r\n"))
                    .as("subscription %d", i)
                    .endsWith(confirmed + begun + i + "\r\n");
            assertThat(debug.isOpen()).as("subscription %d", i).isTrue();
            debug.finishAndReleaseAll();
        }
        assertThat(heard(sides.debug, hello + command + " a\r\n")).contains("-UNDERSTUDY");
        assertThat(sides.test.replayed.missed()).isEqualTo(1);
    }

    @Test
    void connectionThatTheServerEnded_endsOnceItsMessagesAreThere() {
        RedisRecorder first = subscribed();
        reply(first, message("a", "1"));
        sides.now.addAndGet(SECONDS.toNanos(5));
        first.replyEnd(3);
        first.requestEnd(3);
        first.closed(3);
        RedisRecorder second = subscribed();
        reply(second, message("a", "2"));

        assertThat(sides.debug(SUBSCRIBE)).isEqualTo(CONFIRMED + message("a", "1"));
        assertThat(sides.debug.isOpen())
                .as("production's was served for 5 s more")
                .isTrue();
        sides.pass(sides.debug, 5_000);
        assertThat(sides.debug.isOpen()).isFalse();
        EmbeddedChannel again = sides.connect();
        assertThat(heard(again, SUBSCRIBE)).isEqualTo(CONFIRMED + message("a", "2"));
        again.finishAndReleaseAll();
        assertThat(sides.test.replayed.missed()).isZero();
    }

    @Test
    void subscriptionAfterAnother_onTheSameConnection_isntCutOff() {
        RedisRecorder production = subscribed();
        reply(production, message("a", "1"));
        request(production, "SUBSCRIBE b\r\n");
        String b = "*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n";
        reply(production, b + message("b", "2"));
        production.requestEnd(3);
        production.closed(3);

        assertThat(sides.debug(SUBSCRIBE)).isEqualTo(CONFIRMED + message("a", "1"));
        assertThat(sides.debug("SUBSCRIBE b\r\n")).isEqualTo(b + message("b", "2"));
        assertThat(sides.debug.isOpen()).isTrue();
    }

    @Test
    void debugConnectionThatOutlivesItsTwin_hearsTheNextOne() {
        RedisRecorder first = subscribed();
        assertThat(sides.debug(SUBSCRIBE)).isEqualTo(CONFIRMED);
        reply(first, message("a", "1"));
        assertThat(sides.debug("")).isEqualTo(message("a", "1"));
        first.requestEnd(3);
        first.closed(3);
        RedisRecorder second = subscribed();
        reply(second, message("a", "2"));

        assertThat(sides.debug(""))
                .as("it may be about to end as production's did")
                .isEmpty();
        sides.pass(sides.debug, 5_000);
        assertThat(sides.debug("")).isEqualTo(message("a", "2"));
        assertThat(sides.debug.isOpen()).isTrue();
    }

    @Test
    void debugConnectionThatIsAheadOfProduction_hearsWhatIsItsOwn() {
        RedisRecorder first = subscribed();
        sides.debug(SUBSCRIBE);
        reply(first, message("a", "1"));
        assertThat(sides.debug("")).isEqualTo(message("a", "1"));
        sides.debug.close();
        EmbeddedChannel second = sides.connect();
        assertThat(heard(second, SUBSCRIBE)).isEqualTo(CONFIRMED);

        first.requestEnd(3);
        first.closed(3);
        RedisRecorder next = subscribed();
        reply(next, message("a", "2"));
        assertThat(heard(second, "")).isEqualTo(message("a", "2"));
        second.finishAndReleaseAll();
    }

    @Test
    void debugConnectionThatWaits_hasWhatAnotherGivesBack() {
        RedisRecorder production = subscribed();
        sides.debug(SUBSCRIBE);
        EmbeddedChannel again = sides.patient();
        assertThat(heard(again, SUBSCRIBE)).isEmpty();
        sides.debug.close();

        assertThat(heard(again, "")).isEqualTo(CONFIRMED);
        reply(production, message("a", "1"));
        assertThat(heard(again, "")).isEqualTo(message("a", "1"));
        again.finishAndReleaseAll();
    }

    @Test
    void messagesThatWerentHeard_areCounted() {
        RedisRecorder first = subscribed();
        sides.debug(SUBSCRIBE);
        sides.debug("UNSUBSCRIBE a\r\n");
        reply(first, message("a", "1"));
        assertThat(sides.test.recorded.unrecorded(Unrecorded.UNHEARD)).isEqualTo(1);

        RedisRecorder second = subscribed();
        sides.debug(SUBSCRIBE);
        sides.debug.close();
        reply(second, message("a", "2") + message("a", "3"));
        second.requestEnd(3);
        second.closed(3);
        assertThat(sides.test.recorded.unrecorded(Unrecorded.UNHEARD)).isEqualTo(3);

        RedisRecorder third = subscribed();
        reply(third, message("a", "4"));
        third.requestEnd(3);
        third.closed(3);
        sides.now.addAndGet(SECONDS.toNanos(60));
        assertThat(heard(sides.connect(), SUBSCRIBE)).startsWith("-UNDERSTUDY");
        assertThat(sides.test.recorded.unrecorded(Unrecorded.UNHEARD)).isEqualTo(4);
    }

    private RedisRecorder subscribed() {
        RedisRecorder production = sides.recorder();
        request(production, SUBSCRIBE);
        reply(production, CONFIRMED);
        return production;
    }

    private static void request(RedisRecorder production, String commands) {
        production.request(ByteBuffer.wrap(commands.getBytes(StandardCharsets.UTF_8)), 1);
    }

    private static void reply(RedisRecorder production, String replies) {
        production.reply(ByteBuffer.wrap(replies.getBytes(StandardCharsets.UTF_8)), 2);
    }
}
