package dev.understudy.aggregator;

import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of many messages: streams of the client, and conversations. */
class GrpcConversationsTest extends GrpcStage {
    private static final int MANY = 20_000;

    @Test
    void clientStream_isMatchedByAllItsMessages() throws Exception {
        assertThat(sum(production, "a", "b", "c")).isEqualTo("1 a+b+c+");
        assertThat(sum(production, "a", "b", "d")).isEqualTo("2 a+b+d+");

        assertThat(sum(debug, "a", "b", "d")).isEqualTo("2 a+b+d+");
        assertThat(sum(debug, "a", "b", "c")).isEqualTo("1 a+b+c+");
        assertReplayed(2);
    }

    @Test
    void clientStreamThatFailsBeforeItsEnd_failsAsItDid() throws Exception {
        failing(production, "a", "fail");
        failing(debug, "a", "fail");
        assertReplayed(1);
    }

    @Test
    void clientStreamsThatBeginAlike_eachGetTheirOwn_whateverTheirOrder() throws Exception {
        failing(production, "a", "fail");
        failing(production, "a", "b", "fail");
        assertThat(sum(production, "a")).isEqualTo("1 a+");

        assertThat(sum(debug, "a")).isEqualTo("1 a+");
        failing(debug, "a", "b", "fail");
        failing(debug, "a", "fail");
        assertReplayed(3);
    }

    @Test
    void clientStreamThatGoesOnLate_isNoMiss_whereProductionsWasAnsweredLater() throws Exception {
        open("wait: 100ms");
        failing(production, "a", "fail");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.SUM);
        replayed.say("a");
        assertThat(replayed.poll()).isNull();
        TimeUnit.MILLISECONDS.sleep(300); // beyond the wait
        assertThat(replayed.poll()).isNull();
        replayed.say("fail");
        assertThat(replayed.next()).isEqualTo("OUT_OF_RANGE no more");
        assertReplayed(1);
    }

    @Test
    void conversationThatProductionNeverHad_isAMiss_whereItsWereAnsweredAtOnce() throws Exception {
        open("wait: 100ms");
        new GrpcConversation(production, GrpcEcho.TALK).exchange("a", "b");

        GrpcConversation other = new GrpcConversation(debug, GrpcEcho.TALK);
        other.say("other");
        assertThat(other.next()).startsWith("UNAVAILABLE");
    }

    private static void failing(ManagedChannel side, String... messages) throws Exception {
        GrpcConversation call = new GrpcConversation(side, GrpcEcho.SUM);
        for (String message : messages) {
            call.say(message);
        }
        assertThat(call.next()).isEqualTo("OUT_OF_RANGE no more");
    }

    @Test
    void conversation_isAnsweredAsFarAsDebugHasSaidWhatProductionHad() throws Exception {
        GrpcConversation real = new GrpcConversation(production, GrpcEcho.TALK);
        List<String> heard = real.exchange("a", "b", "c");
        assertThat(heard).containsExactly("1.1 a", "1.2 b", "1.3 c", "1 bye", "end");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        replayed.say("a");
        assertThat(replayed.next()).isEqualTo("1.1 a");
        assertThat(replayed.poll()).isNull();
        replayed.say("b");
        assertThat(replayed.next()).isEqualTo("1.2 b");
        replayed.say("c");
        assertThat(replayed.next()).isEqualTo("1.3 c");
        assertThat(replayed.poll()).isNull();
        replayed.end();
        assertThat(List.of(replayed.next(), replayed.next())).containsExactly("1 bye", "end");
        assertReplayed(1);
    }

    @Test
    void conversationThatDebugSaysAtOnce_isTheSame() throws Exception {
        new GrpcConversation(production, GrpcEcho.TALK).exchange("a", "b");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        replayed.say("a");
        replayed.say("b");
        replayed.end();
        assertThat(List.of(replayed.next(), replayed.next(), replayed.next(), replayed.next()))
                .containsExactly("1.1 a", "1.2 b", "1 bye", "end");
        assertReplayed(1);
    }

    @Test
    void conversationThatGoesAnotherWay_endsWhereItDoes() throws Exception {
        new GrpcConversation(production, GrpcEcho.TALK).exchange("a", "b");

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        replayed.say("a");
        assertThat(replayed.next()).isEqualTo("1.1 a");
        replayed.say("x");
        assertThat(replayed.next()).startsWith("UNAVAILABLE").contains("message 2 isn't the one that production sent");
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":1");
        assertThat(server.calls).hasSize(1);
    }

    @Test
    void conversationBeforeProductions_waitsForIt() throws Exception {
        GrpcConversation early = new GrpcConversation(debug, GrpcEcho.TALK);
        early.say("a");
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"requests\":1"));
        new GrpcConversation(production, GrpcEcho.TALK).exchange("a");

        assertThat(early.next()).isEqualTo("1.1 a");
        early.end();
        assertThat(List.of(early.next(), early.next())).containsExactly("1 bye", "end");
        assertReplayed(1);
    }

    @Test
    @Tag("slow")
    void conversationOfManyMessages_isReplayedToItsEnd_thoughDebugSaysItAtOnce() throws Exception {
        manyAreRecorded();

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        for (int n = 0; n < MANY; n++) {
            replayed.say("a");
        }
        replayed.end();
        for (int n = 1; n <= MANY; n++) {
            assertThat(replayed.next()).isEqualTo("1." + n + " a");
        }
        assertThat(List.of(replayed.next(), replayed.next())).containsExactly("1 bye", "end");
        assertReplayed(1);
    }

    @Test
    @Tag("slow")
    void conversationOfManyMessages_thatGoesAnotherWayLate_endsWhereItDoes() throws Exception {
        manyAreRecorded();

        GrpcConversation replayed = new GrpcConversation(debug, GrpcEcho.TALK);
        for (int n = 1; n < MANY; n++) {
            replayed.say("a");
        }
        replayed.say("b");
        int answers = 0;
        String heard = replayed.next();
        while (heard.equals("1." + (answers + 1) + " a")) {
            answers++;
            heard = replayed.next();
        }
        assertThat(answers).as("what production had got before").isLessThan(MANY);
        assertThat(heard).startsWith("UNAVAILABLE").contains("message " + MANY + " isn't the one");
        assertThat(TestAggregator.status(aggregator)).contains("\"missed\":1");
    }

    @Test
    @Tag("slow")
    void clientStreamOfManyMessages_isMatchedByAllOfThem() throws Exception {
        open("wait: 1ms");
        String[] messages = "a,".repeat(MANY).split(",");
        messages[MANY - 1] = "b";
        String real = sum(production, messages);
        TestAggregator.awaitUnused(aggregator, 1);
        assertThat(sum(debug, messages)).isEqualTo(real).endsWith("+b+");
        messages[MANY - 2] = "c";
        assertThat(sum(debug, messages)).startsWith("UNAVAILABLE");
    }

    /** Production says and hears more messages than may be held. */
    private void manyAreRecorded() throws Exception {
        GrpcConversation real = new GrpcConversation(production, GrpcEcho.TALK);
        for (int n = 0; n < MANY; n++) {
            real.say("a");
        }
        for (int n = 1; n <= MANY; n++) {
            assertThat(real.next()).isEqualTo("1." + n + " a");
        }
        real.end();
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"exchanges\":1,"));
        assertThat(TestAggregator.status(aggregator).replaceAll("(?s).*\"large\":", ""))
                .as("whether it is in a file")
                .contains("\"unused\":1");
    }
}
