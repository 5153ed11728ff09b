package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Slow;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What happens in good exchanges too, but together only in those that fail. */
final class PairsTest {
    private static final int ALWAYS = 1;
    private static final int BROAD = 2;
    private static final int ONE = 3;
    private static final int CALLER = 4;
    private static final int OTHER = 5;
    private static final int LATER = 6;
    private static final int EFFECT = 7;
    private static final int THREW = 1;
    private static final int[] NOTHING = {};

    private static final String NAMES = IntStream.rangeClosed(ALWAYS, EFFECT)
            .mapToObj(number -> "\"" + number + "\":\"m" + number + "\"")
            .collect(Collectors.joining(",", "\"methods\":{", "}"));

    private final Suspects suspects =
            new Suspects(new Labels(new LabelRule(true, 500, true, true, Slow.NEVER, List.of(), 3)), new Random(7));
    private final TestAgent agent = new TestAgent(suspects, NAMES);

    @Test
    void twoThatFailOnlyTogether_areToldBehindTheirEffect_andWhoCalledTheLater() {
        exchanges(2_000);

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("m" + EFFECT);
        assertThat(alike(first)).startsWith("m5 was called, after m3 was called", "m4 called m5");
    }

    /** Something that goes with failing may come true before what makes it fail. */
    @Test
    void bothOfAPair_precedeTheException_notWhatWentWithFailingBefore() {
        for (int i = 0; i < 2_000; i++) {
            boolean fails = i % 40 == 2;
            List<Integer> held = new ArrayList<>(List.of(ALWAYS * Predicate.ROOM));
            held.addAll(i % 8 == 0 || fails ? List.of(ONE * Predicate.ROOM) : List.of());
            held.addAll(fails ? List.of(EFFECT * Predicate.ROOM) : List.of());
            held.addAll(i % 8 == 1 || fails ? List.of(OTHER * Predicate.ROOM) : List.of());
            held.addAll(fails ? List.of(ALWAYS * Predicate.ROOM + THREW) : List.of());
            agent.exchange(
                    fails, List.of(), held.stream().mapToInt(each -> each).toArray());
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("m" + EFFECT);
        assertThat(alike(first)).startsWith("m5 was called, after m3 was called", "m1 threw");
    }

    @Test
    void ofSeveralPairs_theTwoRarestAreListed_eachWithAnotherLaterHalf() {
        for (int i = 0; i < 2_000; i++) {
            boolean fails = i % 40 == 2;
            List<Integer> held = new ArrayList<>();
            held.addAll(i % 8 == 0 || fails ? List.of(ONE) : List.of());
            held.addAll(i % 8 == 1 || fails ? List.of(OTHER) : List.of());
            held.addAll(i % 8 > 4 || fails ? List.of(BROAD) : List.of());
            held.addAll(i % 8 == 3 || i % 8 == 4 || fails ? List.of(LATER) : List.of());
            held.addAll(fails ? List.of(EFFECT) : List.of());
            agent.exchange(fails, List.of(), called(held));
        }

        assertThat(alike(suspects.standing().suspects().get(0)))
                .filteredOn(words -> words.contains("after"))
                .containsExactly("m5 was called, after m3 was called", "m6 was called, after m3 was called");
    }

    @Test
    void whatMayBeMissingTogetherByChance_isNotTold() {
        exchanges(100);

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.failing()).isEqualTo(3);
        assertThat(alike(first)).noneMatch(words -> words.contains("after"));
    }

    @Test
    void whatIsNotSeen_isNotTakenForMissing() {
        assertThat(pairs(NOTHING)).hasSize(1);
        assertThat(pairs(new int[] {OTHER})).isEmpty();
    }

    /**
     * Those of one are as many as those of the other, and of what follows on that; what is broad happens in twice as
     * many.
     */
    private void exchanges(int count) {
        for (int i = 0; i < count; i++) {
            boolean fails = i % 40 == 2;
            boolean one = i % 8 == 0 || fails;
            boolean other = i % 8 == 1 || fails;
            boolean broad = one || i % 8 == 3;
            List<Integer> held = new ArrayList<>(List.of(ALWAYS));
            held.addAll(broad ? List.of(BROAD) : List.of());
            held.addAll(one ? List.of(ONE) : List.of());
            held.addAll(i % 8 == 3 ? List.of() : List.of(CALLER));
            held.addAll(other ? List.of(OTHER, LATER) : List.of());
            held.addAll(fails ? List.of(EFFECT) : List.of());
            agent.exchange(fails, other ? List.of(OTHER, CALLER) : List.of(), called(held));
        }
    }

    /**
     * Of good runs in half of which one was called, and in the others the other, all without these methods' calls
     * having been seen.
     */
    private static List<Pairs.Pair> pairs(int[] closed) {
        Methods methods = new Methods();
        methods.of(ObservedBatch.read(TestAgent.batch("00000000000000aa", NAMES)), 0);
        List<Run> good = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            good.add(run(methods, closed, i % 2 == 0 ? ONE : OTHER));
        }
        List<Run> failing = List.of(run(methods, NOTHING, ONE, OTHER, EFFECT));
        return new Pairs(good, good.size(), methods)
                .before(
                        methods.of("m" + EFFECT) * Predicate.ROOM,
                        new Score(1, 0, 1, 200),
                        failing,
                        16 * Predicate.ROOM);
    }

    private static Run run(Methods methods, int[] closed, int... called) {
        ExchangeOutcome ending = TestEnding.of().end();
        int[] held = IntStream.of(called)
                .map(number -> methods.of("m" + number) * Predicate.ROOM)
                .toArray();
        int[] unseen =
                IntStream.of(closed).map(number -> methods.of("m" + number)).toArray();
        return new Run(held, NOTHING, true, unseen, ending, 0, LabelRule.Why.NONE);
    }

    private static List<String> alike(Suspect suspect) {
        return suspect.alike().stream()
                .map(alike -> alike.method() + " " + alike.predicate())
                .toList();
    }

    private static int[] called(List<Integer> methods) {
        return methods.stream().mapToInt(method -> method * Predicate.ROOM).toArray();
    }
}
