package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Place;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Each request has ten bytes. */
final class HistoriesTest {
    private static final int LENGTH = 10;

    private static final int METHODS = 2_000;
    /** That the method took far longer than usual, and that it took as long as usual. */
    private static final int SLOW = 2;

    private static final int USUAL = 3;

    private final Histories histories = new Histories(methods());

    @Test
    void whatWasDoneOnTheConnectionBefore_countsAlong() {
        histories.with(run(1, 0, 16, 32), false);
        histories.with(run(2, 0, 48), false);
        Run joined = histories.with(run(1, LENGTH, 32, 64), false);

        assertThat(joined.held).containsExactly(16, 32, 64);
        assertThat(joined.calls).containsExactlyInAnyOrder(1, 0, 1, LENGTH);
        assertThat(joined.whole).isTrue();
    }

    @Test
    void howLongSomethingTook_countsInItsOwnExchangeAlone() {
        histories.with(run(1, 0, 16, 16 + SLOW, 32, 32 + USUAL), false);

        assertThat(histories.with(run(1, LENGTH, 48, 48 + SLOW), false).held).containsExactly(16, 32, 48, 48 + SLOW);
    }

    @Test
    void afterOneThatFailed_aHistoryBeginsAnew() {
        histories.with(run(1, 0, 16), false);
        histories.with(run(1, LENGTH, 32), true);

        assertThat(histories.with(run(1, 2 * LENGTH, 64), false).held).containsExactly(64);
    }

    @Test
    void whatThoseBeforeItCameTo_isKnownUpToTheLastThatFailed() {
        Run first = histories.with(run(1, 0, 16), false);
        Run second = histories.with(run(1, LENGTH, 32), false);
        histories.with(run(2, 0, 48), false);
        Run failing = run(1, 2 * LENGTH, 64);

        assertThat(histories.before(failing.ending)).containsExactly(first, second);
        histories.with(failing, true);
        assertThat(histories.before(failing.ending)).isEmpty();
    }

    @Test
    void whereOneWasNotObserved_nothingIsKnownOfWhatWasNotDone() {
        histories.with(run(1, 0, 16), false);
        assertThat(histories.with(run(1, 2 * LENGTH, 32), false).whole).isFalse();
        assertThat(histories.with(run(1, 3 * LENGTH, 64), false).whole)
                .as("what lies between is still not known")
                .isFalse();
    }

    @Test
    void onlySoManyCountAlong() {
        Run joined = run(1, 0, 16);
        for (int i = 0; i < 3 * Histories.EARLIER; i++) {
            joined = histories.with(run(1, i * LENGTH, 16 * i), false);
        }

        assertThat(joined.held).hasSize(Histories.EARLIER + 1).endsWith(16 * (3 * Histories.EARLIER - 1));
        assertThat(joined.whole).isTrue();
    }

    private static Methods methods() {
        String names = IntStream.range(0, METHODS)
                .mapToObj(number -> "\"" + number + "\":\"m" + number + "\"")
                .collect(Collectors.joining(",", "\"methods\":{", "}"));
        Methods methods = new Methods();
        methods.of(ObservedBatch.read(TestAgent.batch("00000000000000aa", names)), 0);
        return methods;
    }

    private static Run run(int connection, int from, int... held) {
        Place place = new Place(2_000 + connection, from, from + LENGTH);
        ExchangeOutcome ending = TestEnding.saying("+OK")
                .at(place, connection)
                .listener("cache")
                .request("GET a")
                .end();
        return new Run(held, new int[] {1, from}, true, new int[0], ending, 0, LabelRule.Why.NONE);
    }
}
