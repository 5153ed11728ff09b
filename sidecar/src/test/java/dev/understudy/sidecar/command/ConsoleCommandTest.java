package dev.understudy.sidecar.command;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class ConsoleCommandTest {
    @TempDir
    Path folder;

    @Test
    void link_isPrinted() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran ran = Ran.run("console", "--no-open", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isZero();
            assertThat(ran.out().strip()).matches(Pattern.quote(sidecar.controlUrl()) + "/(#code=[\\w-]{32})?");
        }
    }

    @Test
    void sidecar_thatCantBeReached_is2() {
        Ran ran = Ran.run("console", "--no-open", "--url", "http://127.0.0.1:1");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
    }
}
