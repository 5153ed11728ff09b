package dev.understudy.sidecar.finding;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.sidecar.verdict.Judged;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class FindingsTest {
    private final Findings findings = new Findings();

    @Test
    void routes_leaveOutNumbersAndIds() {
        assertThat(Folding.route("GET /orders/7?page=2")).isEqualTo("GET /orders/{n}");
        assertThat(Folding.route("GET /u/3f2504e0-4f89-11d3-9a0c-0305e82c3301/x"))
                .isEqualTo("GET /u/{uuid}/x");
        assertThat(Folding.route("GET /s/65f1a0c2b3d4e5f6a7b8c9d0")).isEqualTo("GET /s/{id}");
        assertThat(Folding.route("GET user:17:name")).isEqualTo("GET user:{n}:name");
        assertThat(Folding.route("GET /v1/administrations")).isEqualTo("GET /v1/administrations");
        assertThat(Folding.route("")).isEmpty();
        assertThat(Folding.route("GET /" + "a".repeat(9_000))).hasSize(200).endsWith("…");
        assertThat(Folding.place("body.items[12].tags[0]")).isEqualTo("body.items[*].tags[*]");
        assertThat(Folding.place("body:12")).isEqualTo("body:*");
        assertThat(Folding.place("body:12.nonce")).isEqualTo("body:*.nonce");
        assertThat(Folding.place("body.text.word12")).isEqualTo("body.text.word12");
        assertThat(Folding.place("body.text.word123")).isEqualTo("body.text.word*");
        assertThat(Folding.place("header.Set-Cookie[JSESSIONID]")).isEqualTo("header.Set-Cookie[JSESSIONID]");
    }

    @Test
    void figures_areOfEachRoute_andOfBothSides() {
        findings.add(judged(1, "GET /a/1", VerdictKind.SAME, 1.0, 2.0));
        findings.add(judged(2, "GET /a/2", VerdictKind.DIFFERENT, 1.0, null, price("1", "2")));
        findings.add(judged(3, "GET /b", VerdictKind.SAME, 4.0, 4.0));

        RouteSnapshot found = findings.of("orders");

        assertThat(found.routes()).extracting(RouteSnapshot.Route::route).containsExactly("GET /a/{n}", "GET /b");
        RouteSnapshot.Route first = found.routes().get(0);
        assertThat(first.verdicts()).isEqualTo(Map.of(VerdictKind.SAME, 1L, VerdictKind.DIFFERENT, 1L));
        assertThat(first.production().values()).containsExactly(1L);
        assertThat(first.production().keySet())
                .allSatisfy(micros -> assertThat(micros).isBetween(990L, 1010L));
        assertThat(first.debug().keySet())
                .allSatisfy(micros -> assertThat(micros).isBetween(1980L, 2020L));
        assertThat(findings.of("others").routes()).isEmpty();
    }

    @Test
    void divergences_areGroupedByRouteAndPlaces_withTheFirstExamples() {
        for (int i = 1; i <= 5000; i++) {
            findings.add(judged(i, "GET /a/" + i, VerdictKind.DIFFERENT, 1.0, 1.0, price("1", "" + i)));
        }
        findings.add(judged(9000, "GET /b", VerdictKind.DIFFERENT, 1.0, 1.0, price("1", "3")));

        List<RouteSnapshot.Cause> causes = findings.of("orders").causes();

        assertThat(causes).hasSize(2);
        assertThat(causes.get(0).count()).isEqualTo(5000);
        assertThat(causes.get(0).last()).isEqualTo(5000);
        assertThat(causes.get(0).places()).containsExactly("VALUE body.items[*].price");
        assertThat(causes.get(0).examples()).extracting(Judged::exchange).containsExactly(1L, 2L);
    }

    @Test
    void whatIsKept_isBounded_andTheRestIsCounted() {
        for (int i = 0; i < 3000; i++) {
            String name = Integer.toString(i, 36).replaceAll("[0-9]", "x") + "q" + "z".repeat(i % 50);
            findings.add(judged(
                    i + 1,
                    "GET /" + name,
                    VerdictKind.DIFFERENT,
                    1.0,
                    1.0,
                    new Difference("body." + name, Difference.Type.VALUE, "1", "2", null)));
        }

        RouteSnapshot found = findings.of("orders");

        assertThat(found.routes()).hasSize(129);
        assertThat(found.routes().stream()
                        .mapToLong(route -> route.verdicts().getOrDefault(VerdictKind.DIFFERENT, 0L))
                        .sum())
                .isEqualTo(3000);
        assertThat(found.causes()).hasSize(200);
        assertThat(found.causes().stream().mapToLong(RouteSnapshot.Cause::count).sum() + found.ungrouped())
                .isEqualTo(3000);
        assertThat(found.places()).hasSize(1000);
        assertThat(found.places().stream().mapToLong(RouteSnapshot.Place::count).sum() + found.unplaced())
                .isEqualTo(3000);
    }

    @Test
    void oneLargeDivergence_isKeptInPart() {
        String longName = "body." + "n".repeat(100_000);
        Difference[] many = IntStream.range(0, 50)
                .mapToObj(i -> new Difference(longName + i, Difference.Type.VALUE, "1", "2", null))
                .toArray(Difference[]::new);
        findings.add(judged(1, "GET /" + "t".repeat(100_000), VerdictKind.DIFFERENT, 1.0, 1.0, many));

        Judged example = findings.of("orders").causes().get(0).examples().get(0);

        assertThat(example.request()).hasSize(1000);
        assertThat(example.verdict().differences()).hasSize(12);
        assertThat(example.verdict().differences().get(0).path()).hasSize(1000);
    }

    @Test
    void places_areCountedOncePerExchange_noiseApart() {
        Difference time = new Difference("body.at", Difference.Type.VALUE, "1", "2", Noise.EXCHANGE_TIME);
        findings.add(judged(1, "GET /a", VerdictKind.EQUIVALENT, 1.0, 1.0, time));
        findings.add(judged(2, "GET /a", VerdictKind.DIFFERENT, 1.0, 1.0, price("1", "2"), time, price("3", "4")));

        assertThat(findings.of("orders").places())
                .containsExactly(
                        new RouteSnapshot.Place(
                                "GET /a", "body.at", Difference.Type.VALUE, Noise.EXCHANGE_TIME, null, 2),
                        new RouteSnapshot.Place(
                                "GET /a", "body.items[*].price", Difference.Type.VALUE, null, ValueClass.NUMBER, 1));
    }

    @Test
    void severalLoops_countEverything_whileItIsRead() throws Exception {
        List<Thread> loops = IntStream.range(0, 4)
                .mapToObj(loop -> new Thread(() -> {
                    for (int i = 1; i <= 5000; i++) {
                        findings.add(judged(
                                i, "GET /" + "abcd".charAt(i % 4), VerdictKind.DIFFERENT, 1.0, 1.0, price("1", "2")));
                    }
                }))
                .toList();
        loops.forEach(Thread::start);
        while (loops.stream().anyMatch(Thread::isAlive)) {
            RouteSnapshot found = findings.of("orders");
            assertThat(found.causes().stream()
                            .mapToLong(RouteSnapshot.Cause::count)
                            .sum())
                    .isGreaterThanOrEqualTo(found.routes().stream()
                            .mapToLong(route -> route.verdicts().getOrDefault(VerdictKind.DIFFERENT, 0L))
                            .sum());
        }
        RouteSnapshot found = findings.of("orders");
        assertThat(found.routes())
                .hasSize(4)
                .allSatisfy(route -> assertThat(route.debug().values()).containsExactly(5000L));
        assertThat(found.places())
                .hasSize(4)
                .allSatisfy(place -> assertThat(place.count()).isEqualTo(5000));
    }

    private static Difference price(String production, String debug) {
        return new Difference("body.items[7].price", Difference.Type.VALUE, production, debug, null);
    }

    private static Judged judged(
            long exchange,
            String request,
            VerdictKind kind,
            @Nullable Double production,
            @Nullable Double debug,
            Difference... differences) {
        Verdict verdict = new Verdict(kind, null, List.of(differences));
        return new Judged(exchange, "orders", 1, null, request, verdict, null, production, debug);
    }
}
