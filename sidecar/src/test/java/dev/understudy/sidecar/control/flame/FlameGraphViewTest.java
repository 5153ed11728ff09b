package dev.understudy.sidecar.control.flame;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.control.Call;
import dev.understudy.sidecar.flame.AllocationBatch;
import dev.understudy.sidecar.flame.AllocationProfile;
import dev.understudy.sidecar.flame.Flames;
import dev.understudy.sidecar.flame.RecentExchanges;
import dev.understudy.sidecar.flame.StackBatch;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Judged;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class FlameGraphViewTest {
    private static final List<String> NAMES = List.of("run", "<b>serve", "price", "wait");

    private long now = 10_000;
    private final RecentExchanges endings = new RecentExchanges(() -> 0);
    private final Flames flames = new Flames(endings, () -> now);
    private final AllocationProfile allocations = new AllocationProfile(endings, () -> now);
    private final ExchangeLog exchanges = ExchangeLog.of(1_000, 1L << 30);
    private final FlameGraphView view =
            new FlameGraphView(flames, allocations, new RouteTimes(Map.of(), exchanges), () -> now);

    @Test
    void routes_areDrawnTogether_orOneAlone() {
        sampled("a", "GET /orders/7", 0, 1, 2);
        sampled("b", "GET /orders/8", 0, 1, 2);
        sampled("c", "GET /stock", 0, 1, 3);

        JsonNode all = read();
        assertThat(all.path("routes").findValuesAsText("route")).containsExactly("GET /orders/{n}", "GET /stock");
        assertThat(boxes(all))
                .containsExactly(
                        "GET /orders/{n} (shop, debug) 0 666667 0 2",
                        "GET /stock (shop, debug) 666667 333333 0 1",
                        "run 0 666667 1 2",
                        "run 666667 333333 1 1",
                        "<b>serve 0 666667 2 2",
                        "<b>serve 666667 333333 2 1",
                        "price 0 666667 3 2",
                        "wait 666667 333333 3 1");

        JsonNode one = read("route", "GET /stock", "listener", "shop", "debug", "debug");
        assertThat(boxes(one)).containsExactly("run 0 1000000 0 1", "<b>serve 0 1000000 1 1", "wait 0 1000000 2 1");
        assertThat(one.path("routes")).as("to choose another").hasSize(2);
        assertThat(one.at("/hottest/0/name").asText()).isEqualTo("wait");
    }

    @Test
    void spans_haveTheTimesOfTheirExchanges() {
        sampled("a", "GET /stock", 0, 2);
        answered(9_000, 2, 4);
        now = 100_000;
        sampled("b", "GET /stock", 0, 3);
        answered(99_000, 10, 30);

        JsonNode last = read("last", "30", "route", "GET /stock");
        assertThat(boxes(last)).containsExactly("run 0 1000000 0 1", "wait 0 1000000 1 1");
        assertThat(last.at("/production/median").asDouble()).isEqualTo(10);
        assertThat(last.at("/copy/median").asDouble()).isEqualTo(30);

        JsonNode first = read("from", "5000", "to", "50000", "route", "GET /stock");
        assertThat(boxes(first)).containsExactly("run 0 1000000 0 1", "price 0 1000000 1 1");
        assertThat(first.at("/copy/median").asDouble()).isEqualTo(4);
        assertThat(first.at("/copy/count").asInt()).isEqualTo(1);
    }

    @Test
    void allocations_areInBytes() {
        AllocationBatch.Stack stack = new AllocationBatch.Stack("", true, 3, 300, new int[] {0, 2});
        allocations.sampled(new AllocationBatch("orders", 10, 3, 300, 0, 900, NAMES, List.of(stack)));

        JsonNode drawn = read("of", "allocation");
        assertThat(drawn.at("/routes/0/route").asText()).isEqualTo("(no exchange) of orders");
        assertThat(boxes(drawn)).containsExactly("run 0 1000000 0 300", "price 0 1000000 1 300");
        assertThat(drawn.at("/hottest/0/name").asText()).isEqualTo("run makes price");
        assertThat(boxes(read())).as("no stacks").isEmpty();
    }

    @Test
    void manyMethods_areBounded() {
        List<String> names = IntStream.range(0, 20_000).mapToObj(n -> "m" + n).toList();
        flames.sampled(new StackBatch(
                names,
                IntStream.range(0, 9_000)
                        .mapToObj(n -> new StackBatch.Stack(
                                "", IntStream.range(n, n + 2).toArray()))
                        .toList()));
        JsonNode drawn = read();
        assertThat(drawn.path("boxes").size()).isLessThanOrEqualTo(4_000);
        assertThat(drawn.path("narrow").asInt()).isPositive();
    }

    @Test
    void whatIsWrong_isNamed() {
        assertThatThrownBy(() -> read("of", "cpu")).hasMessage("of: cpu (expected: wall or allocation)");
        assertThatThrownBy(() -> read("from", "-1")).hasMessageContaining("from: -1");
        assertThatThrownBy(() -> read("from", "5", "to", "5")).hasMessageContaining("to: 5 (expected: more than from");
        assertThatThrownBy(() -> read("last", "x")).hasMessageContaining("last: x");
        assertThatThrownBy(() -> read("from", "9".repeat(30))).hasMessageContaining("milliseconds since 1970");
    }

    private void sampled(String key, String request, int... frames) {
        flames.sampled(new StackBatch(NAMES, List.of(new StackBatch.Stack(key, frames))));
        endings.ended("debug", key, "shop", request);
    }

    private void answered(long at, double production, double debug) {
        Judged judged = new Judged(
                exchanges.newest() + 1,
                "shop",
                1,
                null,
                "GET /stock",
                new Verdict(VerdictKind.SAME, null, List.of()),
                null,
                production,
                debug,
                at,
                200,
                200,
                at);
        exchanges.add("debug", "GET /stock", judged, null);
    }

    private JsonNode read(String... parameters) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            query.put(parameters[i], List.of(parameters[i + 1]));
        }
        return new ObjectMapper().valueToTree(view.read(new Call("/v1/flame/graph", query, "", new byte[0])));
    }

    private static List<String> boxes(JsonNode drawn) {
        return Stream.iterate(0, i -> i + 1)
                .limit(drawn.path("boxes").size())
                .map(i -> drawn.path("boxes").path(i))
                .map(box -> drawn.path("names").path(box.path(0).asInt()).asText() + " " + box.path(1) + " "
                        + box.path(2) + " " + box.path(3) + " " + box.path(4))
                .toList();
    }
}
