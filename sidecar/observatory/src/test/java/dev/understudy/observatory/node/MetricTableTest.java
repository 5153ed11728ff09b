package dev.understudy.observatory.node;

import dev.understudy.observatory.node.kernel.HostMetrics;
import dev.understudy.observatory.node.kernel.MemoryMetrics;
import dev.understudy.observatory.node.kernel.NetworkMetrics;
import dev.understudy.observatory.node.kernel.PressureMetrics;
import dev.understudy.observatory.node.kernel.ProcessorMetrics;
import dev.understudy.observatory.node.process.ProcessTable;
import dev.understudy.observatory.sample.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The tables of the guide, beside what is sampled. */
final class MetricTableTest {
    private static final Path GUIDE = Path.of("../../docs/samples.md");
    private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");
    private static final List<String> OF_A_DISK = List.of("busy", "queue", "read", "write", "reads", "writes");

    @TempDir
    Path none;

    private Set<String> sampled() {
        Set<String> metrics = new TreeSet<>(ProcessTable.metrics());
        for (HostMetrics group : List.of(
                new ProcessorMetrics(none, text -> {}),
                new MemoryMetrics(none, text -> {}),
                new NetworkMetrics(none, none, text -> {}),
                new PressureMetrics(none, text -> {}))) {
            try (group) {
                metrics.addAll(group.metrics());
            }
        }
        OF_A_DISK.forEach(metric -> metrics.add("disk.sda." + metric));
        metrics.add(OwnCost.METRIC);
        return metrics;
    }

    /** A name that begins with a point goes on from the one before it in its cell. */
    private static Set<String> described() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String line : Files.readAllLines(GUIDE)) {
            if (!line.startsWith("| `")) {
                continue;
            }
            String before = "";
            Matcher name = NAME.matcher(line.substring(0, line.indexOf('|', 1)));
            while (name.find()) {
                before = name.group(1).startsWith(".")
                        ? before.substring(0, before.lastIndexOf('.')) + name.group(1)
                        : name.group(1);
                names.add(before);
            }
        }
        return names;
    }

    @Test
    void document_describesEachMetric() throws IOException {
        assertThat(described()).containsAll(sampled());
    }

    @Test
    void eachMetric_isOfAResource() {
        assertThat(sampled())
                .filteredOn(metric -> Resource.of(metric) == Resource.OTHER)
                .containsExactly("sampler.busy");
        assertThat(Resource.of("pressure.io.full")).isEqualTo(Resource.DISK);
        assertThat(Resource.of("pressure.cpu.some")).isEqualTo(Resource.PROCESSOR);
        assertThat(Resource.of("pressure.memory.some")).isEqualTo(Resource.MEMORY);
        assertThat(Resource.of("safepoint.pause")).isEqualTo(Resource.COLLECTOR);
        assertThat(Resource.of("pressure")).isEqualTo(Resource.OTHER);
        assertThat(Resource.of("")).isEqualTo(Resource.OTHER);
    }
}
