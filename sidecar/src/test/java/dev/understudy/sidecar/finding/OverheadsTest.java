package dev.understudy.sidecar.finding;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OverheadsTest {
    private final Overheads overheads = new Overheads();

    @Test
    void exchanges_areJoinedWithTheirRoutes_whicheverIsToldFirst() {
        overheads.measured("a", 1000);
        overheads.ended("a", "shop", "GET /orders/7");
        overheads.ended("b", "shop", "GET /orders/8");
        overheads.measured("b", 3000);
        overheads.ended("c", "shop", "GET /basket");
        overheads.measured("c", 500);
        overheads.ended("d", "admin", "GET /basket");
        overheads.measured("d", 700);
        overheads.measured("nobody's", 9);

        assertThat(overheads.of("shop"))
                .hasSize(2)
                .containsEntry("GET /orders/{n}", new Overheads.Overhead(2, 2))
                .containsEntry("GET /basket", new Overheads.Overhead(1, 0.5));
        assertThat(overheads.of("admin")).containsOnlyKeys("GET /basket");
    }

    @Test
    void withoutAnAgent_nothingIsKept() {
        for (int i = 0; i < 10_000; i++) {
            overheads.ended("e" + i, "shop", "GET /");
        }
        overheads.measured("e5", 1000);

        assertThat(overheads.of("shop")).isEmpty();
    }

    @Test
    void routesAndWhatWaits_areBounded() {
        overheads.measured("first", 1);
        for (int i = 0; i < 50_000; i++) {
            overheads.measured("w" + i, 1);
            overheads.ended("x" + i, "shop", "GET /" + word(i % 2000));
        }
        overheads.ended("w0", "shop", "GET /forgotten");
        for (int i = 45_000; i < 50_000; i++) {
            overheads.measured("x" + i, 1000);
        }
        assertThat(overheads.of("shop")).hasSize(1000).doesNotContainKey("GET /forgotten");
    }

    /** Another one for each number, without digits, which would be folded. */
    private static String word(int number) {
        return Integer.toString(number)
                .chars()
                .mapToObj(digit -> "ghijklmnop".substring(digit - '0', digit - '0' + 1))
                .collect(Collectors.joining());
    }
}
