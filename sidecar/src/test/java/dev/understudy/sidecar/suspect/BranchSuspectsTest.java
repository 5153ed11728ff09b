package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Slow;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a jump tells of a method that runs in every exchange. */
final class BranchSuspectsTest {
    private static final int METHOD = 5;
    private static final int OTHER = 6;
    /** At line 42, to 47. */
    private static final int CONDITION = 32_800;
    /** At line 50, ways to 51, 52 and 53. */
    private static final int FIRST_WAY = 32_801;

    private static final int SETTER = 7;
    private static final int CALLER = 8;

    private static final int THREW = 1;
    private static final int NULL = 4;
    private static final int NOT_NULL = 5;
    private static final int JUMPED = 13;
    private static final int WENT_ON = 14;

    private static final String METHODS = "\"methods\":{\"5\":\"a.Cart#total\",\"6\":\"a.Cart#worth\"}";
    private static final String NAMES = METHODS + ",\"branches\":{"
            + branch(CONDITION, 42, 47, 2, 3)
            + "," + branch(FIRST_WAY, 50, 51, 0, 0) + "," + branch(FIRST_WAY + 1, 50, 52, 0, 0) + ","
            + branch(FIRST_WAY + 2, 50, 53, 0, 0) + "}";

    private static final String DECIDED =
            "\"methods\":{\"5\":\"a.Cart#total\",\"6\":\"a.Cart#worth\",\"7\":\"a.Cart#set\",\"8\":\"a.Shop#fill\"},"
                    + "\"branches\":{\"" + CONDITION
                    + "\":{\"method\":\"a.Cart#total\",\"line\":42,\"to\":47,\"condition\":1,\"conditions\":1,"
                    + "\"asked\":[\"a.Stock#has\"],\"setters\":[\"a.Cart#set\"]}}";

    private final Suspects suspects = new Suspects(new Labels(LabelRule.defaults()), new Random(7));
    private final TestAgent agent = new TestAgent(suspects, NAMES);
    private final TestAgent unlooked = new TestAgent(suspects, METHODS);

