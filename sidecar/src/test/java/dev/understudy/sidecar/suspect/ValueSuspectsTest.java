package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Slow;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a value tells of a method that runs in every exchange and takes the same way. */
final class ValueSuspectsTest {
    private static final int METHOD = 5;
    private static final int LIMIT = 32_800;
    private static final int PAIR = 32_801;
    private static final int TEXT = 65_535;

    private static final int JUMP = 32_900;

    private static final int CALLED = 0;
    private static final int THREW = 1;
    private static final int NOT_NULL = 5;
    private static final int LESS = 0;
    private static final int EQUAL = 1;
    private static final int GREATER = 2;
    private static final int JUMPED = 13;
    private static final int WENT_ON = 14;
    private static final int FOUR_TO_SEVEN = 5;
    private static final int EIGHT_TO_15 = 6;

    private static final String NAMES = "\"methods\":{\"5\":\"a.Cart#total\"},\"values\":{"
            + value(LIMIT, 42, "store", "number", "limit", "") + ","
            + value(PAIR, 44, "return", "pair", "", "most") + "," + value(TEXT, 0, "entry", "object", "url", "") + "}";

    private final Suspects suspects = new Suspects(new Labels(LabelRule.defaults()), new Random(7));
    private final TestAgent agent = new TestAgent(suspects, NAMES);

