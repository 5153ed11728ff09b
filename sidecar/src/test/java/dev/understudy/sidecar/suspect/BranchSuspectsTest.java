package dev.understudy.sidecar.suspect;

import java.nio.charset.StandardCharsets;
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

    private static final int NULL = 4;
    private static final int NOT_NULL = 5;
    private static final int JUMPED = 13;
    private static final int WENT_ON = 14;

    private static final String NAMES = "\"methods\":{\"5\":\"a.Cart#total\",\"6\":\"a.Cart#worth\"},\"branches\":{"
            + branch(CONDITION, 42, 47, 2, 3)
            + "," + branch(FIRST_WAY, 50, 51, 0, 0) + "," + branch(FIRST_WAY + 1, 50, 52, 0, 0) + ","
            + branch(FIRST_WAY + 2, 50, 53, 0, 0) + "}";

    private final Suspects suspects = new Suspects(LabelRule.defaults(), new Random(7));
    private int exchanges;

    @Test
    void aMethodThatAlwaysRuns_isFoundByTheWayItTook() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            send(trigger, METHOD * 16, CONDITION * 16 + (trigger ? JUMPED : WENT_ON), METHOD * 16 + NOT_NULL);
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("a.Cart#total");
        assertThat(first.predicate()).isEqualTo("at line 42, condition 2 of 3, went to line 47");
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(1000);
    }

    @Test
    void exchangesBeforeTheBranchesWereWoven_sayNothingOfThem() {
        Random random = new Random(2);
        for (int i = 0; i < 1000; i++) {
            send(random.nextInt(40) == 0, METHOD * 16);
        }
        for (int i = 0; i < 1000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            send(trigger, METHOD * 16, CONDITION * 16 + (trigger ? WENT_ON : JUMPED));
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).isEqualTo("at line 42, condition 2 of 3, went on, not to line 47");
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(1000);
        assertThat(first.failing()).isEqualTo(first.failingObserved());
    }

    @Test
    void aWayOfASwitch_isComparedWithItsOtherWays() {
        Random random = new Random(3);
        for (int i = 0; i < 2000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            if (random.nextInt(4) == 0 && !trigger) {
                send(false, METHOD * 16); // the switch isn't reached
            } else {
                int way = trigger ? 1 : random.nextBoolean() ? 0 : 2;
                send(trigger, METHOD * 16, (FIRST_WAY + way) * 16 + JUMPED);
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
            send(
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
    void damagedBatchesWithBranches_areRefusedAndNothingElse() {
        byte[] whole = batch("00000000000000aa", METHOD * 16, CONDITION * 16 + JUMPED, FIRST_WAY * 16 + JUMPED);
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int i = 0; i <= random.nextInt(4); i++) {
                damaged[random.nextInt(damaged.length)] = (byte) (random.nextBoolean() ? random.nextInt(10) + '0' : 34);
            }
            suspects.ended(ending("00000000000000aa", seed % 2 == 0));
            try {
                suspects.observed(damaged);
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).contains("expected");
            }
        }
        suspects.standing();
    }

    private void send(boolean fails, int... held) {
        String span = String.format("%016x", ++exchanges);
        suspects.ended(ending(span, fails));
        suspects.observed(batch(span, held));
    }

    private static Ending ending(String span, boolean fails) {
        return new Ending(span, Place.UNKNOWN, 1, "orders", 1, "GET /", false, fails ? 500 : 200, "", 1.0);
    }

    private static byte[] batch(String span, int... held) {
        List<Integer> numbers = java.util.Arrays.stream(held).boxed().toList();
        String json = "{\"name\":\"a\",\"run\":1,\"closed\":[],\"exchanges\":[{\"span\":\"" + span
                + "\",\"whole\":true,\"held\":" + numbers + "}]," + NAMES + "}";
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String branch(int number, int line, int to, int condition, int conditions) {
        return "\"" + number + "\":{\"method\":\"a.Cart#total\",\"line\":" + line + ",\"to\":" + to + ",\"condition\":"
                + condition + ",\"conditions\":" + conditions + "}";
    }
}
