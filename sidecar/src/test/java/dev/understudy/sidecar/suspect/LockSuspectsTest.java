package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Waiting for locks, among what else holds of exchanges. */
final class LockSuspectsTest {
    private static final int METHOD = 5;
    private static final int OTHER = 6;
    private static final int LOCK = 32_900;
    private static final int BRANCH = 32_800;

    private static final int SLOW = 2;
    private static final int USUAL = 3;
    private static final int AT_ONCE = 0;
    private static final int WAITED = 1;
    private static final int WAITED_TEN = 2;
    private static final int WAITED_HUNDRED = 3;
    private static final int HELD_SHORT = 4;

    private static final String NAMES = "\"methods\":{\"5\":\"a.Stock#take\",\"6\":\"a.Shop#order\"},\"locks\":{\""
            + LOCK + "\":{\"method\":\"a.Stock#take\",\"line\":42,\"lock\":\"Stock.shelf\"}}";
    private static final String WITH_BRANCH = NAMES + ",\"branches\":{\"" + BRANCH
            + "\":{\"method\":\"a.Stock#take\",\"line\":43,\"to\":50,\"condition\":1,\"conditions\":1}}";

    private final Suspects suspects = new Suspects(new Labels(LabelRule.defaults()), new Random(7));

    @Test
    void aWaitThatGoesWithFailing_isFirst_beforeTheMethodsThatItMakesSlow() {
        TestAgent agent = new TestAgent(suspects, NAMES);
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            if (random.nextInt(40) == 0) {
                agent.exchange(
                        true,
                        METHOD * 16,
                        LOCK * 16 + WAITED,
                        LOCK * 16 + WAITED_TEN,
                        LOCK * 16 + WAITED_HUNDRED,
                        METHOD * 16 + SLOW,
                        OTHER * 16);
            } else if (random.nextInt(4) == 0) {
                agent.exchange(false, METHOD * 16, LOCK * 16 + WAITED, METHOD * 16 + USUAL, OTHER * 16);
            } else {
                agent.exchange(false, METHOD * 16, LOCK * 16 + AT_ONCE, METHOD * 16 + USUAL, OTHER * 16);
            }
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.method()).isEqualTo("a.Stock#take");
        assertThat(first.predicate()).isEqualTo("waited 10 ms or more for the lock Stock.shelf at line 42");
        assertThat(first.line()).isEqualTo(42);
        assertThat(first.failingObserved() + first.successfulObserved()).isEqualTo(1000);
        assertThat(first.successful()).isZero();
    }

    @Test
    void holdingALock_isASuspectLikeWaitingForOne_unlessItIsShort() {
        TestAgent agent = new TestAgent(suspects, NAMES);
        for (int i = 0; i < 400; i++) {
            boolean fails = i % 10 == 0;
            int place = LOCK * 16;
            if (i % 2 == 0) {
                agent.exchange(fails, METHOD * 16, place + AT_ONCE, place + HELD_SHORT + (fails ? 1 : 0));
            } else {
                agent.exchange(fails, METHOD * 16, place + AT_ONCE, place + HELD_SHORT);
            }
        }

        assertThat(suspects.standing().suspects()).singleElement().satisfies(suspect -> {
            assertThat(suspect.predicate()).isEqualTo("held the lock Stock.shelf taken at line 42 for 1 ms or more");
            assertThat(suspect.method()).isEqualTo("a.Stock#take");
        });
    }

    @Test
    void aLockThatIsHeldShortly_isNobodysFault() {
        TestAgent agent = new TestAgent(suspects, NAMES);
        for (int i = 0; i < 400; i++) {
            boolean fails = i % 10 == 0;
            agent.exchange(fails, METHOD * 16, LOCK * 16 + HELD_SHORT + (fails ? 0 : 1));
        }

        assertThat(suspects.standing().suspects()).isEmpty();
    }

    @Test
    void aLockThatIsGotAtOnce_isNobodysFault() {
        TestAgent agent = new TestAgent(suspects, NAMES);
        for (int i = 0; i < 400; i++) {
            boolean fails = i % 10 == 0;
            agent.exchange(fails, METHOD * 16, LOCK * 16 + (fails ? AT_ONCE : WAITED));
        }

        assertThat(suspects.standing().suspects()).isEmpty();
    }

    @Test
    void placesOfLocks_areNoSignThatAgentsLookedIntoAClass() {
        TestAgent locks = new TestAgent(suspects, NAMES);
        for (int i = 0; i < 400; i++) {
            locks.exchange(i % 10 == 0, METHOD * 16, LOCK * 16 + AT_ONCE);
        }
        assertThat(suspects.focus().classes()).contains("a.Stock");
        TestAgent deep = new TestAgent(suspects, WITH_BRANCH);
        for (int i = 0; i < 400; i++) {
            boolean fails = i % 10 == 0;
            deep.exchange(fails, METHOD * 16, LOCK * 16 + AT_ONCE, BRANCH * 16 + (fails ? 13 : 14));
        }

        Suspect first = suspects.standing().suspects().get(0);
        assertThat(first.predicate()).startsWith("at line 43");
        // of the failing exchanges it could hold in the later half alone, and did in all of these
        assertThat(first.importance()).isGreaterThan(0.9);
    }

    @Test
    void damagedBatches_areRefusedWithWhatWasExpected() {
        TestAgent agent = new TestAgent(suspects, NAMES);
        byte[] whole = TestAgent.batch("00000000000000aa", WITH_BRANCH, METHOD * 16, LOCK * 16 + WAITED);
        assertThat(new String(whole, StandardCharsets.UTF_8)).contains("Stock.shelf");
        agent.damaged("00000000000000aa", whole);
    }

    @Test
    void aKindThatLocksLack_isNotTaken() {
        TestAgent agent = new TestAgent(suspects, NAMES);
        agent.exchange(true, List.of(), METHOD * 16, LOCK * 16 + 8);

        assertThat(suspects.standing().unnamed()).isEqualTo(1);
    }
}
