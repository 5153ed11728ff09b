package dev.understudy.sidecar.ranking;

import dev.understudy.sidecar.ranking.OneRanking.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OneRankingTest {
    private final Entry slow = entry("Shop#pay", "Bank#book");
    private final Entry rare = entry("Bank#close");
    private final Entry leak = entry("Cart#add");
    private final Entry circle = entry("Bank#audit", "Bank#book");
    private final Entry other = entry("Log#line", "Log#roll");

    @Test
    void aCircle_standsBehindTheFirstThatHasAPartInIt_elseAtTheEnd_andLeaksBehindWhatExplainsFailing() {
        OneRanking.number(List.of(slow, rare), List.of(leak), List.of(other, circle));
        assertThat(ranks(slow, circle, rare, leak, other)).containsExactly(1, 2, 3, 4, 5);
    }

    @Test
    void withoutWhatExplainsFailing_leaksComeFirst() {
        OneRanking.number(List.of(), List.of(leak), List.of(circle, other));
        assertThat(ranks(leak, circle, other)).containsExactly(1, 2, 3);
    }

    private static Stream<Object> ranks(Entry... entries) {
        return Stream.of(entries).map(entry -> entry.spelled().get("rank"));
    }

    private static Entry entry(String... methods) {
        return new Entry(new HashMap<>(Map.of("rank", 0)), Set.of(methods));
    }
}
