package dev.understudy.sidecar.suspect;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A failing exchange and the good ones that are most like it. */
final class ContrastTest {
    private static final String NAMES = IntStream.rangeClosed(1, 9)
            .mapToObj(number -> "\"" + number + "\":\"m" + number + "\"")
            .collect(Collectors.joining(",", "\"methods\":{", "}"));

    private final Methods methods = new Methods();

    private ContrastTest() {
        methods.of(
                ObservedBatch.read(("{\"name\":\"a\",\"run\":1,\"exchanges\":[]," + NAMES + "}")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                0);
    }

    @Test
    void onlyWhatTheNearestGoodOnesLack_departs() {
        Run failing = run("GET /cart", 1, 2, 3, 4);
        List<Run> good = List.of(
                run("GET /cart", 1, 2, 4),
                run("GET /cart", 1, 2, 4),
                run("GET /cart", 1, 2, 4),
                run("GET /cart", 1),
                run("GET /cart", 1));

        Contrast contrast = new Contrast(List.of(failing), good, methods);

        assertThat(contrast.departs("m3")).isEqualTo(1);
        assertThat(contrast.first("m3")).isEqualTo(1);
        assertThat(List.of("m1", "m2", "m4")).allMatch(method -> contrast.departs(method) == 0);
    }

    @Test
    void exchangesOfTheSameRouteComeFirst_howeverLikeOthersAre() {
        Run failing = run("GET /cart", 1, 2, 3);
        List<Run> good = List.of(
                run("GET /cart", 1, 3),
                run("GET /cart", 1, 3),
                run("GET /cart", 1, 3),
                run("POST /order", 1, 2, 3),
                run("POST /order", 1, 2, 3),
                run("POST /order", 1, 2, 3));

        Contrast contrast = new Contrast(List.of(failing), good, methods);

        assertThat(contrast.departs("m2")).isEqualTo(1);
        assertThat(contrast.departs("m3")).isZero();
    }

    @Test
    void theEarlierOfTwoThatDepart_countsMore() {
        Run failing = run("GET /cart", 1, 5, 6);
        Contrast contrast = new Contrast(List.of(failing), List.of(run("GET /cart", 1)), methods);

        assertThat(contrast.first("m5")).isGreaterThan(contrast.first("m6"));
    }

    @Test
    void withoutGoodOnes_nothingIsSaid() {
        Contrast contrast = new Contrast(List.of(run("GET /cart", 1)), List.of(), methods);

        assertThat(contrast.departs("m1")).isZero();
        assertThat(contrast.first("m1")).isZero();
    }

    @Test
    void manyLongOnes_areSampled() {
        Random random = new Random(5);
        List<Run> good = IntStream.range(0, 1_024)
                .mapToObj(
                        i -> run("GET /cart", random.ints(100, 0, 9).distinct().toArray()))
                .toList();

        Contrast contrast = new Contrast(good, good, methods);

        assertThat(contrast.departs("m1")).isBetween(0.0, 1.0);
    }

    /** These methods, by our numbers from 1 on, were called. */
    private static Run run(String request, int... called) {
        int[] held = IntStream.of(called)
                .map(method -> Math.max(0, method - 1) * Predicate.ROOM)
                .distinct()
                .toArray();
        return new Run(
                held,
                new int[0],
                true,
                new int[0],
                TestEnding.of().request(request).end(),
                0,
                LabelRule.Why.NONE);
    }
}
