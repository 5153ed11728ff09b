package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Place;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Exchanges that are known by their place on a connection, where requests find what earlier ones left. */
final class SessionSuspectsTest {
    private static final int CONNECTIONS = 200;
    private static final long LENGTH = 10;
    private static final int M1 = Predicate.ROOM;
    private static final int M2 = 2 * Predicate.ROOM;
    private static final int M3 = 3 * Predicate.ROOM;
    private static final int M4 = 4 * Predicate.ROOM;
    private static final String NAMES = "\"methods\":{\"1\":\"m1\",\"2\":\"m2\",\"3\":\"m3\",\"4\":\"m4\"}";

    private final Suspects suspects = new Suspects(new Labels(LabelRule.defaults()), new Random(1));

    @Test
    void observationAndEnding_meetByThePlace() {
        ended(0, 1, true);
        observed(0, LENGTH, 3 * LENGTH, M1);
        observed(0, LENGTH, 2 * LENGTH, M1);

        assertThat(suspects.standing().failing()).isEqualTo(1);
        assertThat(suspects.standing().waiting()).isEqualTo(1);
    }

    @Test
    void whatAnEarlierCommandDid_isBlamedForALaterOnesFailing() {
        for (int i = 0; i < CONNECTIONS; i++) {
            boolean bad = i % 10 == 0;
            command(i, 0, false, M2);
            command(i, 1, false, bad ? new int[] {M1, M3} : new int[] {M3});
            command(i, 2, bad, M2);
        }

        SuspectsReading standing = suspects.standing();
        assertM1LedToAll(standing, CONNECTIONS / 10);
        assertThat(standing.unexplained()).isZero();
    }

    @Test
    void whatLedToAFailure_isNoSuccess() {
        for (int i = 0; i < CONNECTIONS; i++) {
            boolean bad = i % 10 == 0;
            command(i, 0, false, bad ? M1 : M3);
            command(i, 1, false, M3);
            // m4 only shows it
            command(i, 2, bad, bad ? new int[] {M2, M4} : new int[] {M2});
        }

        SuspectsReading standing = suspects.standing();
        assertM1LedToAll(standing, CONNECTIONS / 10);
        assertThat(standing.successful()).as("three of each good session").isEqualTo(CONNECTIONS / 10 * 9 * 3);
    }

    @Test
    void twoThatFailOnlyTogether_areLookedForInOneCommand() {
        for (int i = 0; i < 2 * CONNECTIONS; i++) {
            boolean bad = i % 10 == 0;
            command(i, 0, false, M1);
            command(i, 1, false, M2);
            command(i, 2, bad, bad ? new int[] {M1, M2, M4} : new int[] {M3});
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("m4");
        assertThat(first.alike().get(0).method()).isEqualTo("m2");
        assertThat(first.alike().get(0).predicate()).isEqualTo("was called, after m1 was called");
    }

    @Test
    void aFailureOfWhichNothingWasObserved_isBlamedOnWhatWasObservedBefore() {
        for (int i = 0; i < CONNECTIONS; i++) {
            boolean bad = i % 10 == 9;
            command(i, 0, false, bad ? M1 : M3);
            ended(i, 1, bad);
        }
        assertThat(suspects.standing().failing())
                .as("the agent may still tell of the last")
                .isEqualTo(CONNECTIONS / 10 - 1);
        letPatienceRunOut();

        SuspectsReading standing = suspects.standing();
        assertM1LedToAll(standing, CONNECTIONS / 10);
        assertThat(standing.successful()).isEqualTo(CONNECTIONS / 10 * 9 + Suspects.PATIENCE);
    }

    @Test
    void aFailureThatIsToldOfInTime_countsOnce() {
        for (int i = 0; i < 20; i++) {
            command(i, 0, false, M3);
            command(i, 1, true, M1);
        }
        letPatienceRunOut();

        assertThat(suspects.standing().failing()).isEqualTo(20);
    }

    @Test
    void failuresThatCountUnobserved_areNotTakenForMostOfAll() {
        for (int i = 0; i < CONNECTIONS; i++) {
            command(i, 0, false, i % 10 == 0 ? M3 : M1);
            for (int number = 1; number < 9; number++) {
                ended(i, number, false);
            }
            ended(i, 9, i % 10 != 0);
        }
        for (int i = 0; i < CONNECTIONS / 5; i++) {
            command(2 * CONNECTIONS + i, 0, true, M1);
        }
        letPatienceRunOut();

        assertThat(suspects.standing().tooDifferent()).isEmpty();
        assertThat(suspects.standing().suspects().get(0).method()).isEqualTo("m1");
    }

    @Test
    void whatIsNoFailureAnyMore_isNoneThatCountsUnobserved() {
        command(0, 0, false, M3);
        ended(0, 1, true);
        for (int i = 1; i <= Differing.LEAST; i++) {
            ended(i, 0, true);
        }
        letPatienceRunOut();

        assertThat(suspects.standing().tooDifferent()).isNotEmpty();
        assertThat(suspects.standing().successful()).isEqualTo(1 + Suspects.PATIENCE);
    }

    @Test
    void aFailureThatNobodyHasToldOf_waitsForEachAgentAsLong() {
        command(0, 0, false, M3);
        observedBy("b", 1, 0, LENGTH, M3);
        ended(0, 1, true);

        letPatienceRunOut();
        assertThat(suspects.standing().failing()).as("b may be slower").isZero();
        letPatienceRunOut();
        assertThat(suspects.standing().failing()).isEqualTo(1);
    }

    @Test
    void anAgentThatIsGone_isWaitedForNoLonger() {
        observedBy("b", 1, 0, LENGTH, M3);
        for (int i = 0; i < Suspects.LATELY; i++) {
            command(2 + i, 0, false, M3);
        }
        command(0, 0, false, M3);
        ended(0, 1, true);

        letPatienceRunOut();
        assertThat(suspects.standing().failing()).isEqualTo(1);
    }

    private static void assertM1LedToAll(SuspectsReading standing, int failing) {
        assertThat(standing.failing()).isEqualTo(failing);
        Suspect first = standing.suspects().get(0);
        assertThat(first.method()).isEqualTo("m1");
        assertThat(first.failing()).isEqualTo(failing);
        assertThat(first.successful()).isZero();
    }

    private void letPatienceRunOut() {
        for (int i = 0; i < Suspects.PATIENCE; i++) {
            command(CONNECTIONS + i, 0, false, M3);
        }
    }

    private void command(int connection, int number, boolean different, int... held) {
        ended(connection, number, different);
        observed(connection, number * LENGTH, (number + 1) * LENGTH, held);
    }

    private void ended(int connection, int number, boolean different) {
        Place place = new Place(port(connection), number * LENGTH, (number + 1) * LENGTH);
        suspects.ended(TestEnding.saying("+OK")
                .at(place, connection)
                .listener("cache")
                .request("GET a")
                .different(different)
                .end());
    }

    private void observed(int connection, long from, long to, int... held) {
        observedBy("a", connection, from, to, held);
    }

    private void observedBy(String agent, int connection, long from, long to, int... held) {
        String place = "\"port\":" + port(connection) + ",\"from\":" + from + ",\"to\":" + to;
        String bySpan = new String(TestAgent.batch("00000000000000aa", NAMES, held), StandardCharsets.UTF_8);
        suspects.observed(bySpan.replace("\"span\":\"00000000000000aa\"", place)
                .replace("\"name\":\"a\"", "\"name\":\"" + agent + "\"")
                .getBytes(StandardCharsets.UTF_8));
    }

    private static int port(int connection) {
        return 2_000 + connection;
    }
}
