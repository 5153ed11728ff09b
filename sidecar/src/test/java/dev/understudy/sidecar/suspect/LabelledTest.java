package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.LabelRule.Why;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.Slow;
import dev.understudy.sidecar.label.Times;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What agents say of exchanges, beside how they ended, decides which of them fail. */
final class LabelledTest {
    private static final String NAMES = "\"methods\":{\"1\":\"m1\"}";

    private final Suspects suspects = new Suspects(new Labels(LabelRule.defaults()), new Random(7));

    @Test
    void whatTheAgentSawOfAnExchange_makesItFail() {
        suspects.ended(ended("0000000000000001", 200, 1.0));
        suspects.observed(observed("0000000000000001", "\"escaped\":\"a.Problem\","));
        suspects.ended(ended("0000000000000002", 200, 1.0));
        suspects.observed(observed("0000000000000002", "\"logged\":true,"));
        suspects.ended(ended("0000000000000003", 200, 1.0));
        suspects.observed(observed("0000000000000003", "\"logged\":false,"));

        assertThat(suspects.standing().counts()).isEqualTo(Map.of(Why.ESCAPED, 1, Why.LOGGED, 1, Why.NONE, 1));
        assertThat(suspects.standing().failing()).isEqualTo(2);
        assertThat(suspects.standing().successful()).isEqualTo(1);
    }

    @Test
    void anExchangeThatTookLongerThanNearlyAllOfItsRoute_fails_alsoByThoseThatNobodyObserved() {
        Suspects slow = new Suspects(new Labels(rule(Slow.percentile("p95"))), new Random(7));
        for (int i = 0; i < Times.LEAST; i++) {
            slow.ended(ended(String.format("%016x", 16 + i), 200, 10.0));
        }
        slow.ended(ended("0000000000000001", 200, 40.0));
        slow.observed(observed("0000000000000001", ""));
        slow.ended(ended("0000000000000002", 200, 10.0));
        slow.observed(observed("0000000000000002", ""));

        assertThat(slow.standing().counts()).isEqualTo(Map.of(Why.SLOW, 1, Why.NONE, 1));
    }

    @Test
    void anExchangeThatIsStillWorkedOn_failsOnceItIsSlow_byWhatWasObservedSoFar() {
        LabelRule slow = rule(Slow.from(Duration.ofSeconds(2)));
        Suspects stuck = new Suspects(new Labels(slow), new Random(1));
        assertThat(slow.judge(late("0000000000000001"), false, false, new Times()))
                .isEqualTo(Why.SLOW);

        stuck.observed(open("0000000000000001"));
        stuck.ended(late("0000000000000001"));
        stuck.ended(late("0000000000000002"));
        stuck.observed(open("0000000000000002"));

        assertThat(stuck.standing().failing()).isEqualTo(2);
        assertThat(stuck.standing().counts()).containsEntry(Why.SLOW, 2);

        stuck.observed(observed("0000000000000001", "")); // it has ended after all
        assertThat(stuck.standing().failing()).isEqualTo(2);
        assertThat(stuck.standing().waiting()).isZero();
    }

    @Test
    void whatWasObservedOfAnExchangeSoFar_givesWayToAllOfIt() {
        suspects.observed(open("0000000000000001"));
        suspects.ended(ended("0000000000000001", 500, 1.0));
        assertThat(suspects.standing().failing()).isZero();
        suspects.observed(observed("0000000000000001", ""));
        assertThat(suspects.standing().failing()).isEqualTo(1);

        suspects.ended(ended("0000000000000002", 500, 1.0));
        suspects.observed(open("0000000000000002"));
        assertThat(suspects.standing().failing()).isEqualTo(1);
        suspects.observed(observed("0000000000000002", ""));

        assertThat(suspects.standing().failing()).isEqualTo(2);
        assertThat(suspects.standing().waiting()).isZero();
    }

    @Test
    void rulesThatAreChanged_holdForLaterExchanges_andNothingOfBeforeIsCounted() {
        Labels labels = new Labels(LabelRule.defaults());
        Suspects relabelled = new Suspects(labels, new Random(7));
        relabelled.ended(ended("0000000000000001", 500, 1.0));
        relabelled.observed(observed("0000000000000001", ""));
        relabelled.ended(ended("0000000000000002", 404, 1.0));
        relabelled.observed(observed("0000000000000003", ""));
        relabelled.ended(ended("0000000000000004", 404, 1.0));
        assertThat(relabelled.standing().counts()).isEqualTo(Map.of(Why.STATUS, 1));

        labels.change(before -> new LabelRule(true, 400, true, true, Slow.NEVER, List.of(), 10));
        relabelled.observed(observed("0000000000000002", ""));
        relabelled.ended(ended("0000000000000003", 404, 1.0)); // which was judged by the rules of before
        relabelled.observed(observed("0000000000000003", ""));
        relabelled.ended(TestEnding.of("0000000000000005").status(404).under(1).end());
        relabelled.observed(observed("0000000000000005", ""));

        assertThat(relabelled.standing().labels()).isEqualTo(1);
        assertThat(relabelled.standing().counts()).isEqualTo(Map.of(Why.STATUS, 1));
        assertThat(relabelled.standing().failing()).isEqualTo(1);
    }

    @Test
    void rulesThatAreTheSame_changeNothing() {
        Labels labels = new Labels(LabelRule.defaults());
        Suspects same = new Suspects(labels, new Random(7));
        same.ended(ended("0000000000000001", 500, 1.0));
        same.observed(observed("0000000000000001", ""));

        labels.change(before -> LabelRule.defaults());

        assertThat(same.standing().labels()).isZero();
        assertThat(same.standing().failing()).isEqualTo(1);
    }

    private static LabelRule rule(Slow slow) {
        return new LabelRule(true, 500, true, true, slow, List.of(), 10);
    }

    private static byte[] open(String span) {
        return observed(span, "\"open\":true,");
    }

    /** One exchange in which one method was called, and what else is said of it. */
    private static byte[] observed(String span, String also) {
        return new String(TestAgent.batch(span, NAMES, Predicate.ROOM), StandardCharsets.UTF_8)
                .replace("\"whole\"", also + "\"whole\"")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static ExchangeOutcome ended(String span, int status, double millis) {
        return TestEnding.of(span).status(status).took(millis).end();
    }

    private static ExchangeOutcome late(String span) {
        return TestEnding.of(span).late().end();
    }
}
