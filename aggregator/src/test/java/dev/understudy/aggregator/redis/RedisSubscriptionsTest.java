package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.record.Unrecorded;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.aggregator.redis.RedisSides.CONFIRMED;
import static dev.understudy.aggregator.redis.RedisSides.heard;
import static dev.understudy.aggregator.redis.RedisSides.message;
import static org.assertj.core.api.Assertions.assertThat;

/** What subscribers are told, from a production connection to a debug connection, byte by byte. */
class RedisSubscriptionsTest {
    private final RedisSides sides = new RedisSides();

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void messages_comeAfterTheConfirmationInProductionsOrder() {
        sides.production("SUBSCRIBE a b\r\nPSUBSCRIBE *\r\n");
        String confirmations = CONFIRMED + "*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n";
        String pattern = "*3\r\n$10\r\npsubscribe\r\n$1\r\n*\r\n:3\r\n";
        String first =
                message("a", "1") + message("b", "2") + "*4\r\n$8\r\npmessage\r\n$1\r\n*\r\n$1\r\nb\r\n$1\r\n2\r\n";
        sides.server(confirmations + pattern + first);

        assertThat(sides.debug("PSUBSCRIBE *\r\n")).startsWith("*3\r\n$10\r\npsubscribe\r\n$1\r\n*\r\n:1\r\n*4\r\n");
        assertThat(sides.debug("SUBSCRIBE a b\r\n"))
                .isEqualTo("*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:2\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:3\r\n"
                        + message("a", "1")
                        + message("b", "2"));
        sides.server(message("b", "3") + message("a", "4"));
        assertThat(sides.debug("")).isEqualTo(message("b", "3") + message("a", "4"));
        assertThat(sides.test.replayed.pushed()).isEqualTo(5);
        assertThat(sides.subscriptions.bytes()).isZero();
    }

    @Test
    void version3_letsCommandsAndMessagesMingle() {
        sides.production("HELLO 3\r\nSUBSCRIBE a\r\nGET k\r\n");
        sides.server("%1\r\n+proto\r\n:3\r\n>3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n");
        sides.server(">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\nv\r\n");

        assertThat(sides.debug("HELLO 3\r\nSUBSCRIBE a\r\nGET k\r\n"))
                .endsWith(
                        ">3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n>3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\n1\r\n$1\r\nv\r\n");
    }

    @Test
    void replyThatLooksLikeAMessage_isAReply() {
        sides.production("LRANGE l 0 -1\r\nSUBSCRIBE a\r\n");
        sides.server(message("a", "1") + CONFIRMED);

        assertThat(sides.debug("LRANGE l 0 -1\r\nSUBSCRIBE a\r\n")).isEqualTo(message("a", "1") + CONFIRMED);
    }

    @Test
    void subscription_isTakenOnceAndGivenBackByAConnectionThatEnds() {
        sides.production("SUBSCRIBE a\r\n");
        sides.server(CONFIRMED);
        assertThat(sides.debug("SUBSCRIBE a\r\n")).isEqualTo(CONFIRMED);
        EmbeddedChannel second = sides.connect();
        assertThat(heard(second, "SUBSCRIBE a\r\n")).startsWith("-UNDERSTUDY");

        sides.debug.close();
        sides.server(message("a", "1"));
        assertThat(heard(second, "SUBSCRIBE a\r\n")).isEqualTo(CONFIRMED + message("a", "1"));
        second.finishAndReleaseAll();
    }

    @Test
    void unsubscription_endsTheMessages() {
        sides.production("SUBSCRIBE a\r\n");
        sides.server(CONFIRMED);
        sides.debug("SUBSCRIBE a\r\n");
        assertThat(sides.debug("UNSUBSCRIBE\r\nUNSUBSCRIBE\r\nGET a\r\n"))
                .startsWith(
                        "*3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n-UNDERSTUDY");
        sides.server(message("a", "1"));
        assertThat(sides.debug("")).isEmpty();
    }

    @Test
    void subscriberOfVersion2_mayOnlySubscribeAndPing() {
        sides.production("SUBSCRIBE a\r\nGET k\r\nPING\r\nUNSUBSCRIBE\r\nGET k\r\n");
        String refused = "-ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are"
                + " allowed in this context\r\n";
        String pong = "*2\r\n$4\r\npong\r\n$0\r\n\r\n";
        String ended = "*3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n";
        sides.server(CONFIRMED + refused + pong + ended + "$1\r\nv\r\n");

        assertThat(sides.debug("SUBSCRIBE a\r\nGET k\r\nPING\r\nUNSUBSCRIBE\r\nGET k\r\n"))
                .isEqualTo(CONFIRMED + refused + pong + ended + "$1\r\nv\r\n");
    }

    @Test
    void refusedSubscription_isRefusedAlike() {
        sides.production("SSUBSCRIBE a\r\nGET k\r\n");
        sides.server("-MOVED 15495 127.0.0.1:7001\r\n$1\r\nv\r\n");

        assertThat(sides.debug("SSUBSCRIBE a\r\nGET k\r\n")).isEqualTo("-MOVED 15495 127.0.0.1:7001\r\n$1\r\nv\r\n");
    }

