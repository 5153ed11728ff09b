package dev.understudy.sidecar.flame;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AllocationsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private long clock = 1_000;
    private final RecentExchanges endings = new RecentExchanges(() -> 0);
    private final AllocationProfile allocations = new AllocationProfile(endings, () -> clock);

    @Test
    void bytes_areAddedUp_agentByAgent() {
        sampled("one", 10, 100, List.of("run", "byte[]"), unknown(60, 0, 1));
        sampled("one", 20, 150, List.of("byte[]", "run"), unknown(90, 1, 0));
        sampled("two", 5, -1, List.of("run"), unknown(400, 0));
        sampled("two", 5, 900, List.of("run"), unknown(400, 0));

        Allocated read = allocations.read(Flame.Span.ALL);
        assertThat(read.agents())
                .extracting(agent -> agent.name() + " " + agent.samples() + " " + agent.bytes() + " " + agent.left()
                        + " " + agent.allocated())
                .containsExactly("two 10 800 0 -1", "one 30 150 0 250");
        assertThat(read.agents().get(1).routes()).hasSize(1);
        assertThat(read.agents().get(1).routes().get(0).nodes())
                .as("run with byte[] below it")
                .containsExactly(
                        -1, read.names().indexOf("run"), 0, 0, read.names().indexOf("byte[]"), 150);
    }

    @Test
    void spans_haveEachAgentsBytesOfThen() {
        sampled("one", 10, 100, List.of("run", "byte[]"), unknown(60, 0, 1));
        clock = 2_000;
        sampled("one", 20, 150, List.of("byte[]", "run"), unknown(90, 1, 0));
        sampled("two", 5, 900, List.of("run"), unknown(400, 0));

        Allocated read = allocations.read(new Flame.Span(1_500, 2_500));
        assertThat(read.agents())
                .extracting(agent -> agent.name() + " " + agent.routes().get(0).bytes())
                .containsExactly("two 400", "one 90");
        assertThat(allocations.read(new Flame.Span(0, 1_500)).agents())
                .extracting(agent -> agent.routes().size())
                .containsExactly(0, 1);
    }

    @Test
    void deepStacksOfManyAgents_thatWait_haveOneRoom() {
        int[] deep = new int[1_024];
        for (int agent = 0; agent < 20; agent++) {
            for (int n = 0; n < 100; n++) {
                AllocationBatch.Stack stack = new AllocationBatch.Stack("key" + n, false, 1, 1, deep);
                sampled("agent" + agent, 1, 1, List.of("run"), stack);
            }
        }

        long waiting = allocations.read(Flame.Span.ALL).agents().stream()
                .mapToLong(Allocated.Agent::waiting)
                .sum();
        assertThat(waiting * deep.length).isLessThanOrEqualTo(RouteTrees.MOST_WAITING_FRAMES);
        assertThat(waiting).isGreaterThan(1_000);
    }

    @Test
    void longNames_haveOneRoom() {
        for (int n = 0; n < 20_000; n++) {
            sampled("one", 1, 1, List.of("x".repeat(290) + n), unknown(1, 0));
        }

        long characters = allocations.read(Flame.Span.ALL).names().stream()
                .mapToLong(String::length)
                .sum();
        assertThat(characters).isBetween(FrameNames.MOST_CHARACTERS / 2L, FrameNames.MOST_CHARACTERS + 100L);
    }

    @Test
    void bytes_areTheirExchangesRoutes_thoseOfNoneApart_andWaitUntilItIsOver() {
        sampled(
                "one",
                9,
                100,
                List.of("run"),
                new AllocationBatch.Stack("a", false, 2, 60, new int[] {0}),
                new AllocationBatch.Stack("b", false, 3, 30, new int[] {0}),
                new AllocationBatch.Stack("", true, 1, 7, new int[] {0}),
                unknown(5, 0));
        assertThat(routes()).containsExactly("  (no exchange) 1 7", "  (no route known) 1 5");
        assertThat(allocations.read(Flame.Span.ALL).agents().get(0).waiting()).isEqualTo(2);

        endings.ended("debug", "a", "shop", "GET /orders/7");
        endings.ended("debug", "c", "shop", "GET /orders/9");
        sampled("one", 1, 100, List.of("run"), new AllocationBatch.Stack("c", false, 1, 4, new int[] {0}));
        assertThat(routes())
                .containsExactly("shop debug GET /orders/{n} 3 64", "  (no exchange) 1 7", "  (no route known) 1 5");
        assertThat(allocations.read(Flame.Span.ALL).agents().get(0).waiting()).isEqualTo(1);
    }

    @Test
    void agentsNamesAndNodes_areBounded_andTheRestIsCounted() {
        for (int i = 0; i < 80; i++) {
            List<String> names = IntStream.range(i * 1000, i * 1000 + 1000)
                    .mapToObj(n -> "m" + n)
                    .toList();
            int[] deep = IntStream.range(0, 1000).toArray();
            int[] reversed = IntStream.range(0, 1000).map(n -> 999 - n).toArray();
            int[] rotated = IntStream.range(0, 1000).map(n -> (n + 500) % 1000).toArray();
            sampled("agent " + i, 3, 21, names, unknown(7, deep), unknown(7, reversed), unknown(7, rotated));
        }
        Allocated read = allocations.read(Flame.Span.ALL);
        assertThat(read.names()).hasSize(FrameNames.MOST);
        assertThat(read.agents()).hasSize(AllocationProfile.MOST_AGENTS + 1);
        List<Allocated.Route> routes =
                read.agents().stream().flatMap(agent -> agent.routes().stream()).toList();
        assertThat(routes.stream().mapToInt(route -> route.nodes().length).sum())
                .isLessThanOrEqualTo(3 * AllocationProfile.MOST_NODES);
        assertThat(routes.stream().mapToLong(Allocated.Route::left).sum()).isPositive();
        assertThat(read.agents().stream().mapToLong(Allocated.Agent::bytes).sum())
                .isEqualTo(80 * 21);
    }

    @Test
    void whatIsNoBatch_isRefused() throws Exception {
        String good = "{\"name\":\"a\",\"perSecond\":1,\"samples\":2,\"bytes\":3,\"dropped\":0,\"names\":[\"m\"],"
                + "\"stacks\":[{\"samples\":1,\"bytes\":3,\"frames\":[0]}]}";
        assertThat(AllocationBatch.read(JSON.readTree(good)).allocated()).isEqualTo(-1);
        for (String wrong : List.of(
                good.replace("[0]", "[1]"),
                good.replace("\"bytes\":3,\"dropped", "\"bytes\":-3,\"dropped"),
                good.replace("\"samples\":2", "\"samples\":\"2\""),
                good.replace("\"samples\":1", "\"samples\":-1"),
                good.replace("[\"m\"]", "[7]"),
                "{}")) {
            JsonNode document = JSON.readTree(wrong);
            assertThatThrownBy(() -> AllocationBatch.read(document))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected");
        }
    }

    @Test
    void anyJson_isReadOrRefused() throws Exception {
        String good = "{\"name\":\"a\",\"perSecond\":1,\"samples\":2,\"bytes\":3,\"dropped\":0,\"allocated\":4,"
                + "\"names\":[\"m\"],\"stacks\":[{\"port\":1,\"from\":2,\"exchange\":\"none\","
                + "\"samples\":1,\"bytes\":3,\"frames\":[0]}]}";
        String[] others = {"null", "-1", "1e30", "[]", "{}", "\"x\"", "9223372036854775808", "true"};
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            String[] parts = good.split("(?<=[:\\[,])", -1);
            parts[random.nextInt(parts.length)] = others[random.nextInt(others.length)] + ",";
            try {
                AllocationBatch.read(JSON.readTree(String.join("", parts)));
            } catch (IllegalArgumentException | JsonProcessingException refused) {
                assertThat(refused).as("seed %d", seed).isNotNull();
            }
        }
    }

    private List<String> routes() {
        return allocations.read(Flame.Span.ALL).agents().get(0).routes().stream()
                .map(route -> route.listener() + " " + route.debug() + " " + route.route() + " " + route.samples() + " "
                        + route.bytes())
                .toList();
    }

    private static AllocationBatch.Stack unknown(long bytes, int... frames) {
        return new AllocationBatch.Stack("", false, 1, bytes, frames);
    }

    private void sampled(
            String agent, int samples, long allocated, List<String> names, AllocationBatch.Stack... stacks) {
        long bytes =
                List.of(stacks).stream().mapToLong(AllocationBatch.Stack::bytes).sum();
        allocations.sampled(new AllocationBatch(agent, 150, samples, bytes, 0, allocated, names, List.of(stacks)));
    }
}
