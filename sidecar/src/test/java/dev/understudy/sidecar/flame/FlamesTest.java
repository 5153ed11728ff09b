package dev.understudy.sidecar.flame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FlamesTest {
    private static final List<String> NAMES = List.of("run", "serve", "price", "wait");
    private static final int[] PRICE = {0, 1, 2};
    private static final int[] WAIT = {0, 1, 3};

    private long now = 5;
    private long clock = 1_000;
    private final RecentExchanges endings = new RecentExchanges(() -> now);
    private final Flames flames = new Flames(endings, () -> clock);

    @Test
    void stacks_areJoinedWithTheirRoutes_whicheverIsToldFirst() {
        sampled("a", PRICE);
        endings.ended("debug", "a", "shop", "GET /orders/7");
        endings.ended("debug", "b", "shop", "GET /orders/8?page=2");
        sampled("b", WAIT);
        sampled("b", PRICE);
        endings.ended("debug", "4711@60", "shop", "GET user:17");
        sampled(RecentExchanges.key("", 4711, 60), WAIT);
        endings.ended("patched", "c", "shop", "GET /orders/9");
        sampled("c", WAIT);

        Flame read = flames.read(Flame.Span.ALL);
        assertThat(read.waiting()).isZero();
        assertThat(read.routes())
                .extracting(route -> route.debug() + " " + route.route() + " " + route.samples())
                .containsExactly("debug GET /orders/{n} 3", "debug GET user:{n} 1", "patched GET /orders/{n} 1");
        assertThat(lines(read, 0)).containsExactlyInAnyOrder("run;serve;price 2", "run;serve;wait 1");
    }

    @Test
    void whatIsOfNoKnownExchange_isCountedAsThat() {
        sampled("", PRICE);
        sampled("never heard of", PRICE);
        assertThat(flames.read(Flame.Span.ALL).waiting()).isEqualTo(1);
        assertThat(flames.read(Flame.Span.ALL).routes())
                .extracting(Flame.Route::route)
                .containsExactly(FramePlace.UNKNOWN.route());

        for (int i = 0; i < RouteTrees.MOST_WAITING; i++) {
            sampled("w" + i, WAIT);
        }
        Flame read = flames.read(Flame.Span.ALL);
        assertThat(read.waiting()).isEqualTo(RouteTrees.MOST_WAITING);
        assertThat(lines(read, 0)).containsExactly("run;serve;price 2");
    }

    @Test
    void withoutAnAgent_nothingIsKept() {
        for (int i = 0; i < 20_000; i++) {
            endings.ended("debug", "e" + i, "shop", "GET /");
        }
        sampled("e5", PRICE);

        assertThat(flames.read(Flame.Span.ALL).routes()).isEmpty();
    }

    @Test
    void aConnectionOfTheSamePort_muchLater_isAnother() {
        sampled("", PRICE);
        endings.ended("debug", RecentExchanges.key("", 4711, 0), "shop", "GET user:17");
        now += TimeUnit.SECONDS.toNanos(31);
        sampled(RecentExchanges.key("", 4711, 0), WAIT);
        assertThat(flames.read(Flame.Span.ALL).waiting()).isEqualTo(1);

        endings.ended("debug", RecentExchanges.key("", 4711, 0), "shop", "DEL user:17");
        assertThat(flames.read(Flame.Span.ALL).routes())
                .extracting(Flame.Route::route)
                .containsExactly(FramePlace.UNKNOWN.route(), "DEL user:{n}");
    }

    /** However many exchanges end between two batches. */
    @Test
    void ofManyEndings_theNewestAreKnown() {
        sampled("", PRICE);
        int many = 20 << RecentExchanges.BITS;
        for (int i = 0; i < many; i++) {
            endings.ended("debug", String.format("%016x", i * 0x9E3779B97F4A7C15L), "shop", "GET /");
        }
        for (int i = many - 1000; i < many; i++) {
            sampled(String.format("%016x", i * 0x9E3779B97F4A7C15L), PRICE);
        }
        sampled(String.format("%016x", 0), PRICE);

        Flame read = flames.read(Flame.Span.ALL);
        assertThat(read.routes().get(0).route()).isEqualTo("GET /");
        assertThat(read.routes().get(0).samples()).isGreaterThan(900);
        assertThat(read.waiting()).isBetween(1, 100);
    }

    @Test
    void routesNamesAndNodes_areBounded_andTheRestIsCounted() {
        for (int i = 0; i < 60; i++) {
            List<String> names = IntStream.range(i * 1000, i * 1000 + 1000)
                    .mapToObj(n -> "m" + n)
                    .toList();
            List<StackBatch.Stack> stacks = new ArrayList<>();
            for (int n = 0; n + 20 <= 1000; n += 20) {
                stacks.add(new StackBatch.Stack("", IntStream.range(n, n + 20).toArray()));
            }
            for (int deep = 0; deep < 8; deep++) {
                int[] long1 = IntStream.range(0, 400).map(n -> 999 - n).toArray();
                long1[0] = deep;
                stacks.add(new StackBatch.Stack("", long1));
            }
            flames.sampled(new StackBatch(names, stacks));
        }
        Flame read = flames.read(Flame.Span.ALL);
        assertThat(read.names()).hasSize(FrameNames.MOST);
        Flame.Route route = read.routes().get(0);
        assertThat(route.nodes().length).isLessThanOrEqualTo(3 * Flames.MOST_NODES);
        assertThat(route.left()).isPositive();
        assertThat(IntStream.range(0, route.nodes().length / 3)
                        .mapToLong(node -> route.nodes()[node * 3 + 2])
                        .sum())
                .isEqualTo(route.samples() - route.left());
    }

    @Test
    void routesBeyondTheBound_areCountedTogether() {
        sampled("", PRICE);
        for (int i = 0; i < 2 * RouteTrees.MOST_ROUTES; i++) {
            String word = i / 100 + "x" + (char) ('g' + i / 10 % 10) + (char) ('g' + i % 10);
            endings.ended("debug", "e" + i, "shop", "GET /" + word);
            sampled("e" + i, WAIT);
        }
        Flame read = flames.read(Flame.Span.ALL);
        assertThat(read.routes()).hasSize(RouteTrees.MOST_ROUTES + 1);
        assertThat(read.routes().get(0).route()).isEqualTo("(other routes)");
        assertThat(read.routes().stream().mapToLong(Flame.Route::samples).sum())
                .isEqualTo(1 + 2 * RouteTrees.MOST_ROUTES);
    }

    @Test
    void spans_haveWhatWasHeardOfThen_andNoOtherNodes() {
        endings.ended("debug", "", "shop", "GET /");
        sampled("", PRICE);
        clock = 2_000;
        sampled("", WAIT);
        sampled("", WAIT);
        clock = 3_000;
        sampled("", PRICE);

        assertThat(lines(flames.read(new Flame.Span(2_000, 3_000)), 0)).containsExactly("run;serve;wait 2");
        assertThat(lines(flames.read(new Flame.Span(2_001, Long.MAX_VALUE)), 0)).containsExactly("run;serve;price 1");
        assertThat(flames.read(new Flame.Span(2_000, 3_000)).routes().get(0).nodes())
                .as("run, serve, wait")
                .hasSize(9);
        assertThat(flames.read(new Flame.Span(5_000, 6_000)).routes()).isEmpty();
        assertThat(flames.read(new Flame.Span(0, 9_000)).routes().get(0).samples())
                .isEqualTo(4);
        assertThat(flames.read(new Flame.Span(0, 9_000)).forgotten()).isZero();
    }

    @Test
    void samples_areKnownOneByOne_upToABound_andTheEldestOnlyInAll() {
        List<StackBatch.Stack> stacks = IntStream.range(0, 1 << 10)
                .mapToObj(n -> new StackBatch.Stack("", PRICE))
                .toList();
        for (clock = 1; clock <= (SampleLog.MOST >> 10) + 2; clock++) {
            flames.sampled(new StackBatch(NAMES, stacks));
        }
        Flame read = flames.read(new Flame.Span(1, Long.MAX_VALUE));
        assertThat(read.routes().get(0).samples()).isEqualTo(SampleLog.MOST);
        assertThat(read.forgotten()).isEqualTo(2);
        assertThat(flames.read(Flame.Span.ALL).routes().get(0).samples()).isEqualTo(SampleLog.MOST + (2 << 10));
    }

    private void sampled(String key, int[] frames) {
        flames.sampled(new StackBatch(NAMES, List.of(new StackBatch.Stack(key, frames))));
    }

    private static List<String> lines(Flame flame, int route) {
        long[] nodes = flame.routes().get(route).nodes();
        List<String> paths = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < nodes.length; i += 3) {
            String name = flame.names().get((int) nodes[i + 1]);
            paths.add(nodes[i] < 0 ? name : paths.get((int) nodes[i]) + ";" + name);
            if (nodes[i + 2] > 0) {
                lines.add(paths.get(i / 3) + " " + nodes[i + 2]);
            }
        }
        return lines;
    }
}