    @Test
    void twinWhoseConnectionEnds_endsToo() {
        sides.production("SUBSCRIBE a\r\n");
        sides.server(CONFIRMED + message("a", "1"));
        sides.production.replyEnd(2);
        sides.production.closed(2);

        assertThat(sides.debug("SUBSCRIBE a\r\n")).isEqualTo(CONFIRMED + message("a", "1"));
        assertThat(sides.debug.isOpen()).isFalse();
        assertThat(sides.test.replayed.missed()).isZero();
    }

    @Test
    void twinWhoseBytesAreLost_endsAndCounts() {
        sides.production("SUBSCRIBE a\r\n");
        sides.server(CONFIRMED);
        sides.debug("SUBSCRIBE a\r\n");
        sides.production.lost(2);
        sides.debug("");

        assertThat(sides.debug.isOpen()).isFalse();
        assertThat(sides.test.replayed.missed()).isEqualTo(1);
    }

    @Test
    void messagesThatNobodyHears_areBoundedAndCounted() {
        sides.production("SUBSCRIBE a\r\n");
        sides.server(CONFIRMED);
        for (int i = 0; i < 100; i++) {
            sides.server(message("a", "1"));
        }
        assertThat(sides.subscriptions.bytes()).isLessThanOrEqualTo(500);
        assertThat(sides.test.recorded.unrecorded(Unrecorded.UNHEARD)).isGreaterThan(80);
        assertThat(sides.debug("SUBSCRIBE a\r\n").length()).isLessThan(1_000);
    }

    @Test
    void messagesThatNobodyHears_dontCutOffThoseWhoListen() {
        sides.production("SUBSCRIBE a\r\nSUBSCRIBE b\r\n");
        sides.server(CONFIRMED + "*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n");
        sides.debug("SUBSCRIBE a\r\n");
        for (int i = 0; i < 100; i++) {
            sides.server(message("b", "1"));
        }
        sides.server(message("a", "2"));

        assertThat(sides.debug("")).isEqualTo(message("a", "2"));
        assertThat(sides.debug.isOpen()).isTrue();
    }

    @Test
    void subscriptionWithinATransaction_endsTheRecording() {
        sides.production("MULTI\r\nSUBSCRIBE a\r\nEXEC\r\n");
        sides.server("+OK\r\n+QUEUED\r\n*1\r\n" + CONFIRMED);

        assertThat(sides.test.recorded.unrecorded(Unrecorded.SERVER_PUSH)).isEqualTo(1);
        assertThat(sides.debug("MULTI\r\nSUBSCRIBE a\r\nDISCARD\r\n"))
                .contains("-UNDERSTUDY")
                .endsWith("+OK\r\n");
    }

    @ParameterizedTest
    @ValueSource(longs = {81, 82, 83})
    void anyMixOfSubscriptions_tellsNoMessageTwice(long seed) {
        Random random = new Random(seed);
        Set<String> real = new LinkedHashSet<>();
        Set<String> copied = new LinkedHashSet<>();
        StringBuilder behind = new StringBuilder();
        int id = 0;
        int heard = 0;
        for (int step = 0; step < 3_000; step++) {
            String topic = String.valueOf((char) ('a' + random.nextInt(4)));
            switch (random.nextInt(5)) {
                case 0 -> {
                    real.add(topic);
                    sides.production("SUBSCRIBE " + topic + "\r\n");
                    sides.server("*3\r\n$9\r\nsubscribe\r\n$1\r\n%s\r\n:%d\r\n".formatted(topic, real.size()));
                }
                case 1 -> {
                    real.remove(topic);
                    sides.production("UNSUBSCRIBE " + topic + "\r\n");
                    sides.server("*3\r\n$11\r\nunsubscribe\r\n$1\r\n%s\r\n:%d\r\n".formatted(topic, real.size()));
                }
                case 2 -> {
                    if (real.contains(topic)) {
                        sides.server(message(topic, String.valueOf((char) ('A' + id++ % 26))));
                    }
                }
                case 3 -> {
                    if (!copied.contains(topic)) {
                        String answer = sides.debug("SUBSCRIBE " + topic + "\r\n");
                        behind.append(answer);
                        if (!answer.startsWith("-UNDERSTUDY")) {
                            copied.add(topic);
                        }
                    }
                }
                default -> {
                    if (copied.remove(topic)) {
                        behind.append(sides.debug("UNSUBSCRIBE " + topic + "\r\n"));
                    }
                }
            }
            String told = behind.append(sides.debug("")).toString();
            behind.setLength(0);
            heard += told.split("message", -1).length - 1;
            assertThat(heard).as("seed %d, step %d", seed, step).isLessThanOrEqualTo(id);
            assertThat(sides.subscriptions.bytes())
                    .as("seed %d, step %d", seed, step)
                    .isBetween(0L, 2_000L);
        }
        assertThat(heard).as("seed %d", seed).isPositive();
        assertThat((long) heard).as("seed %d", seed).isEqualTo(sides.test.replayed.pushed());
    }
}
