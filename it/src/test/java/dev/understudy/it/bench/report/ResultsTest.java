package dev.understudy.it.bench.report;

import dev.understudy.it.bench.load.Bulk;
import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ResultsTest {
    private static final Workload BULK = new Bulk("bulk", 1);

    private final Results results = new Results();

    @Test
    void median_isTheMiddleRound_orBetweenTheTwo() {
        add("own", 30, 10, 20);
        assertThat(results.median(BULK, "own", Sample::cpuPerOperation)).isEqualTo(20);
        add("own", 40);
        assertThat(results.median(BULK, "own", Sample::cpuPerOperation)).isEqualTo(25);
    }

    /** The ratio of the medians would be 2, the mean of the ratios 1.5. */
    @Test
    void ratio_isTheMiddleOfThoseWithinTheRounds() {
        add("own", 10, 20, 30);
        add("peer", 10, 40, 10);
        assertThat(results.ratio(BULK, "own", "peer", Sample::cpuPerOperation)).isEqualTo(1);
    }

    @Test
    void failures_areThoseOfAllRounds() {
        results.add(BULK, "own", new Sample(5, 2, 1, 0, 0, null));
        results.add(BULK, "own", new Sample(5, 3, 1, 0, 0, null));
        results.add(BULK, "peer", new Sample(5, 90, 1, 0, 0, null));
        assertThat(results.failed(BULK, "own")).isEqualTo(5);
    }

    @Test
    void targetWithoutSamples_isMissed() {
        Target target = new Target("CPU", BULK, "own", "peer", Sample::cpuPerOperation, 1.05);
        assertThat(target.row(results)).contains("missed");
        add("own", 105, 105);
        add("peer", 100, 100);
        assertThat(target.row(results)).contains("| 1.05x | 1.05x | met |");
        add("own", 200, 200, 200);
        add("peer", 100, 100, 100);
        assertThat(target.row(results)).contains("| 1.05x | 2.00x | **missed** |");
    }

    @Test
    void table_hasARowOfEachSubject_besideItsPeer() {
        results.add(BULK, "own", new Sample(1000, 7, 2, 3_000_000, 1_500_000, null));
        results.add(BULK, "peer", new Sample(1000, 0, 2, 2_000_000, 2_000_000, null));
        assertThat(new Table()
                        .compare(results, List.of(BULK), List.of("own", "peer"), "peer")
                        .toString())
                .contains("| bulk | own | 3.00 µs/KiB | 1.50 µs/KiB | 1.50x | 0.75x | 500/s |  |  |  | 7 |")
                .contains("| bulk | peer | 2.00 µs/KiB | 2.00 µs/KiB | 1.00x | 1.00x | 500/s |  |  |  | 0 |");
    }

    private void add(String subject, long... nanosPerOperation) {
        for (long nanos : nanosPerOperation) {
            results.add(BULK, subject, new Sample(10, 0, 1, nanos * 10, 0, null));
        }
    }
}
