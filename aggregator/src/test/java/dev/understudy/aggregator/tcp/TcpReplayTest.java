package dev.understudy.aggregator.tcp;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TcpReplayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final TestJournal<RecordedReply> test = new TestJournal<>(10_000);
    private final Conversations conversations = new Conversations(8_000, 1_000, () -> 0);
    private TcpRecorder production = new TcpRecorder(test.recording(), conversations);
    private EmbeddedChannel debug = new EmbeddedChannel();

    @AfterEach
    void close() {
        debug.finishAndReleaseAll();
    }

    @Test
    void serverThatSpeaksFirst_isHeardAtOnce() {
        reply("220 hello\r\n");
        connect();

        assertThat(heard()).isEqualTo("220 hello\r\n");
    }

    @Test
    void whatIsSaidAhead_endsTheConnectionAtTheBound() {
        MemoryBudget little = new MemoryBudget(10_000, null);
        UpstreamReplay<RecordedReply> replay = test.replay(PATIENCE, little);
        debug.pipeline().addLast(new TcpReplayHandler(debug, replay, conversations, false));
        debug.pipeline().fireChannelActive();

        for (int n = 0; n < 20 && debug.isActive(); n++) {
            debug.writeInbound(Unpooled.wrappedBuffer(new byte[1_000]));
        }

        assertThat(debug.isActive()).isFalse();
        assertThat(test.reached).containsExactly(DebugLimit.CONNECTION_MEMORY);
    }

    @Test
    void reply_waitsForAllThatProductionHadSentBefore() {
        connect();
        request("one two");
        reply("first");
        request(" three");
        reply("second");

        assertThat(say("one tw")).isEmpty();
        assertThat(say("o th")).isEqualTo("first");
        assertThat(say("ree")).isEqualTo("second");
        assertThat(test.replayed.replayed()).isEqualTo(2);
        assertThat(test.recorded.exchanges()).isEqualTo(2);
        assertThat(conversations.bytes()).isZero();
    }

    @Test
    void productionThatIsSlower_isWaitedFor() {
        connect();
        debug.writeInbound(bytes("question"));
        request("question");
        reply("answer");

        assertThat(say("")).isEqualTo("answer");
    }

    @Test
    void mismatch_endsTheConnectionAndNamesThePlaceAndBothBytes() {
        request("GET a\n");
        reply("1");
        connect();

        assertThat(say("GET b\n")).isEmpty();
        assertThat(debug.isOpen()).isFalse();
        assertThat(test.misses.latest(1)).singleElement().satisfies(miss -> {
            assertThat(miss.form()).isEqualTo("connection 1, byte 4");
            assertThat(miss.why()).isEqualTo("sent 0x62, production 0x61");
        });
        assertThat(test.replayed.ambiguous()).isZero();
    }

    @Test
    void mismatchByCount_isPlayedOnAndCountedAsAGuess() {
        request("GET a\n");
        reply("1");
        request("GET c\n");
        reply("2");
        connect(true);

        assertThat(say("GET b\nGET d\n")).isEqualTo("12");
        assertThat(test.replayed.missed()).isEqualTo(1);
        assertThat(test.replayed.ambiguous()).isEqualTo(2);
    }

    @Test
    void debugThatSaysMoreThanProduction_isAMiss() {
        request("a");
        reply("1");
        connect();

        assertThat(say("ab")).isEqualTo("1");
        debug.advanceTimeBy(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        debug.runScheduledPendingTasks();
        assertThat(debug.isOpen()).isFalse();
        assertThat(test.misses.latest(1).get(0).why()).isEqualTo("1 bytes that production hasn't sent");
    }

    @Test
    void connectionThatProductionNeverOpened_isAMissAndLeavesItsNumberOut() {
        connect();
        EmbeddedChannel first = debug;
        assertThat(first.isOpen()).isTrue();
        EmbeddedChannel second = connected();
        second.advanceTimeBy(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        second.runScheduledPendingTasks();
        assertThat(second.isOpen()).isFalse();
        assertThat(test.misses.latest(1).get(0).why()).isEqualTo("production hasn't opened as many connections");

        production = new TcpRecorder(test.recording(), conversations);
        reply("for the second, which has gone");
        production = new TcpRecorder(test.recording(), conversations);
        reply("three");
        EmbeddedChannel third = connected();
        assertThat(heard(third)).isEqualTo("three");
        third.finishAndReleaseAll();
        second.finishAndReleaseAll();
    }

    @Test
    void endOfEitherDirection_isPlayedInItsOrder() {
        request("all");
        production.requestEnd(1);
        reply("sum");
        production.replyEnd(1);
        production.closed(1);
        connect();

        assertThat(say("all")).isEmpty();
        debug.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(heard()).isEqualTo("sum");
        assertThat(debug.isOpen()).isFalse();
        assertThat(test.replayed.missed()).isZero();
    }

    @Test
    void whatDoesNotFit_endsTheConversationAndIsCounted() {
        reply("x".repeat(600));
        reply("y".repeat(600));
        connect();

        assertThat(heard()).isEqualTo("x".repeat(600));
        assertThat(debug.isOpen()).isFalse();
        assertThat(test.recorded.unrecorded(Unrecorded.TOO_LARGE)).isEqualTo(1);
        assertThat(test.replayed.missed()).isEqualTo(1);
        assertThat(conversations.bytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {71, 72, 73})
    void anyChunking_isPlayedAlike(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            connect();
            StringBuilder requests = new StringBuilder();
            StringBuilder replies = new StringBuilder();
            StringBuilder heard = new StringBuilder();
            for (int i = 0; i < 10; i++) {
                String said = Integer.toString(random.nextInt(1_000));
                if (random.nextBoolean()) {
                    requests.append(said);
                    request(said);
                } else {
                    replies.append(said);
                    reply(said);
                }
            }
            for (int from = 0; from < requests.length(); ) {
                int to = Math.min(requests.length(), from + 1 + random.nextInt(6));
                heard.append(say(requests.substring(from, to)));
                from = to;
            }
            heard.append(say(""));
            assertThat(debug.isOpen()).as("seed %d, round %d", seed, round).isTrue();
            assertThat(heard.toString()).as("seed %d, round %d", seed, round).isEqualTo(replies.toString());
            debug.finishAndReleaseAll();
            production = new TcpRecorder(test.recording(), conversations);
        }
        assertThat(test.replayed.missed()).as("seed %d", seed).isZero();
    }

    private void request(String said) {
        production.request(ByteBuffer.wrap(said.getBytes(StandardCharsets.UTF_8)), 1);
    }

    private void reply(String said) {
        production.reply(ByteBuffer.wrap(said.getBytes(StandardCharsets.UTF_8)), 1);
    }

    private void connect() {
        connect(false);
    }

    private void connect(boolean byCount) {
        debug = new EmbeddedChannel();
        debug.pipeline().addLast(new TcpReplayHandler(debug, test.replay(PATIENCE), conversations, byCount));
        debug.pipeline().fireChannelActive();
    }

    private EmbeddedChannel connected() {
        EmbeddedChannel before = debug;
        connect();
        EmbeddedChannel connected = debug;
        debug = before;
        return connected;
    }

    private String say(String said) {
        debug.writeInbound(bytes(said));
        return heard();
    }

    private String heard() {
        return heard(debug);
    }

    private static String heard(EmbeddedChannel channel) {
        channel.runPendingTasks();
        channel.checkException();
        StringBuilder heard = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            heard.append(out.toString(StandardCharsets.UTF_8));
            out.release();
        }
        return heard.toString();
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }
}
