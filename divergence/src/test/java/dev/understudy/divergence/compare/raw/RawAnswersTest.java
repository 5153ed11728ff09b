package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.compare.NotCompared;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is known of debug's answers, beside how they compare. */
class RawAnswersTest {
    @Test
    void answer_isTimed_fromItsRequestToItsLastByte() {
        Talk talk = new Talk();
        talk.both("220 hello\r\n");
        talk.now = 100;
        talk.asks("HELO me\r\n");
        talk.now = 103;
        talk.both("250");
        talk.now = 107;
        talk.both(" ok\r\n");
        talk.now = 900;
        talk.asks("QUIT\r\n");

        assertThat(talk.asks)
                .containsExactly(
                        new RawRequest(1, "", "", 0, 0, 0), new RawRequest(2, "HELO", "HELO me\\x0d\\x0a", 0, 9, 100));
        assertThat(talk.answers).containsExactly(null, new RawAnswer("250 ok\\x0d\\x0a", true, 7));
        talk.ends();
        assertThat(talk.asks.get(2)).isEqualTo(new RawRequest(3, "", "QUIT\\x0d\\x0a", 9, 6, 900));
        assertThat(talk.answers.get(2)).as("nobody answers").isEqualTo(new RawAnswer("", false, 0));
    }

    @Test
    void answer_thatDiffers_isKnown() {
        Talk talk = new Talk().asks("get a\r\n").production("red\r\n").debug("rod\r\n");
        talk.asks("get b\r\n").production("red\r\n").debug("ERROR\r\n").asks("get c\r\n");

        assertThat(talk.turns).containsExactly("1 get 7 DIFFERENT", "2 get 7 DIFFERENT");
        assertThat(talk.answers)
                .containsExactly(new RawAnswer("rod\\x0d\\x0a", true, 0), new RawAnswer("ERROR\\x0d\\x0a", true, 0));
        talk.both("END\r\n").ends();
        assertThat(talk.answers.get(2)).as("after one of another length").isNull();
    }

    @Test
    void answers_ofAClientThatAsksBeforeItIsAnswered_areNobodysFromThere() {
        Talk talk = new Talk().asks("get a\r\n").both("1\r\n");
        talk.client("get b\r\n").production("2").client("get c\r\n");
        talk.tells(7).debug("2\r\n").tells().production("\r\n3\r\n").debug("3\r\n");
        talk.asks("get d\r\n").both("4\r\n").ends();

        assertThat(talk.turns).containsExactly("1 get 7 SAME", "2 get 7 SAME", "3 get 7 SAME", "4 get 7 SAME");
        assertThat(talk.answers.get(0)).isEqualTo(new RawAnswer("1\\x0d\\x0a", true, 0));
        assertThat(talk.answers.get(1)).as("where it ends").isEqualTo(new RawAnswer("2\\x0d\\x0a", false, 0));
        assertThat(talk.answers.get(2)).isNull();
        assertThat(talk.answers.get(3)).isNull();
    }

    @Test
    void answers_ofAServerThatSpeaksUnasked_areNobodysFromThere() {
        Talk talk = new Talk().asks("watch\r\n").both("ok\r\n").debug("event\r\n");
        talk.asks("get a\r\n").production("event\r\n").both("1\r\n").asks("get b\r\n");

        assertThat(talk.turns).containsExactly("1 7 SAME", "2 get 7 SAME");
        assertThat(talk.answers).containsExactly(new RawAnswer("ok\\x0d\\x0aevent\\x0d\\x0a", false, 0), null);
    }

    @Test
    void answer_ofADebugThatIsGone_isNotWhole() {
        Talk talk = new Talk().asks("get a\r\n").production("1\r\n").debug("1");
        talk.comparison.debugOver(NotCompared.DEBUG_CLOSED);
        talk.client("get b\r\n");

        assertThat(talk.answers).containsExactly(new RawAnswer("1", false, 0));
    }

    @Test
    void answer_isTheSame_howeverItIsCut() {
        for (int seed = 0; seed < 300; seed++) {
            Talk talk = new Talk(1 << 20, Long.MAX_VALUE, new Random(seed));
            String value = "1".repeat(50) + "22222222222222222\r\n";
            String key = "b".repeat(RawRequest.MOST_SAID);
            talk.asks("get a\r\n")
                    .both(value)
                    .asks("get " + key + "\r\n")
                    .both("3\r\n")
                    .ends();

            assertThat(talk.asks)
                    .as("seed %d", seed)
                    .containsExactly(
                            new RawRequest(1, "get", "get a\\x0d\\x0a", 0, 7, 0),
                            new RawRequest(
                                    2,
                                    "get",
                                    ("get " + key).substring(0, RawRequest.MOST_SAID),
                                    7,
                                    RawRequest.MOST_SAID + 6,
                                    0));
            assertThat(talk.answers)
                    .as("seed %d", seed)
                    .isEqualTo(List.of(
                            new RawAnswer(value.substring(0, RawAnswer.MOST_SAID), true, 0),
                            new RawAnswer("3\\x0d\\x0a", true, 0)));
        }
    }
}
