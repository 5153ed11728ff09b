package dev.understudy.aggregator.redis;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.aggregator.redis.RedisSides.CONFIRMED;
import static org.assertj.core.api.Assertions.assertThat;

/** What the aggregator answers by itself is never something else than what production's server answered. */
class RedisLocalAnswersTest {
    private final RedisSides sides = new RedisSides();

    @AfterEach
    void close() {
        sides.close();
    }

    @ParameterizedTest
    @CsvSource({
        "SELECT 99, ERR DB index is out of range, SELECT 1",
        "AUTH wrong, WRONGPASS invalid username-password pair or user is disabled., AUTH right",
        "CLIENT SETNAME 'a b', 'ERR Client names cannot contain spaces, newlines or special characters.', "
                + "CLIENT SETNAME b",
        "CLIENT SETINFO lib-odd 1, ERR Unrecognized option 'lib-odd', CLIENT SETINFO lib-name a",
        "READONLY, ERR This instance has cluster support disabled, UNWATCH",
        "MULTI, NOPERM this user has no permissions to run the 'multi' command, UNWATCH",
        "CLIENT CACHING YES, ERR CLIENT CACHING can be called only when the client is in tracking mode, "
                + "CLIENT CACHING NO"
    })
    void commandThatProductionsServerRefused_isRefusedAlikeAndNoOther(String command, String error, String other) {
        sides.production(command + "\r\n");
        sides.server("-" + error + "\r\n");

        assertThat(sides.debug(command + "\r\n")).isEqualTo("-" + error + "\r\n");
        assertThat(sides.debug(other + "\r\n")).isEqualTo("+OK\r\n");
    }

    @Test
    void commandThatTheServerDoesntKnow_isRefusedWhateverItsArgumentsAre() {
        sides.production("CLIENT SETINFO LIB-VER 1\r\n");
        sides.server("-ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n");

        assertThat(sides.debug("CLIENT SETINFO LIB-VER 2\r\nCLIENT SETNAME a\r\n"))
                .isEqualTo("-ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.\r\n+OK\r\n");
    }

    @Test
    void refusalThatDependsOnTheLogin_isntGivenAfterIt() {
        sides.production("PING\r\nAUTH secret\r\nPING\r\n");
        sides.server("-NOAUTH Authentication required.\r\n+OK\r\n+PONG\r\n");

        assertThat(sides.debug("PING\r\nAUTH secret\r\nPING\r\n"))
                .isEqualTo("-NOAUTH Authentication required.\r\n+OK\r\n+PONG\r\n");
    }

    @Test
    void refusalThatIsOver_isntGivenAnyMore() {
        sides.production("PING\r\nPING\r\n");
        sides.server("-LOADING Redis is loading the dataset in memory\r\n");
        assertThat(sides.debug("PING\r\n")).startsWith("-LOADING");
        sides.server("+PONG\r\n");
        assertThat(sides.debug("PING\r\n")).isEqualTo("+PONG\r\n");
    }

    @Test
    void subscribersRefusal_isInTheWordsOfProductionsServer() {
        String words = "-ERR only (P)SUBSCRIBE / (P)UNSUBSCRIBE / PING / QUIT allowed in this context\r\n";
        sides.production("SUBSCRIBE a\r\nGET k\r\n");
        sides.server(CONFIRMED + words);

        assertThat(sides.debug("SUBSCRIBE a\r\nGET k\r\n")).isEqualTo(CONFIRMED + words);
    }

    @ParameterizedTest
    @CsvSource({
        "PING a b, ping",
        "ECHO, echo",
        "SELECT, select",
        "WATCH, watch",
        "AUTH a b c, auth",
        "UNWATCH a, unwatch"
    })
    void wrongNumberOfArguments_isAnError(String command, String name) {
        assertThat(sides.debug(command + "\r\n"))
                .isEqualTo("-ERR wrong number of arguments for '" + name + "' command\r\n");
    }

    @Test
    void greetingInTheOtherVersion_isProductionsServersToo() {
        sides.production("HELLO 2\r\n");
        sides.server("*6\r\n$7\r\nversion\r\n$5\r\n8.1.4\r\n$5\r\nproto\r\n:2\r\n$2\r\nid\r\n:57\r\n");

        assertThat(sides.debug("HELLO 3\r\n"))
                .isEqualTo("%3\r\n$7\r\nversion\r\n$5\r\n8.1.4\r\n$5\r\nproto\r\n:3\r\n$2\r\nid\r\n:1000000000001\r\n");
        assertThat(sides.test.replayed.ambiguous()).isZero();
    }

    @Test
    void greetingThatIsMadeUp_countsAsAGuess() {
        assertThat(sides.debug("HELLO 3\r\n")).contains("7.0.0");
        assertThat(sides.test.replayed.ambiguous()).isEqualTo(1);
    }
}
