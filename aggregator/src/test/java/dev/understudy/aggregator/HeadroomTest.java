package dev.understudy.aggregator;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.relay.lane.JvmMemory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class HeadroomTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void budgets_thatTheJvmHasNoRoomFor_areCut() throws Exception {
        AggregatorConfig config =
                twoUpstreams("journal: {memory: 100MiB}", "lanes: {memory: 64MiB, lane-memory: 48MiB}");

        AggregatorConfig fitting = ReplayHeadroom.fit(config, new JvmMemory(256 * MIB, 128 * MIB));

        assertThat(fitting.journal().memory()).isEqualTo(64 * MIB);
        assertThat(fitting.journal().age()).isEqualTo(config.journal().age());
        assertThat(fitting.lanes().memory()).isEqualTo(32 * MIB);
        assertThat(fitting.lanes().laneMemory()).isEqualTo(32 * MIB);
        assertThat(fitting.debugConnections().memory()).isEqualTo(16 * MIB);
        assertThat(fitting.debugConnections().connectionMemory()).isEqualTo(8 * MIB);
        assertThat(fitting.debugConnections().maxConnections()).isEqualTo(1_000);
        assertThat(fitting.upstreams()).isEqualTo(config.upstreams());
    }

    @Test
    void budgets_thatFit_stay() throws Exception {
        AggregatorConfig config = twoUpstreams(
                "journal: {memory: 64MiB}", "lanes: {memory: 32MiB}", "debug-connections: {memory: 16MiB}");

        assertThat(ReplayHeadroom.fit(config, new JvmMemory(256 * MIB, 128 * MIB)))
                .isSameAs(config);
    }

    private AggregatorConfig twoUpstreams(String... more) throws Exception {
        Path file = Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - {name: a, protocol: http, production: {listen: '127.0.0.1:0', upstream: '127.0.0.1:1'}, debug: \
                {listen: '127.0.0.1:0'}}
                  - {name: b, protocol: http, production: {listen: '127.0.0.1:0', upstream: '127.0.0.1:1'}, debug: \
                {listen: '127.0.0.1:0'}}
                """ + String.join("\n", more) + "\n");
        return AggregatorConfig.read(file, Map.of(), List.of());
    }
}
