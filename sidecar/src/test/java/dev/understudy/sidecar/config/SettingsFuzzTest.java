package dev.understudy.sidecar.config;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.understudy.relay.Splits;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** Any bytes as the sidecar's settings: read, or refused with at least one problem, and the same the next time. */
class SettingsFuzzTest {
    private static final Path FILE = temporary();

    @FuzzTest
    void settings(byte[] input) throws Exception {
        Files.write(FILE, input);
        String read = Splits.bounded(20_000 + input.length, SettingsFuzzTest::read);
        assertThat(read()).isEqualTo(read);
    }

    private static String read() {
        Problems problems = new Problems();
        try {
            SidecarConfig config = SidecarConfig.read(FILE, new Overrides(Map.of(), List.of(), problems), problems);
            assertThat(config.listeners()).isNotEmpty();
            return "read";
        } catch (ConfigException refused) {
            assertThat(refused.problems()).isNotEmpty().doesNotContainNull();
            return refused.problems().toString();
        }
    }

    private static Path temporary() {
        try {
            Path file = Files.createTempFile("settings", ".yaml");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
