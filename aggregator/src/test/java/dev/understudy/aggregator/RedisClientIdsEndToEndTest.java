package dev.understudy.aggregator;

import dev.understudy.relay.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What applications do with ids of clients, against a real Redis: production first, then debug. */
@Tag("process")
class RedisClientIdsEndToEndTest {
    @TempDir
    private static Path folder;

    private static Process redis;
    private static InetSocketAddress address;

    private Aggregator aggregator;

    @BeforeAll
    static void startRedis() throws Exception {
        Programs.need("redis-server");
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free());
        redis = new ProcessBuilder(
                        "redis-server",
                        "--port",
                        Integer.toString(address.getPort()),
                        "--save",
                        "",
                        "--dir",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Eventually.await(RedisClientIdsEndToEndTest::answers);
    }

    private static boolean answers() {
        try (RedisTalk talk = new RedisTalk(address)) {
            return talk.text("PING").equals("+PONG\r\n");
        } catch (IOException notYet) {
            return false;
        }
    }

    @AfterAll
    static void stopRedis() throws InterruptedException {
        redis.destroy();
        redis.waitFor(60, TimeUnit.SECONDS);
    }

    @BeforeEach
    void start() throws IOException {
        aggregator = TestAggregator.open("redis", address.getPort(), "wait: 30s");
    }

    @AfterEach
    void stop() {
        aggregator.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void clientThatFindsAnotherInTheList_killsIt(int version) throws Exception {
        killWorker(aggregator.productionAddress("test"), version);
        killWorker(debug(), version);

        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0");
    }

    private static void killWorker(InetSocketAddress side, int version) throws IOException {
        try (RedisTalk main = new RedisTalk(side);
                RedisTalk worker = new RedisTalk(side)) {
            main.ask("HELLO " + version);
            worker.ask("HELLO 3 SETNAME worker");
            long own = main.number("CLIENT ID");
            long killed = id(main.text("CLIENT LIST"), "name=worker ");

            assertThat(id(main.text("CLIENT LIST"), "cmd=client.list ")).isEqualTo(own);
            assertThat(id(main.text("CLIENT INFO"), "")).isEqualTo(own);
            assertThat(worker.number("CLIENT ID")).isEqualTo(killed);
            assertThat(id(main.text("CLIENT LIST ID " + killed), "")).isEqualTo(killed);
            assertThat(main.number("CLIENT KILL ID " + killed)).isEqualTo(1);
            assertThatThrownBy(worker::next).isInstanceOf(IOException.class);

            assertThat(main.text("MULTI")).isEqualTo("+OK\r\n");
            assertThat(main.text("CLIENT ID") + main.text("CLIENT LIST")).isEqualTo("+QUEUED\r\n+QUEUED\r\n");
            String result = main.text("EXEC");
            assertThat(result).startsWith("*2\r\n:" + own + "\r\n");
            assertThat(id(result, "cmd=exec ")).isEqualTo(own);
            assertThat(main.number("CLIENT KILL SKIPME no ID " + own)).isEqualTo(1);
            assertThatThrownBy(main::next).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void redirectedInvalidation_reachesTheConnectionThatStandsForIt(int version) throws Exception {
        String real = redirect(aggregator.productionAddress("test"), version, true);

        assertThat(redirect(debug(), version, false)).isEqualTo(real).contains("invalidate", "\r\nk\r\n");
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0");
    }

    /** What the other connection is told once the key has changed. */
    private static String redirect(InetSocketAddress side, int version, boolean changes) throws IOException {
        try (RedisTalk reader = new RedisTalk(side);
                RedisTalk told = new RedisTalk(side);
                RedisTalk direct = new RedisTalk(address)) {
            told.ask("HELLO " + version);
            long id = told.number("CLIENT ID");
            if (version == 2) {
                told.ask("SUBSCRIBE __redis__:invalidate");
            }
            if (changes) {
                direct.ask("SET k 1");
            }
            assertThat(reader.text("CLIENT TRACKING ON REDIRECT " + id)).isEqualTo("+OK\r\n");
            assertThat(reader.text("GET k")).isEqualTo("$1\r\n1\r\n");
            assertThat(reader.number("CLIENT GETREDIR")).isEqualTo(id);
            assertThat(reader.text("CLIENT TRACKINGINFO")).contains(":" + id + "\r\n");
            assertThat(reader.text("CLIENT INFO")).contains(" redir=" + id + ' ');
            if (changes) {
                direct.ask("SET k 2");
            }
            return RedisTalk.text(told.next());
        }
    }

    @Test
    void settingsWithoutIds_areAnsweredAsBefore() throws Exception {
        for (InetSocketAddress side : new InetSocketAddress[] {aggregator.productionAddress("test"), debug()}) {
            try (RedisTalk main = new RedisTalk(side)) {
                assertThat(main.text("CLIENT NO-EVICT ON")).isEqualTo("+OK\r\n");
                assertThat(main.number("CLIENT GETREDIR")).isEqualTo(-1);
                assertThat(main.text("CLIENT TRACKINGINFO")).contains("redirect\r\n:-1\r\n");
                main.say("CLIENT REPLY SKIP");
                main.say("CLIENT ID");
                assertThat(main.text("CLIENT REPLY ON")).isEqualTo("+OK\r\n");
                assertThat(main.number("CLIENT KILL ID " + main.number("CLIENT ID")))
                        .isZero();
            }
        }
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":0");
    }

    private InetSocketAddress debug() {
        return (InetSocketAddress) aggregator.debugAddress("test");
    }

    private static long id(String list, String with) {
        Matcher line = Pattern.compile("(?m)^(?:txt:)?id=(\\d+) .*" + with).matcher(list);
        assertThat(line.find()).as(list).isTrue();
        return Long.parseLong(line.group(1));
    }
}
