package dev.understudy.example.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NarratorTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void progress_elsewhereThanOnATerminalIsALineForEachTenth() {
        Narrator narrator = new Narrator(out, false);
        for (int done = 0; done <= 1_000; done++) {
            narrator.progress("requests", done, 1_000);
            narrator.status("not shown");
        }
        assertThat(printed().lines()).hasSize(11);
        assertThat(printed()).doesNotContain("\r", "\u001b", "not shown");
    }

    @Test
    void progress_onATerminalIsRedrawnInPlaceAndGoneBeforeTheNextLine() {
        Narrator narrator = new Narrator(out, true);
        narrator.progress("requests", 1, 2);
        narrator.print(List.of("next"));
        String[] drawn = printed().split("\r", -1);
        assertThat(drawn[1]).contains("[" + "#".repeat(20) + "-".repeat(20) + "] 1 of 2 requests");
        assertThat(drawn[2]).isBlank().hasSameSizeAs(drawn[1]);
        assertThat(drawn[3].strip()).isEqualTo("next");
    }

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
