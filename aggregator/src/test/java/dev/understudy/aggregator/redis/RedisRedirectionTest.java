package dev.understudy.aggregator.redis;

import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.aggregator.redis.RedisSides.heard;
import static dev.understudy.aggregator.redis.RedisSides.invalidate;
import static org.assertj.core.api.Assertions.assertThat;

/** What a client is told to forget of others' reads: {@code CLIENT TRACKING ON REDIRECT}. */
class RedisRedirectionTest {
    private static final long TOLD = 1_000_000_000_002L;
    private static final String CHANNEL = "__redis__:invalidate";
    private static final String SUBSCRIBE = "SUBSCRIBE " + CHANNEL + "\r\n";
    private static final String SUBSCRIBED = "*3\r\n$9\r\nsubscribe\r\n$20\r\n" + CHANNEL + "\r\n:1\r\n";
    private static final String TRACK = "CLIENT TRACKING ON REDIRECT %d\r\n";

    private final RedisSides sides = new RedisSides();
    private final RedisRecorder production = sides.recorder();
    private final EmbeddedChannel debug = sides.connect();

    @AfterEach
    void close() {
        sides.close();
        debug.finishAndReleaseAll();
    }

    @Test
    void subscriberInVersion2_isToldAfterTheReadOfTheOther() {
        listen();
        read(sides.production, "a", 1, 2);
        server(production, message("a"), 3);

        assertThat(sides.debug(TRACK.formatted(TOLD))).isEqualTo("+OK\r\n");
        assertThat(heard(debug, "")).isEmpty();
        assertThat(sides.debug("GET a\r\n")).isEqualTo("$1\r\n1\r\n");
        assertThat(heard(debug, "")).isEqualTo(message("a"));
        assertThat(heard(sides.debug, "")).isEmpty();
        assertThat(sides.test.replayed.missed()).isZero();
        assertThat(sides.test.replayed.pushed()).isEqualTo(1);
    }

    @Test
    void clientInVersion3_isToldByAPush() {
        send(production, "HELLO 3\r\n", "%2\r\n+proto\r\n:3\r\n$2\r\nid\r\n:57\r\n");
        send(sides.production, TRACK.formatted(57), "+OK\r\n");
        read(sides.production, "a", 1, 2);

        heard(debug, "HELLO 3\r\n");
        sides.debug(TRACK.formatted(TOLD) + "GET a\r\n");
        assertThat(heard(debug, "")).isEmpty();
        server(production, invalidate("a"), 3);
        assertThat(heard(sides.debug, "")).isEmpty();
        assertThat(heard(debug, "")).isEqualTo(invalidate("a"));
    }

    @Test
    void readThatCameAfterwards_isStillValid() {
        listen();
        server(production, message("a"), 3);
        read(sides.production, "a", 4, 5);

        sides.debug(TRACK.formatted(TOLD) + "GET a\r\n");
        sides.debug("");
        assertThat(heard(debug, "")).isEmpty();
        server(production, message("a"), 6);
        sides.debug("");
        assertThat(heard(debug, "")).isEqualTo(message("a"));
    }