    @Test
    void aNumberOfAnotherMagnitude_isSuspected() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            agent.exchange(
                    trigger, METHOD * 16, LIMIT * 16 + (trigger ? FOUR_TO_SEVEN : EIGHT_TO_15), METHOD * 16 + NOT_NULL);
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("a.Cart#total");
        assertThat(first.predicate()).isEqualTo("at line 42 made limit 4 to 7");
        assertThat(first.line()).isEqualTo(42);
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(1000);
        assertThat(first.successful()).isZero();
    }

    @Test
    void exchangesInWhichTheValueWasNotSeen_sayNothingOfIt() {
        Random random = new Random(2);
        for (int i = 0; i < 1000; i++) {
            agent.exchange(random.nextInt(40) == 0, METHOD * 16);
        }
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            int relation = trigger ? GREATER : random.nextBoolean() ? LESS : EQUAL;
            agent.exchange(trigger, METHOD * 16, PAIR * 16 + relation);
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).isEqualTo("at line 44 returned greater than most");
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(1000);
        assertThat(first.failing()).isEqualTo(first.failingObserved());
    }

    @Test
    void kindsThatHoldTogether_areEachComparedWithAllCalls() {
        Random random = new Random(3);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            int plain = TEXT * 16 + 1;
            int[] held = trigger ? new int[] {METHOD * 16, plain, TEXT * 16 + 4} : new int[] {METHOD * 16, plain};
            agent.exchange(trigger, held);
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).isEqualTo("was called with a ? in url");
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(1000);
        assertThat(suspects.focus().classes()).contains("a.Cart");
    }

    /**
     * A length of the request goes with failing as well as the limit that is set near to where ways part, and comes
     * first.
     */
    @Test
    void aValueFarFromWhereWaysPart_standsBehindOneThatIsNear() {
        int read = 7;
        int refuse = 8;
        int length = 32_802;
        TestAgent withLength = new TestAgent(
                suspects,
                NAMES.replace(
                                "\"methods\":{",
                                "\"methods\":{\"7\":\"b.Input#read\",\"8\":\"a.Limits$Of#refuse\","
                                        + "\"9\":\"a.Cart#serve\",")
                        .replace(
                                "\"values\":{",
                                "\"values\":{"
                                        + value(length, 3, "store", "number", "length", "")
                                                .replace("a.Cart#total", "b.Input#read")
                                        + ","));
        Random random = new Random(5);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            int magnitude = trigger ? FOUR_TO_SEVEN : EIGHT_TO_15;
            int[] held = {read * 16, length * 16 + magnitude, METHOD * 16, LIMIT * 16 + magnitude, refuse * 16};
            withLength.exchange(trigger, List.of(refuse, METHOD, METHOD, 9), trigger ? held : Arrays.copyOf(held, 4));
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method() + " " + first.predicate()).isEqualTo("a.Cart#total at line 42 made limit 4 to 7");
        assertThat(first.alike())
                .extracting(alike -> alike.method() + " " + alike.predicate())
                .containsExactly(
                        "a.Cart#serve called it",
                        "a.Limits$Of#refuse was called",
                        "b.Input#read at line 3 made length 4 to 7");
    }

    /**
     * Since agents look into another class, a number goes with failing as well as a jump there; before, it also
     * occurred in good exchanges.
     */
    @Test
    void aValueThatFailsLessOftenThanTheBest_comesBehindWhatIsSeenSinceLater() {
        int worth = METHOD + 1;
        String early = "\"methods\":{\"5\":\"a.Cart#total\",\"6\":\"a.Cart#worth\"},\"values\":{"
                + value(LIMIT, 42, "store", "number", "limit", "") + "}";
        String late = early + ",\"branches\":{\"" + JUMP + "\":{\"method\":\"a.Cart$In#put\",\"line\":7,\"to\":9,"
                + "\"condition\":1,\"conditions\":1,\"asked\":[],\"setters\":[]}}";
        TestAgent before = new TestAgent(suspects, early);
        for (int i = 0; i < 4000; i++) {
            boolean fails = i % 100 == 0;
            int magnitude = fails || i % 400 == 1 ? FOUR_TO_SEVEN : EIGHT_TO_15;
            before.exchange(
                    fails, METHOD * 16, LIMIT * 16 + magnitude, worth * 16, worth * 16 + (fails ? THREW : NOT_NULL));
        }
        TestAgent since = new TestAgent(suspects, late);
        for (int i = 0; i < 500; i++) {
            boolean fails = i % 10 == 0;
            since.exchange(
                    fails,
                    METHOD * 16,
                    LIMIT * 16 + (fails ? FOUR_TO_SEVEN : EIGHT_TO_15),
                    JUMP * 16 + (fails ? JUMPED : WENT_ON),
                    worth * 16,
                    worth * 16 + (fails ? THREW : NOT_NULL));
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method() + " " + first.predicate()).isEqualTo("a.Cart$In#put at line 7 went to line 9");
    }

    /** A text that goes with failing as well as the method that is slow for it. */
    @Test
    void whereExchangesFailByTheirTime_whatTakesItComesFirst() {
        LabelRule byTime = new LabelRule(true, 600, true, true, Slow.from(Duration.ofSeconds(2)), List.of(), 10);
        assertThat(firstOfTextAndTime(byTime)).isEqualTo("a.Words#split took far longer than usual");
        assertThat(firstOfTextAndTime(LabelRule.defaults())).startsWith("a.Cart#total was called with ");
    }

    @Test
    void whatTakesTheTime_comesFirst_thoughItIsHeldUpInSomeGoodOnesToo() {
        LabelRule byTime = new LabelRule(true, 600, true, true, Slow.from(Duration.ofSeconds(2)), List.of(), 10);
        assertThat(firstOfTextAndTime(byTime, 0.02)).isEqualTo("a.Words#split took far longer than usual");
        assertThat(firstOfTextAndTime(byTime, 1)).startsWith("a.Cart#total was called with ");
    }

    private static String firstOfTextAndTime(LabelRule rule) {
        return firstOfTextAndTime(rule, 0);
    }

    /** @param heldUp share of good exchanges in which the method takes long */
    private static String firstOfTextAndTime(LabelRule rule, double heldUp) {
        int split = 7;
        int slow = 2;
        int usual = 3;
        Suspects suspects = new Suspects(new Labels(rule), new Random(7));
        TestAgent agent =
                new TestAgent(suspects, NAMES.replace("\"methods\":{", "\"methods\":{\"7\":\"a.Words#split\","));
        Random random = new Random(6);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            agent.exchange(
                    trigger,
                    List.of(split, METHOD),
                    METHOD * 16,
                    TEXT * 16 + (trigger ? 4 : 1),
                    split * 16,
                    split * 16 + (trigger || random.nextDouble() < heldUp ? slow : usual));
        }
        Suspect first = suspects.standing().suspects().get(0);
        return first.method() + " " + first.predicate();
    }

    @Test
    void aKindCalledZero_isNotTakenForACall() {
        Random random = new Random(4);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            int sign = trigger ? LESS : EQUAL;
            if (i % 3 == 0) {
                agent.exchange(trigger, METHOD * 16 + CALLED);
            } else {
                agent.exchange(trigger, METHOD * 16 + CALLED, PAIR * 16 + sign);
            }
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).isEqualTo("at line 44 returned less than most");
        assertThat(first.failingObserved() + first.successfulObserved()).isBetween(660, 670);
    }

    @Test
    void allKinds_haveWords() {
        for (SuspectValue.At at : SuspectValue.At.values()) {
            for (SuspectValue.Kind kind : SuspectValue.Kind.values()) {
                SuspectValue value = new SuspectValue(
                        "a.B#c", new Line(7, ""), at, kind, "x", kind == SuspectValue.Kind.PAIR ? "y" : "");
                List<String> words = IntStream.range(0, value.kinds())
                        .mapToObj(value::words)
                        .distinct()
                        .toList();
                assertThat(words).hasSize(value.kinds());
                assertThat(value.kinds()).isLessThanOrEqualTo(Predicate.ROOM);
            }
        }
        SuspectValue called =
                new SuspectValue("a.B#c", Line.NONE, SuspectValue.At.ENTRY, SuspectValue.Kind.NUMBER, "x", "");
        assertThat(called.words(4)).isEqualTo("was called with x 2 or 3");
    }

    @Test
    void aPlaceOrKindNobodyKnows_isRefused() {
        String names = NAMES.replace("\"store\"", "\"elsewhere\"");
        assertThatThrownBy(() -> suspects.observed(TestAgent.batch("00000000000000aa", names, METHOD * 16)))
                .hasMessageContaining("at: elsewhere (expected: one of [entry, store, return])");
        assertThat(suspects.observed(TestAgent.batch("00000000000000aa", NAMES, PAIR * 16 + 3))
                        .unnamed())
                .as("a pair has three kinds")
                .isOne();
    }

    @Test
    void damagedBatchesWithValues_areRefusedAndNothingElse() {
        byte[] whole =
                TestAgent.batch("00000000000000aa", NAMES, METHOD * 16, LIMIT * 16 + 15, TEXT * 16 + 4, PAIR * 16);
        agent.damaged("00000000000000aa", whole);
    }

    private static String value(int number, int line, String at, String kind, String name, String other) {
        return "\"" + number + "\":{\"method\":\"a.Cart#total\",\"line\":" + line + ",\"at\":\"" + at + "\",\"kind\":\""
                + kind + "\",\"name\":\"" + name + "\",\"other\":\"" + other + "\"}";
    }
}
