package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class SuspectsTest {
    private static final int THREW = 1;
    private static final int NULL = 4;
    private static final int NOT_NULL = 5;
    private static final int METHODS = 200;
    private static final int BUGGY = 77;
    private static final int ALSO_BUGGY = 133;

    private final Suspects suspects = new Suspects(new Labels(LabelRule.defaults()), new Random(7));
    private int exchanges;

    @Test
    void aPlantedBug_isFirst() {
        Random random = new Random(1);
        for (int i = 0; i < 3000; i++) {
            Set<Integer> called = some(random, 0.3);
            boolean trigger = random.nextInt(50) == 0;
            add(called, BUGGY, trigger);
            exchange(called, trigger ? 500 : 200);
        }

        SuspectsReading standing = suspects.standing();
        assertThat(standing.silence()).isNull();
        assertThat(standing.suspects().get(0).method()).isEqualTo("m" + BUGGY);
        assertThat(standing.suspects().get(0).predicate()).isEqualTo("was called");
        assertThat(standing.suspects().get(0).explains()).isEqualTo(standing.failing());
        assertThat(standing.suspects().get(0).example().status()).isEqualTo(500);
        assertThat(standing.unexplained()).isZero();
    }

    @Test
    void twoPlantedBugs_areBothFound_theMoreFrequentFirst() {
        Random random = new Random(2);
        for (int i = 0; i < 6000; i++) {
            Set<Integer> called = some(random, 0.3);
            boolean one = random.nextInt(30) == 0;
            boolean other = random.nextInt(90) == 0;
            add(called, BUGGY, one);
            add(called, ALSO_BUGGY, other);
            exchange(called, one || other ? 503 : 200);
        }

        List<Suspect> found = suspects.standing().suspects();
        assertThat(found.get(0).method()).isEqualTo("m" + BUGGY);
        assertThat(found.get(1).method()).isEqualTo("m" + ALSO_BUGGY);
        assertThat(found.get(0).explains() + found.get(1).explains())
                .isEqualTo(suspects.standing().failing());
    }

    @Test
    void withoutABug_chanceNamesFew() {
        Random random = new Random(3);
        for (int i = 0; i < 3000; i++) {
            exchange(some(random, 0.3), random.nextInt(50) == 0 ? 500 : 200);
        }

        assertThat(suspects.standing().suspects())
                .allSatisfy(suspect -> assertThat(suspect.low()).isLessThan(0.05));
    }

    @Test
    void whatFewExchangesShow_andChanceMayBring_ranksBehindWhatManyShow() {
        for (int i = 0; i < 2500; i++) {
            boolean fails = i % 100 == 0;
            List<Integer> held = new ArrayList<>(List.of(called(1), called(2)));
            if (fails || i % 5 < 2) {
                held.addAll(List.of(called(3), called(3) + (fails || i % 5 == 0 ? NULL : NOT_NULL)));
            }
            if (fails ? i < 1000 : i % 15 == 1) {
                held.addAll(List.of(called(4), called(4) + (i % 300 <= 1 ? NULL : NOT_NULL)));
            }
            send(held, true, fails ? 500 : 200, "[]");
        }

        List<Suspect> found = suspects.standing().suspects();
        assertThat(found.get(0).method() + " " + found.get(0).predicate()).isEqualTo("m3 returned null");
        assertThat(found.get(0).failing()).isEqualTo(25);
    }

    @Test
    void whatOnlyRunsAfterTheCause_ranksBehindIt() {
        for (int i = 0; i < 1000; i++) {
            boolean trigger = i % 50 == 0;
            List<Integer> held = new ArrayList<>(List.of(called(1), called(2)));
            if (trigger) {
                held.addAll(List.of(called(9), called(3), called(3) + THREW));
            }
            send(held, true, trigger ? 500 : 200, "[]");
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("m9");
        assertThat(first.alike()).extracting(Suspect.Alike::method).containsExactly("m3");
    }

    @Test
    void whatGoesWithOtherFailures_doesNotStandBehindASuspect() {
        TestAgent agent = new TestAgent(suspects, "\"methods\":{\"1\":\"m1\",\"8\":\"m8\",\"9\":\"m9\"}");
        for (int i = 0; i < 1000; i++) {
            if (i % 25 == 0) {
                agent.exchange(true, called(1), called(i % 50 == 0 ? 8 : 9));
            } else {
                agent.exchange(false, called(1));
            }
        }

        assertThat(suspects.standing().suspects()).extracting(Suspect::method).containsExactlyInAnyOrder("m8", "m9");
        assertThat(suspects.standing().suspects())
                .allMatch(suspect -> suspect.alike().isEmpty());
    }

    /** Half of the good exchanges call neither: both may have decided what is called further in. */
    @Test
    void whoDecidedOnTheFirstCall_andWhoCalledThat_standBehindIt() {
        Suspect first = calledOutwards(2);

        assertThat(first.method()).isEqualTo("m3");
        assertThat(first.alike())
                .extracting(alike -> alike.method() + " " + alike.predicate())
                .containsExactly("m2 called it", "m4 was called", "m1 called it, 2 calls out");
        assertThat(first.context()).isEmpty();
    }

    @Test
    void whoCallsWhateverIsAskedFor_isNoSuspect_butSaidApart() {
        Suspect first = calledOutwards(1);

        assertThat(first.method()).isEqualTo("m3");
        assertThat(first.alike())
                .extracting(alike -> alike.method() + " " + alike.predicate())
                .containsExactly("m4 was called");
        assertThat(first.context()).containsExactly("m2", "m1");
    }

    /** The first suspect where failing exchanges go from m1 to m4, and one in so many good ones from m1 to m2. */
    private Suspect calledOutwards(int share) {
        TestAgent agent = new TestAgent(suspects, "\"methods\":{\"1\":\"m1\",\"2\":\"m2\",\"3\":\"m3\",\"4\":\"m4\"}");
        for (int i = 0; i < 1000; i++) {
            if (i % 50 == 0) {
                agent.exchange(
                        true,
                        List.of(2, 1, 3, 2, 4, 3),
                        called(1),
                        called(2),
                        called(3),
                        called(4),
                        called(4) + THREW,
                        called(3) + THREW);
            } else if (i % share == 0) {
                agent.exchange(false, List.of(2, 1), called(1), called(2));
            } else {
                agent.exchange(false, List.of());
            }
        }
        return suspects.standing().suspects().get(0);
    }

    @Test
    void returnedValues_areComparedWithOtherCallsOfTheMethod() {
        Random random = new Random(4);
        for (int i = 0; i < 2000; i++) {
            boolean trigger = random.nextInt(40) == 0;
            List<Integer> held = new ArrayList<>(List.of(called(5)));
            held.add(called(5) + (trigger ? NULL : NOT_NULL));
            send(held, true, trigger ? 500 : 200, "[]");
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method() + " " + first.predicate()).isEqualTo("m5 returned null");
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(2000);
    }

    @Test
    void fewFailures_areSaidToBeTooFew() {
        for (int i = 0; i < 500; i++) {
            send(List.of(called(i < 3 ? 9 : 1)), true, i < 3 ? 500 : 200, "[]");
        }

        assertThat(suspects.standing().silence()).isEqualTo("3 failing exchanges: not enough (expected: at least 10)");
        assertThat(suspects.standing().suspects()).isEmpty();
    }

    @Test
    void whatWasNotSeen_isNotTakenForNotCalled() {
        for (int i = 0; i < 200; i++) {
            boolean fails = i % 4 == 0;
            // m9 runs in each, but is closed in successful ones, or these aren't whole
            send(
                    fails ? List.of(called(1), called(9)) : List.of(called(1)),
                    fails || i % 2 == 0,
                    fails ? 500 : 200,
                    fails ? "[]" : "[9]");
        }

        assertThat(suspects.standing().suspects()).extracting(Suspect::method).doesNotContain("m9");
    }

    @Test
    void ofAgentsThatShareMethods_onlyThoseThatLookAtAMethodCountForIt() {
        for (int i = 0; i < 200; i++) {
            boolean fails = i % 4 == 0;
            // of two agents one sees m1 to m3, the other m4 to m9, of as many exchanges each
            send(fails ? List.of(called(1), called(2)) : List.of(called(1)), true, fails ? 500 : 200, "[4,5,6,7,8,9]");
            send(List.of(called(4)), true, fails ? 500 : 200, "[1,2,3]");
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("m2");
        assertThat(first.failing()).isEqualTo(first.failingObserved()).isEqualTo(50);
        assertThat(first.successfulObserved()).isEqualTo(150);
        // it held in all failing exchanges in which it could have been seen
        assertThat(first.importance()).isCloseTo(2 / (1 / first.increase() + 1), within(1e-9));
    }

    @Test
    void whoeverComesFirst_observationAndEndingMeet() {
        suspects.ended(ending("00000000000000aa", 500));
        suspects.observed(batch("00000000000000aa", List.of(called(1)), true, "[]"));
        suspects.observed(batch("00000000000000ab", List.of(called(1)), true, "[]"));
        assertThat(suspects.standing().waiting()).isEqualTo(1);
        suspects.ended(ending("00000000000000ab", 200));

        SuspectsReading standing = suspects.standing();
        assertThat(standing.failing()).isEqualTo(1);
        assertThat(standing.successful()).isEqualTo(1);
        assertThat(standing.waiting()).isZero();
    }

    @Test
    void observationsWithoutAnEnding_areBoundedAndCounted() {
        for (int i = 0; i < Suspects.MOST_WAITING + 7; i++) {
            suspects.observed(batch(String.format("%016x", i), List.of(called(1)), true, "[]"));
        }

        assertThat(suspects.standing().waiting()).isEqualTo(Suspects.MOST_WAITING);
        assertThat(suspects.standing().unlabelled()).isEqualTo(7);
    }

    @Test
    void manyFailures_areSampledAndStillCounted() {
        int failing = LabelledRuns.MOST_FAILURES * 2;
        for (int i = 0; i < failing + 100; i++) {
            send(List.of(called(i < failing ? 9 : 1)), true, i < failing ? 500 : 200, "[]");
        }

        assertThat(suspects.standing().failing()).isEqualTo(failing);
        assertThat(suspects.standing().suspects().get(0).failing()).isEqualTo(failing);
    }

    @Test
    void ofManyFailures_laterOnesAreKeptAsWell() {
        int failing = LabelledRuns.MOST_FAILURES * 3;
        for (int i = 0; i < failing + 100; i++) {
            boolean early = i < LabelledRuns.MOST_FAILURES;
            send(List.of(called(i >= failing ? 1 : early ? 9 : 5)), true, i < failing ? 500 : 200, "[]");
        }

        Suspect early = suspects.standing().suspects().get(0);
        assertThat(early.method()).isEqualTo("m9");
        assertThat(early.failing() / (double) failing).isCloseTo(1 / 3.0, within(0.04));
    }

    @Test
    void ofWhatWasSeenInPart_onlyCallsAreKnown() {
        for (int i = 0; i < 50; i++) {
            send(List.of(called(1), called(2)), true, 500, "[]");
            send(List.of(called(1), called(2)), false, 200, "[]");
            send(List.of(called(1)), false, 200, "[]");
            send(List.of(called(1)), true, 200, "[]");
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("m2");
        assertThat(first.successful()).isEqualTo(50);
        assertThat(first.successfulObserved()).isEqualTo(100);
    }

    @Test
    void aMethodNobodyNamed_isToldAndCounted() {
        String nameless =
                "{\"name\":\"a\",\"exchanges\":[{\"span\":\"00000000000000aa\",\"whole\":true,\"held\":[160]}]}";

        assertThat(suspects.observed(nameless.getBytes(StandardCharsets.UTF_8)).unnamed())
                .isEqualTo(1);
        assertThat(suspects.standing().unnamed()).isEqualTo(1);
    }

    @Test
    void damagedBatches_areRefusedAndNothingElse() {
        byte[] whole = batch("00000000000000aa", List.of(called(1), called(2)), true, "[3]");
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int i = 0; i <= random.nextInt(4); i++) {
                damaged[random.nextInt(damaged.length)] = (byte) (random.nextBoolean() ? random.nextInt(10) + '0' : 34);
            }
            try {
                suspects.observed(damaged);
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).as("seed %d", seed).contains("expected");
            }
        }
        suspects.standing();
    }

    private static Set<Integer> some(Random random, double share) {
        Set<Integer> called = new TreeSet<>();
        for (int method = 1; method < METHODS; method++) {
            if (method != BUGGY && method != ALSO_BUGGY && random.nextDouble() < share) {
                called.add(method);
            }
        }
        return called;
    }

    private static void add(Set<Integer> called, int method, boolean really) {
        if (really) {
            called.add(method);
        }
    }

    private void exchange(Set<Integer> called, int status) {
        List<Integer> held = called.stream().map(SuspectsTest::called).collect(Collectors.toList());
        Collections.shuffle(held, new Random(exchanges));
        send(held, true, status, "[]");
    }

    private void send(List<Integer> held, boolean whole, int status, String closed) {
        String span = String.format("%016x", ++exchanges);
        suspects.ended(ending(span, status));
        suspects.observed(batch(span, held, whole, closed));
    }

    private static int called(int method) {
        return method * Predicate.ROOM;
    }

    private static ExchangeOutcome ending(String span, int status) {
        return TestEnding.of(span).status(status).end();
    }

    private static byte[] batch(String span, List<Integer> held, boolean whole, String closed) {
        String methods = held.stream()
                .map(predicate -> predicate / Predicate.ROOM)
                .distinct()
                .map(method -> "\"" + method + "\":\"m" + method + "\"")
                .collect(Collectors.joining(","));
        String json = "{\"name\":\"a\",\"run\":1,\"closed\":" + closed + ",\"exchanges\":[{\"span\":\"" + span
                + "\",\"whole\":" + whole + ",\"held\":" + held + "}],\"methods\":{" + methods + "}}";
        return json.getBytes(StandardCharsets.UTF_8);
    }
}