    /** The lanes of two connections may be late one or the other way round. */
    @Test
    void invalidationThatIsSeenBeforeItsRead_counts() {
        listen();
        server(production, message("a"), 3);
        read(sides.production, "a", 1, 2);

        sides.debug(TRACK.formatted(TOLD) + "GET a\r\n");
        sides.debug("");
        assertThat(heard(debug, "")).isEqualTo(message("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"the one that is told", "the one that reads"})
    void endInProduction_makesCachesForget(String which) {
        listen();
        read(sides.production, "a", 1, 2);
        sides.debug(TRACK.formatted(TOLD) + "GET a\r\n");

        (which.endsWith("told") ? production : sides.production).closed(3);
        sides.debug("");
        assertThat(heard(debug, "")).isEqualTo(message("a"));
    }

    @Test
    void whatProductionIsToldElsewhere_isForgottenAtOnce() {
        listen();
        send(sides.production, TRACK.formatted(99), "+OK\r\n");
        read(sides.production, "a", 1, 2);

        sides.debug(TRACK.formatted(TOLD) + "GET a\r\n");
        assertThat(heard(debug, "")).isEqualTo(message("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"57", "99", "1000000000009", "x", "1000000000002 BCAST"})
    void redirectionToNoDebugConnection_isAMiss(String target) {
        listen();

        assertThat(sides.debug("CLIENT TRACKING ON REDIRECT " + target + "\r\n"))
                .startsWith("-UNDERSTUDY no recorded reply for CLIENT TRACKING ON REDIRECT");
        assertThat(sides.test.replayed.missed()).isEqualTo(1);
    }

    @Test
    void repliesAboutIt_nameTheDebugConnection() {
        listen();
        String infos = "CLIENT GETREDIR\r\nCLIENT TRACKINGINFO\r\nCLIENT INFO\r\nMULTI\r\nCLIENT GETREDIR\r\nEXEC\r\n";
        String info = "*4\r\n$5\r\nflags\r\n*1\r\n$2\r\non\r\n$8\r\nredirect\r\n:%d\r\n";
        String line = "id=%d addr=a:1 name= redir=%d resp=2\n";
        String mine = line.formatted(TOLD - 1, TOLD);
        send(
                sides.production,
                infos,
                ":57\r\n" + info.formatted(57) + bulk(line.formatted(58, 57)) + "+OK\r\n+QUEUED\r\n*1\r\n:57\r\n");

        sides.debug(TRACK.formatted(TOLD));
        assertThat(sides.debug(infos))
                .isEqualTo(":%d\r\n".formatted(TOLD)
                        + info.formatted(TOLD)
                        + bulk(mine)
                        + "+OK\r\n+QUEUED\r\n*1\r\n:%d\r\n".formatted(TOLD));
    }

    @Test
    void redirectionThatIsSwitchedOff_endsOnBothSides() {
        listen();
        send(sides.production, "CLIENT TRACKING OFF\r\nCLIENT GETREDIR\r\n", "+OK\r\n:-1\r\n");
        read(sides.production, "a", 1, 2);
        server(production, message("a"), 3);

        assertThat(sides.debug(TRACK.formatted(TOLD) + "CLIENT TRACKING OFF\r\nGET a\r\nCLIENT GETREDIR\r\n"))
                .isEqualTo("+OK\r\n+OK\r\n$1\r\n1\r\n:-1\r\n");
        assertThat(heard(debug, "")).isEmpty();
    }

    /** Both sides have a subscriber, and production's other connection has redirected to it what it reads. */
    private void listen() {
        send(production, "CLIENT ID\r\n" + SUBSCRIBE, ":57\r\n" + SUBSCRIBED);
        send(sides.production, TRACK.formatted(57), "+OK\r\n");
        assertThat(heard(debug, SUBSCRIBE)).isEqualTo(SUBSCRIBED);
    }

    private static void read(RedisRecorder recorder, String key, long asked, long answered) {
        recorder.request(ByteBuffer.wrap(("GET " + key + "\r\n").getBytes(StandardCharsets.UTF_8)), asked);
        server(recorder, "$1\r\n1\r\n", answered);
    }

    private static void send(RedisRecorder recorder, String commands, String replies) {
        recorder.request(ByteBuffer.wrap(commands.getBytes(StandardCharsets.UTF_8)), 1);
        server(recorder, replies, 2);
    }

    private static void server(RedisRecorder recorder, String said, long nanos) {
        recorder.reply(ByteBuffer.wrap(said.getBytes(StandardCharsets.UTF_8)), nanos);
    }

    private static String message(String key) {
        return "*3\r\n$7\r\nmessage\r\n$20\r\n" + CHANNEL + "\r\n*1\r\n$1\r\n" + key + "\r\n";
    }

    private static String bulk(String text) {
        return "$%d\r\n%s\r\n".formatted(text.length(), text);
    }
}