    @Test
    void aMethodThatAlwaysRuns_isFoundByTheWayItTook() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            agent.exchange(trigger, METHOD * 16, CONDITION * 16 + (trigger ? JUMPED : WENT_ON), METHOD * 16 + NOT_NULL);
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("a.Cart#total");
        assertThat(first.predicate()).isEqualTo("at line 42, condition 2 of 3, went to line 47");
        assertThat(first.line()).isEqualTo(42);
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(1000);
    }

    @Test
    void exchangesBeforeTheBranchesWereWoven_sayNothingOfThem() {
        Random random = new Random(2);
        for (int i = 0; i < 1000; i++) {
            agent.exchange(random.nextInt(40) == 0, METHOD * 16);
        }
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            agent.exchange(trigger, METHOD * 16, CONDITION * 16 + (trigger ? WENT_ON : JUMPED));
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).isEqualTo("at line 42, condition 2 of 3, went on, not to line 47");
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(1000);
        assertThat(first.failing()).isEqualTo(first.failingObserved());
    }

    @Test
    void branchesThatWereWovenLate_areSeenFromTheFirstExchangeOnThatOtherRulesLabel() {
        Labels labels = new Labels(LabelRule.defaults());
        Suspects relabelled = new Suspects(labels, new Random(7));
        TestAgent plain = new TestAgent(relabelled, METHODS);
        for (int i = 0; i < 400; i++) {
            plain.exchange(i % 4 == 0, METHOD * 16);
        }
        TestAgent looking = new TestAgent(relabelled, NAMES);
        looking.exchange(false, METHOD * 16, CONDITION * 16 + WENT_ON);

        labels.change(rule -> new LabelRule(true, 499, true, true, Slow.NEVER, List.of(), 10));
        looking.under(1);
        Suspects fresh = new Suspects(new Labels(LabelRule.defaults()), new Random(7));
        TestAgent first = new TestAgent(fresh, NAMES);
        for (int i = 0; i < 200; i++) {
            boolean fails = i % 4 == 0;
            int[] held = fails && i % 8 != 0
                    ? new int[] {METHOD * 16}
                    : new int[] {METHOD * 16, CONDITION * 16 + (fails ? JUMPED : WENT_ON)};
            looking.exchange(fails, held);
            first.exchange(fails, held);
        }

        Suspect suspect = relabelled.standing().suspects().get(0);
        assertThat(suspect.line()).isEqualTo(42);
        assertThat(suspect)
                .as("as if it had begun with them")
                .usingRecursiveComparison()
                .ignoringFields("example")
                .isEqualTo(fresh.standing().suspects().get(0));
    }

    @Test
    void aLineThatIsNoneOfTheClasssSource_isNamedByWhatItStandsFor() {
        String names = "\"branches\":{\"" + CONDITION + "\":{\"method\":\"a.Cart#total\",\"line\":187,\"to\":190,"
                + "\"source\":\"7 of Inlined.kt (inlined at line 21)\",\"toSource\":\"10 of Inlined.kt\","
                + "\"condition\":1,\"conditions\":1}}";
        TestAgent inlining = new TestAgent(suspects, METHODS + "," + names);
        for (int i = 0; i < 1000; i++) {
            inlining.exchange(i % 40 == 0, METHOD * 16, CONDITION * 16 + (i % 40 == 0 ? JUMPED : WENT_ON));
        }

        assertThat(suspects.standing().suspects().get(0).predicate())
                .isEqualTo("at line 7 of Inlined.kt (inlined at line 21) went to line 10 of Inlined.kt");
    }

    @Test
    void aCauseThatIsLookedAtLate_standsBeforeItsEffectAllTheSame() {
        Random random = new Random(5);
        for (int i = 0; i < 2000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            int effect = OTHER * 16 + (trigger ? NULL : NOT_NULL);
            if (i < 1000) {
                unlooked.exchange(trigger, METHOD * 16, OTHER * 16, effect);
            } else {
                agent.exchange(trigger, METHOD * 16, CONDITION * 16 + (trigger ? JUMPED : WENT_ON), OTHER * 16, effect);
            }
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).isEqualTo("at line 42, condition 2 of 3, went to line 47");
        assertThat(first.alike())
                .extracting(alike -> alike.method() + " " + alike.predicate())
                .containsExactly("a.Cart#worth returned null");
    }

    /**
     * Half of those that come to the jump fail, so that it makes failing only twice as likely; its effect makes it
     * certain.
     */
    @Test
    void aCauseThatFewExchangesComeTo_standsBeforeItsEffect() {
        Random random = new Random(6);
        for (int i = 0; i < 2000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            if (trigger || random.nextInt(40) == 0) {
                agent.exchange(
                        trigger,
                        METHOD * 16,
                        CONDITION * 16 + (trigger ? JUMPED : WENT_ON),
                        OTHER * 16,
                        OTHER * 16 + (trigger ? NULL : NOT_NULL));
            } else {
                agent.exchange(false, METHOD * 16, OTHER * 16, OTHER * 16 + NOT_NULL);
            }
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).isEqualTo("at line 42, condition 2 of 3, went to line 47");
        assertThat(first.alike())
                .extracting(alike -> alike.method() + " " + alike.predicate())
                .containsExactly("a.Cart#worth returned null");
    }

    @Test
    void whatWasSeenInTwoFailingExchanges_suspectsNobodyYet() {
        for (int i = 0; i < 1000; i++) {
            boolean fails = i % 40 == 0;
            int effect = OTHER * 16 + (fails ? NULL : NOT_NULL);
            if (i < 910) {
                unlooked.exchange(fails, METHOD * 16, OTHER * 16, effect);
            } else {
                agent.exchange(fails, METHOD * 16, CONDITION * 16 + (fails ? JUMPED : WENT_ON), OTHER * 16, effect);
            }
        }

        assertThat(suspects.standing().suspects().get(0).predicate()).isEqualTo("returned null");
    }

    @Test
    void whatLedToAWay_standsBeforeIt_thoughItFailedLessOftenBeforeAgentsLooked() {
        late(false);

        assertThat(suspects.standing().suspects().get(0).method()).isEqualTo("a.Cart#worth");
        assertThat(suspects.standing().suspects().get(0).predicate()).isEqualTo("was called");
    }

    @Test
    void whatLedToOneThatIsAsGoodAsTheBest_standsBeforeBoth() {
        late(true);

        assertThat(suspects.standing().suspects().get(0).method()).isEqualTo("a.Cart#worth");
    }

    /**
     * A method leads to a jump; both go with failing in more than half of their exchanges since agents look there, the
     * method in fewer before.
     *
     * @param better whether a way of a switch is seen in fewer of them, of which more fail, so that it is just more
     *     important
     */
    private void late(boolean better) {
        for (int i = 0; i < 170; i++) {
            unlooked.exchange(i < 20, OTHER * 16, METHOD * 16);
        }
        for (int i = 0; i < 4_120; i++) {
            boolean comes = i < 220;
            boolean chosen = better && i < 100;
            boolean fails = chosen ? i < 60 : comes && i < (better ? 160 : 120);
            int condition = CONDITION * 16 + (comes ? JUMPED : WENT_ON);
            int way = (FIRST_WAY + (chosen ? 1 : 0)) * 16 + JUMPED;
            agent.exchange(
                    fails,
                    comes
                            ? new int[] {OTHER * 16, METHOD * 16, condition, way}
                            : new int[] {METHOD * 16, condition, way});
        }
    }

    @Test
    void aWayOfASwitch_isComparedWithItsOtherWays() {
        Random random = new Random(3);
        for (int i = 0; i < 2000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            if (random.nextInt(4) == 0 && !trigger) {
                agent.exchange(false, METHOD * 16); // the switch isn't reached
            } else {
                int way = trigger ? 1 : random.nextBoolean() ? 0 : 2;
                agent.exchange(trigger, METHOD * 16, (FIRST_WAY + way) * 16 + JUMPED);
            }
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).isEqualTo("at line 50 chose line 52");
        assertThat(first.failingObserved() + first.successfulObserved()).isBetween(1400, 1650);
    }

    @Test
    void whatIsSaidOfTheWholeMethodAsWell_standsBeforeItsBranch() {
        Random random = new Random(4);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            agent.exchange(
                    trigger,
                    METHOD * 16,
                    CONDITION * 16 + (trigger ? JUMPED : WENT_ON),
                    OTHER * 16,
                    OTHER * 16 + (trigger ? NULL : NOT_NULL),
                    METHOD * 16 + (trigger ? NULL : NOT_NULL));
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method() + " " + first.predicate()).isEqualTo("a.Cart#total returned null");
        assertThat(first.alike())
                .extracting(alike -> alike.method() + " " + alike.predicate())
                .containsExactly(
                        "a.Cart#total at line 42, condition 2 of 3, went to line 47", "a.Cart#worth returned null");
    }

    @Test
    void whatDecidedTheWay_standsBehindTheMethodThatWentIt_andWhoSetWhatItLookedAt() {
        TestAgent telling = new TestAgent(suspects, DECIDED);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = i % 40 == 0;
            List<Integer> calls = trigger ? List.of(METHOD, OTHER) : List.of(METHOD, OTHER, SETTER, CALLER);
            telling.exchange(
                    trigger,
                    calls,
                    OTHER * 16,
                    METHOD * 16,
                    SETTER * 16,
                    CONDITION * 16 + (trigger ? JUMPED : WENT_ON),
                    METHOD * 16 + (trigger ? THREW : NOT_NULL));
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method() + " " + first.predicate()).isEqualTo("a.Cart#total threw");
        assertThat(first.alike())
                .extracting(alike -> alike.method() + " " + alike.predicate())
                .containsExactly(
                        "a.Stock#has returned what decided it",
                        "a.Shop#fill calls what sets the field that decided it",
                        "a.Cart#set sets the field that decided it",
                        "a.Cart#total at line 42 went to line 47");
        assertThat(first.context()).containsExactly("a.Cart#worth");
    }

    @Test
    void whoThrowsForWhatAFieldHolds_standsBehindThoseWhoSetIt() {
        TestAgent telling = new TestAgent(suspects, DECIDED.replace("[\"a.Stock#has\"]", "[]"));
        for (int i = 0; i < 1000; i++) {
            boolean trigger = i % 40 == 0;
            telling.exchange(
                    trigger,
                    trigger ? List.of(METHOD, OTHER) : List.of(METHOD, OTHER, SETTER, CALLER),
                    METHOD * 16,
                    CONDITION * 16 + (trigger ? JUMPED : WENT_ON),
                    METHOD * 16 + (trigger ? THREW : NOT_NULL));
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("a.Shop#fill");
        assertThat(first.predicate()).isEqualTo("calls what sets the field that decided it: a.Cart#total threw");
        assertThat(first.failing()).isEqualTo(25);
        assertThat(first.alike())
                .extracting(alike -> alike.method() + " " + alike.predicate())
                .startsWith("a.Cart#total threw", "a.Cart#set sets the field that decided it");
    }

    @Test
    void theWayThatLeadsToACall_comesFirst_thoughItWasLookedAtLate() {
        call(unlooked, 69, true, METHOD * 16, OTHER * 16);
        call(unlooked, 45, false, METHOD * 16, OTHER * 16);
        call(unlooked, 500, false, METHOD * 16);
        call(agent, 60, true, METHOD * 16, CONDITION * 16 + JUMPED, OTHER * 16);
        call(agent, 54, false, METHOD * 16, CONDITION * 16 + JUMPED, OTHER * 16);
        call(agent, 500, false, METHOD * 16, CONDITION * 16 + WENT_ON);

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method() + " " + first.predicate())
                .isEqualTo("a.Cart#total at line 42, condition 2 of 3, went to line 47");
        assertThat(first.alike()).extracting(Suspect.Alike::method).contains("a.Cart#worth");
    }

    @Test
    void whatDecidedTheWay_isTold_thoughItWasLookedAtLate() {
        TestAgent early = new TestAgent(suspects, METHODS);
        TestAgent decided = new TestAgent(suspects, DECIDED);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = i % 20 == 0;
            int[] held = trigger ? new int[] {METHOD * 16, METHOD * 16 + THREW} : new int[] {METHOD * 16};
            if (i < 500) {
                early.exchange(trigger, held);
            } else {
                int[] more = Arrays.copyOf(held, held.length + 1);
                more[held.length] = CONDITION * 16 + (trigger ? JUMPED : WENT_ON);
                decided.exchange(trigger, more);
            }
        }

        assertThat(suspects.standing().suspects().get(0).alike())
                .extracting(Suspect.Alike::predicate)
                .as("its branch was seen in half of the failing ones")
                .contains("returned what decided it");
    }

    @Test
    void damagedBatchesWithDeciders_areRefusedAndNothingElse() {
        byte[] whole = TestAgent.batch("00000000000000aa", DECIDED, METHOD * 16, CONDITION * 16 + JUMPED);
        new TestAgent(suspects, DECIDED).damaged("00000000000000aa", whole);
    }

    @Test
    void damagedBatchesWithBranches_areRefusedAndNothingElse() {
        byte[] whole = TestAgent.batch(
                "00000000000000aa", NAMES, METHOD * 16, CONDITION * 16 + JUMPED, FIRST_WAY * 16 + JUMPED);
        agent.damaged("00000000000000aa", whole);
    }

    private static void call(TestAgent agent, int times, boolean fails, int... held) {
        for (int i = 0; i < times; i++) {
            agent.exchange(fails, held);
        }
    }

    private static String branch(int number, int line, int to, int condition, int conditions) {
        return "\"" + number + "\":{\"method\":\"a.Cart#total\",\"line\":" + line + ",\"to\":" + to + ",\"condition\":"
                + condition + ",\"conditions\":" + conditions + "}";
    }
}
