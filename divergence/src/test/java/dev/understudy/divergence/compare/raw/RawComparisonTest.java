package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.mask.Masking;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RawComparisonTest {
    @Test
    void equalReplies_areSame_turnByTurn() {
        Talk talk = new Talk().asks("get a\r\n").both("1\r\n").asks("quit\r\n").both("bye\r\n");

        assertThat(talk.turns).containsExactly("1 get 7 SAME");
        assertThat(talk.ends().turns).containsExactly("1 get 7 SAME", "2 6 SAME");
        assertThat(talk.used).isZero();
    }

    @Test
    void serverThatSpeaksFirst_hasATurnWithoutARequest() {
        Talk talk = new Talk().both("220 hello\r\n").asks("HELO me\r\n").both("250 ok\r\n");

        assertThat(talk.ends().turns).containsExactly("1 0 SAME", "2 HELO 9 SAME");
    }

    @Test
    void difference_isTold_withOffsetLengthAndExcerpt() {
        Talk talk = new Talk()
                .asks("get a\r\n")
                .production("VALUE a 1\r\nred\r\n")
                .debug("VALUE a 1\r\nrod\r\n")
                .asks("get b\r\n")
                .both("END\r\n");

        assertThat(talk.ends().turns).containsExactly("1 get 7 DIFFERENT", "2 get 7 SAME");
        assertThat(talk.difference())
                .isEqualTo(new Difference(
                        "reply",
                        Difference.Type.VALUE,
                        "at offset 12 of 16 bytes, said red\\x0d\\x0a",
                        "at offset 12, said rod\\x0d\\x0a",
                        null));
    }

    @Test
    void debug_thatAnswersBeforeProduction_isComparedAllTheSame() {
        Talk talk = new Talk().asks("get a\r\n").debug("1\r\n").production("2\r\n");

        assertThat(talk.ends().turns).containsExactly("1 get 7 DIFFERENT");
    }

    @Test
    void longerReply_endsTheComparison_inTheTurnWhereItBegins() {
        Talk talk = new Talk()
                .asks("get a\r\n")
                .production("1\r\n")
                .debug("1\r\n22\r\n")
                .asks("get b\r\n")
                .both("3\r\n")
                .asks("get c\r\n")
                .both("4\r\n");

        assertThat(talk.ends().turns)
                .containsExactlyInAnyOrder(
                        "1 get 7 DIFFERENT", "2 get 7 NOT_COMPARED MISALIGNED", "3 get 7 NOT_COMPARED MISALIGNED");
        assertThat(talk.difference())
                .isEqualTo(
                        new Difference("reply", Difference.Type.LENGTH, "3 bytes", "7 bytes, said 22\\x0d\\x0a", null));
        assertThat(talk.used).isZero();
    }

    @Test
    void shorterReply_endsTheComparison_inTheTurnWhereItBegins() {
        Talk talk = new Talk()
                .asks("get a\r\n")
                .production("123\r\n")
                .debug("12")
                .asks("get b\r\n")
                .both("456\r\n")
                .asks("get c\r\n")
                .both("4\r\n");

        assertThat(talk.ends().turns)
                .containsExactlyInAnyOrder(
                        "1 get 7 DIFFERENT", "2 get 7 NOT_COMPARED MISALIGNED", "3 get 7 NOT_COMPARED MISALIGNED");
        assertThat(talk.difference().type()).isEqualTo(Difference.Type.LENGTH);
        assertThat(talk.difference().debug()).startsWith("at offset 2 of 2 bytes");
    }

    @Test
    void valueThatDiffersInLength_endsTheComparison_whenTheClientSpeaksAgain() {
        Talk talk = new Talk()
                .asks("get a\r\n")
                .production("1 red\r\n")
                .debug("1 green\r\n")
                .asks("get b\r\n")
                .both("END\r\n");

        assertThat(talk.ends().turns).containsExactlyInAnyOrder("1 get 7 DIFFERENT", "2 get 7 NOT_COMPARED MISALIGNED");
        assertThat(talk.difference())
                .isEqualTo(new Difference(
                        "reply",
                        Difference.Type.LENGTH,
                        "at offset 2 of 7 bytes, said 1 red\\x0d\\x0a",
                        "at offset 2 of 9 bytes, said 1 green",
                        null));
    }

    @Test
    void clientThatAsksBeforeItIsAnswered_isCompared_asProductionWasHeard() {
        Talk talk = new Talk()
                .asks("a\nb\n")
                .production("1\n")
                .debug("1\n2\n")
                .asks("c\n")
                .production("2\n3\n")
                .debug("3\n");

        assertThat(talk.ends().turns).containsExactly("1 4 SAME", "2 2 SAME");
    }

    @Test
    void lastReply_isComparedToItsEnd() {
        Talk longer = new Talk().asks("get a\r\n").both("1\r\n").debug("2\r\n");
        Talk shorter = new Talk().asks("get a\r\n").production("1\r\n2\r\n").debug("1\r\n");

        assertThat(longer.ends().turns).containsExactly("1 get 7 DIFFERENT");
        assertThat(shorter.ends().turns).containsExactly("1 get 7 DIFFERENT");
        assertThat(shorter.difference())
                .isEqualTo(
                        new Difference("reply", Difference.Type.LENGTH, "6 bytes, said 2\\x0d\\x0a", "3 bytes", null));
    }

    @Test
    void debugThatFallsSilent_isNotCompared() {
        Talk talk = new Talk().asks("get a\r\n").both("1\r\n").asks("get b\r\n").production("2\r\n");
        talk.comparison.clientEnd();
        talk.comparison.productionEnd();
        talk.comparison.productionOver(null);
        talk.comparison.debugOver(NotCompared.TIMED_OUT);

        assertThat(talk.turns).containsExactly("1 get 7 SAME", "2 get 7 NOT_COMPARED TIMED_OUT");
        assertThat(talk.used).isZero();
    }

    @Test
    void debugThatIsGone_leavesLaterTurnsUncompared_andHoldsNothing() {
        Talk talk = new Talk().asks("get a\r\n").production("123").debug("12");
        talk.comparison.debugOver(NotCompared.DEBUG_CLOSED);
        talk.client("get b\r\n").production("3").client("get c\r\n");

        assertThat(talk.turns).containsExactly("1 get 7 NOT_COMPARED INCOMPLETE", "2 get 7 NOT_COMPARED DEBUG_CLOSED");
        assertThat(talk.used).isZero();
    }

    @Test
    void productionThatIsReset_cutsItsLastReplyOff() {
        Talk same = new Talk().asks("get a\r\n").both("1");
        same.comparison.debugOver(NotCompared.NO_DEBUG_REPLY);
        same.comparison.productionOver(NotCompared.INCOMPLETE);
        Talk differs = new Talk().asks("get a\r\n").production("1").debug("2");
        differs.comparison.debugOver(NotCompared.NO_DEBUG_REPLY);
        differs.comparison.productionOver(NotCompared.INCOMPLETE);

        assertThat(same.turns).containsExactly("1 get 7 NOT_COMPARED INCOMPLETE");
        assertThat(differs.turns).containsExactly("1 get 7 DIFFERENT INCOMPLETE");
    }

    @Test
    void requestWithoutAnyReply_isNotCompared() {
        assertThat(new Talk().asks("log this\n").ends().turns)
                .containsExactly("1 log 9 NOT_COMPARED NO_PRODUCTION_REPLY");
    }

    @Test
    void tls_isNotCompared_andOneVerdictStandsForAll() {
        Talk talk = new Talk()
                .asks("STARTTLS now\n")
                .both("go\n")
                .asks("\u0016\u0003\u0001\u0000\u00c4\u0001")
                .production("\u0016\u0003\u0003ours")
                .debug("\u0016\u0003\u0003mine!")
                .asks("\u0017\u0003\u0003")
                .both("x");

        assertThat(talk.ends().turns).containsExactlyInAnyOrder("1 STARTTLS 13 SAME", "2 6 NOT_COMPARED ENCRYPTED");
    }

    @Test
    void tls_thatTheClientAskedForWithinItsBytes_isToldByTheServersAnswer() {
        Talk talk = new Talk()
                .both("hello")
                .asks("switch\u0016\u0003\u0001")
                .production("\u0016\u0003\u0003ours")
                .debug("\u0016\u0003\u0003mine");

        assertThat(talk.ends().turns).containsExactlyInAnyOrder("1 0 SAME", "2 9 NOT_COMPARED ENCRYPTED");
    }

    @Test
    void repliesForWhichThereIsNoRoom_areComparedByHashes() {
        String reply = "x".repeat(5000);
        Talk same = new Talk(1000, Long.MAX_VALUE, null)
                .asks("get a\n")
                .both(reply)
                .asks("b\n")
                .both("2\n");
        Talk differs = new Talk(1000, Long.MAX_VALUE, null)
                .asks("get a\n")
                .production(reply + "1")
                .debug(reply + "2")
                .asks("b\n")
                .both("2\n");

        assertThat(same.ends().turns).containsExactly("1 get 6 SAME", "2 2 SAME");
        assertThat(differs.ends().turns).containsExactly("1 get 6 DIFFERENT", "2 2 SAME");
        assertThat(differs.difference().production()).isEqualTo("after offset 1000 of 5001 bytes");
    }

    @Test
    void turnsForWhichThereIsNoRoom_areNotCompared_andTheOthersAre() {
        Talk talk = new Talk(1000, 2300, null);
        talk.client("a")
                .production("1")
                .client("b")
                .production("2")
                .client("c")
                .production("3")
                .client("d");

        assertThat(talk.turns).containsExactly("3 1 NOT_COMPARED OVERFLOW");
        talk.production("4")
                .tells(1)
                .debug("1")
                .tells(1)
                .debug("2")
                .tells(1)
                .debug("3")
                .ends();
        assertThat(talk.turns)
                .containsExactly("3 1 NOT_COMPARED OVERFLOW", "1 1 SAME", "2 1 SAME", "4 1 NOT_COMPARED OVERFLOW");
        assertThat(talk.used).isZero();
    }

    @Test
    void debugThatSaysMoreThanThereIsRoomFor_isNotTakenToBeTheSame() {
        Talk talk =
                new Talk(4, Long.MAX_VALUE, null).asks("a\n").debug("123456").production("123456");

        assertThat(talk.ends().turns).containsExactly("1 2 NOT_COMPARED OVERFLOW");
    }

    @Test
    void excerpt_holdsTheNameThatMakesAValueSecret_orNotTheValue() {
        Masking masking = new Masking(Set.of());
        Talk named = new Talk()
                .asks("login\n")
                .production("user=1\ntoken=aaaaaaaaa1")
                .debug("user=1\ntoken=aaaaaaaaa2");
        Talk far = new Talk()
                .asks("login\n")
                .production("token=" + "a".repeat(200) + "1 more")
                .debug("token=" + "a".repeat(200) + "2 more");

        assertThat(masking.mask(named.ends().difference()).production())
                .isEqualTo("at offset 22 of 23 bytes, said token=" + Masking.MASK);
        assertThat(masking.mask(far.ends().difference()).debug())
                .isEqualTo("at offset 206, said …" + Masking.MASK + " more");
    }

    @Test
    void wordThatStandsAlone_isNotShown() {
        assertThat(new Talk().asks("hunter\r\n").both("ok\r\n").ends().turns).containsExactly("1 8 SAME");
    }
}
