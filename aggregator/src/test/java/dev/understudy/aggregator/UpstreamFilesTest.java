package dev.understudy.aggregator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The files of upstreams, which one process has at a time. */
class UpstreamFilesTest {
    @TempDir
    private Path folder;

    @Test
    void journalThatCantBeOpened_leavesTheFilesOfLargeRepliesToTheNextOne() throws Exception {
        try (Aggregator holder = aggregator("large: 0")) {
            assertThat(holder.debugAddress("test")).isNotNull();
            assertThatThrownBy(() -> aggregator("large: 64MiB"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("journal.disk-directory");
        }
        aggregator("large: 64MiB").close();
    }

    private Aggregator aggregator(String journal) throws IOException {
        Path file = folder.resolve("aggregator.yaml");
        Files.writeString(file, """
                upstreams:
                  - name: test
                    protocol: http
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:9 }
                    debug: { listen: 127.0.0.1:0 }
                journal: { disk-directory: %s, %s }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                """.formatted(folder.resolve("journals"), journal));
        return Aggregator.open(AggregatorConfig.read(file, Map.of(), List.of()));
    }
}
