package dev.understudy.aggregator.fault;

import dev.understudy.aggregator.fault.Faults.Phase;
import dev.understudy.aggregator.policy.FormPattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FaultRulesTest {
    private static final Fault.Latency SLOW = new Fault.Latency(Duration.ofMillis(200), Duration.ofMillis(50));

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // wraps, as nanoTime may
    private final Faults faults = new Faults(now::get);

    @Test
    void percentage_hitsTheSameRequestsInEveryRunWithItsSeed() {
        List<Boolean> first = hits(7);

        assertThat(hits(7)).isEqualTo(first);
        assertThat(hits(8)).isNotEqualTo(first);
        assertThat(first.stream().filter(hit -> hit).count())
                .as("of 10000, seed 7")
                .isBetween(2300L, 2700L);
        assertThat(faults.standing().get(0).matched()).isEqualTo(10_000);
    }

    @Test
    void jitter_staysWithinItsBounds() {
        faults.replace(List.of(rule("a", null, 100, 3, SLOW)));
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            delays.add(TimeUnit.NANOSECONDS.toMillis(faults.decide("x", "form").delayNanos()));
        }

        assertThat(delays).allMatch(delay -> delay >= 150 && delay <= 250, "seed 3");
        assertThat(delays).anyMatch(delay -> delay < 160).anyMatch(delay -> delay > 240);
    }

    @Test
    void schedule_beginsAndEndsWithTheClock() {
        faults.replace(
                List.of(new FaultRule("a", "x", null, 100, 0, Duration.ofSeconds(30), Duration.ofSeconds(10), SLOW)));

        assertThat(phaseAfter(29)).isEqualTo(Phase.WAITING);
        assertThat(faults.decide("x", "form")).isEqualTo(Injection.NONE);
        assertThat(phaseAfter(1)).isEqualTo(Phase.ACTIVE);
        assertThat(faults.decide("x", "form").names()).containsExactly("a");
        assertThat(phaseAfter(10)).isEqualTo(Phase.OVER);
        assertThat(faults.decide("x", "form")).isEqualTo(Injection.NONE);
    }

    @Test
    void form_isAGlobOfAllOrARegexOfAPart() {
        assertThat(FormPattern.of("GET /price*").matches("GET /prices/1?a=(2)")).isTrue();
        assertThat(FormPattern.of("/price*").matches("GET /prices")).isFalse();
        assertThat(FormPattern.of("GET /a?b").matches("GET /a.b")).isTrue();
        assertThat(FormPattern.of("GET /a.b").matches("GET /acb")).isFalse();
        assertThat(FormPattern.of("/^(GET|HEAD) /").matches("HEAD /prices")).isTrue();
        assertThat(FormPattern.of("/^(GET|HEAD) /").matches("POST /prices")).isFalse();
        assertThatThrownBy(() -> FormPattern.of("/(/")).isInstanceOf(IllegalArgumentException.class);
        assertThat(FormPattern.of("/(a*)*$x/").matches("a".repeat(400))).isFalse(); // a backtracking one never ends
    }

    @Test
    void rules_countTogetherAndTheFirstEndCounts() {
        faults.replace(List.of(
                rule("slow", null, 100, 0, new Fault.Latency(Duration.ofMillis(1), Duration.ZERO)),
                rule("slower", null, 100, 0, new Fault.Latency(Duration.ofMillis(2), Duration.ZERO)),
                rule("gone", FormPattern.of("b"), 100, 0, new Fault.Reset()),
                rule("wrong", null, 100, 0, new Fault.ErrorReply("503", "no"))));

        assertThat(faults.decide("x", "a").names()).containsExactly("slow", "slower", "wrong");
        assertThat(faults.decide("x", "a").delayNanos()).isEqualTo(3_000_000);
        assertThat(faults.decide("x", "b").end()).isInstanceOf(Fault.Reset.class);
        assertThat(faults.decide("y", "a")).isEqualTo(Injection.NONE);
    }

    @Test
    void rules_areSetAndClearedByName() {
        faults.set(rule("a", null, 100, 0, new Fault.Reset()));
        faults.set(rule("a", null, 100, 0, SLOW));

        assertThat(faults.standing()).hasSize(1);
        assertThat(faults.clear("b")).isFalse();
        assertThat(faults.clear("a")).isTrue();
        assertThat(faults.concern("x")).isFalse();
        assertThatThrownBy(() -> faults.replace(List.of(rule("a", null, 100, 0, SLOW), rule("a", null, 100, 0, SLOW))))
                .hasMessageContaining("a name of its own");
    }

    private List<Boolean> hits(long seed) {
        faults.replace(List.of(rule("a", null, 25, seed, SLOW)));
        List<Boolean> hits = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            hits.add(!faults.decide("x", "form").rules().isEmpty());
        }
        return hits;
    }

    private Phase phaseAfter(int seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        return faults.standing().get(0).phase();
    }

    private static FaultRule rule(String name, @Nullable FormPattern form, double percent, long seed, Fault fault) {
        return new FaultRule(name, "x", form, percent, seed, Duration.ZERO, null, fault);
    }
}
