package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Listeners of which many replies differ. */
final class DifferingTest {
    private static final int M1 = Predicate.ROOM;
    private static final int M2 = 2 * Predicate.ROOM;
    private static final int M3 = 3 * Predicate.ROOM;
    private static final String NAMES = "\"methods\":{\"1\":\"m1\",\"2\":\"m2\",\"3\":\"m3\"}";

    private final Suspects suspects = new Suspects(new Labels(LabelRule.defaults()), new Random(1));
    private int exchanges;

    @Test
    void whereMostDiffer_nobodyIsSuspectedForIt_andThatIsSaid() {
        for (int i = 0; i < 300; i++) {
            exchange("zk", i % 10 < 6, 200, i % 10 < 6 ? M1 : M3);
        }

        SuspectsReading standing = suspects.standing();
        assertThat(standing.suspects()).isEmpty();
        assertThat(standing.silence()).isEqualTo("replies differ too often to tell what fails: zk");
        assertThat(standing.tooDifferent()).containsOnlyKeys("zk").containsValue(0.6);
        assertThat(standing.failing()).as("until that was known").isBetween(50, 70);
        assertThat(suspects.focus().classes()).isEmpty();
    }

    @Test
    void whereFewerDo_theyFail() {
        for (int i = 0; i < 300; i++) {
            exchange("zk", i % 10 < 4, 200, i % 10 < 4 ? M1 : M3);
        }

        assertThat(suspects.standing().suspects().get(0).method()).isEqualTo("m1");
        assertThat(suspects.standing().tooDifferent()).isEmpty();
    }

    @Test
    void ofFewExchanges_mostMayDiffer() {
        for (int i = 0; i < Differing.LEAST - 1; i++) {
            exchange("zk", i % 10 < 6, 200, i % 10 < 6 ? M1 : M3);
        }

        assertThat(suspects.standing().suspects().get(0).method()).isEqualTo("m1");
    }

    @Test
    void whatFailsOtherwise_stillDoes_whetherItDiffersOrNot() {
        for (int i = 0; i < 300; i++) {
            boolean fails = i % 10 == 5 || i % 10 == 9;
            exchange("zk", i % 10 < 6, fails ? 503 : 200, fails ? M2 : i % 10 < 6 ? M1 : M3);
        }

        SuspectsReading standing = suspects.standing();
        assertThat(standing.suspects().get(0).method()).isEqualTo("m2");
        assertThat(standing.counts().get(LabelRule.Why.STATUS)).isGreaterThan(40);
    }

    @Test
    void whatAlwaysDiffersOnSomeRoute_hidesNoRarerFailure() {
        for (int i = 0; i < 600; i++) {
            if (i % 50 == 7) {
                exchange(suspects, "web", false, 500, M2, M1);
            } else {
                exchange(suspects, "web", i % 5 == 0, 200, i % 5 == 0 ? M1 : M3);
            }
        }

        SuspectsReading standing = suspects.standing();
        assertThat(standing.suspects()).extracting(Suspect::method).containsExactly("m2", "m1");
        assertThat(standing.suspects()).extracting(Suspect::explains).containsExactly(12, 120);
        assertThat(standing.unexplained()).isZero();
    }

    @Test
    void oneCauseOfBothKindsOfFailure_isOneSuspect() {
        for (int i = 0; i < 600; i++) {
            boolean fails = i % 50 == 7;
            exchange(suspects, "web", i % 5 == 0, fails ? 500 : 200, fails || i % 5 == 0 ? M1 : M3);
        }

        SuspectsReading standing = suspects.standing();
        assertThat(standing.suspects()).extracting(Suspect::method).containsExactly("m1");
        assertThat(standing.suspects().get(0).explains()).isEqualTo(132);
        assertThat(standing.unexplained()).isZero();
    }

    @Test
    void anotherListenersReplies_tellWhatTheyDid() {
        for (int i = 0; i < 300; i++) {
            exchange("zk", true, 200, M3);
            exchange("cache", i % 10 == 0, 200, i % 10 == 0 ? M1 : M2);
        }

        assertThat(suspects.standing().tooDifferent()).containsOnlyKeys("zk");
        assertThat(suspects.standing().suspects().get(0).method()).isEqualTo("m1");
    }

    @Test
    void whereDifferingIsNoFailure_nothingIsSaidOfIt() {
        Suspects others = new Suspects(new Labels(LabelRule.defaults().withoutDifferent()), new Random(1));
        for (int i = 0; i < 300; i++) {
            exchange(others, "zk", true, 200, M1);
        }

        assertThat(others.standing().tooDifferent()).isEmpty();
        assertThat(others.standing().silence()).startsWith("no failing exchange");
    }

    private void exchange(String listener, boolean different, int status, int called) {
        exchange(suspects, listener, different, status, called);
    }

    private void exchange(Suspects told, String listener, boolean different, int status, int... called) {
        String span = String.format("%016x", ++exchanges);
        told.ended(TestEnding.of(span)
                .listener(listener)
                .different(different)
                .status(status)
                .end());
        told.observed(TestAgent.batch(span, NAMES, called));
    }
}
