package dev.understudy.sidecar.suspect;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Recorded trials of published bugs, ranked again without a server. */
final class RecordedBugsTest {
    private static final Path RECORDED =
            Path.of("src", "test", "resources", "dev", "understudy", "sidecar", "suspect", "recorded");

    private static final int FIRST_FIVE = 5;

    @Test
    void weighed_noFewerAreFirst_norAmongTheFirstFive_thanByImportance() throws Exception {
        List<RankingYardstick.Trace> traces = RankingYardstick.read(RECORDED, Path.of("..", "examples", "bugs"));

        List<Integer> listed =
                traces.stream().map(trace -> trace.last().listed()).toList();
        List<Integer> weighed = traces.stream()
                .map(trace -> trace.last().rank(RankingWeights.learned()))
                .toList();
        assertThat(traces).hasSizeGreaterThanOrEqualTo(6);
        assertThat(first(weighed, 1)).isGreaterThanOrEqualTo(first(listed, 1)).isGreaterThanOrEqualTo(3);
        assertThat(first(weighed, FIRST_FIVE))
                .isGreaterThanOrEqualTo(first(listed, FIRST_FIVE))
                .isGreaterThanOrEqualTo(5);
    }

    private static long first(List<Integer> ranks, int most) {
        return ranks.stream().filter(rank -> rank > 0 && rank <= most).count();
    }
}
