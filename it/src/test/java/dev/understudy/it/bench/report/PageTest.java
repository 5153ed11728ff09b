package dev.understudy.it.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class PageTest {
    @TempDir
    private Path folder;

    @Test
    void section_replacesTheOneOfItsTitle_andNothingElse() throws IOException {
        Path page = folder.resolve("page.md");
        Files.writeString(page, """
                # Benchmarks

                Read this first.

                ## Tee, again

                other figures

                ## Tee

                old figures

                ### Part of it

                old ones

                ## Idle

                more
                """);
        Page.put(page, "Tee", "new figures\n\n### New part\n\nnew ones\n\n");
        assertThat(page).hasContent("""
                # Benchmarks

                Read this first.

                ## Tee, again

                other figures

                ## Tee

                new figures

                ### New part

                new ones

                ## Idle

                more
                """);
    }

    @Test
    void section_thatIsNew_comesLast_alsoOnAPageThatIsNew() throws IOException {
        Path page = folder.resolve("page.md");
        Page.put(page, "Tee", "figures");
        Page.put(page, "Idle", "more");
        Page.put(page, "Tee", "others");
        assertThat(page).hasContent("# Benchmarks\n\n## Tee\n\nothers\n\n## Idle\n\nmore\n");
    }
}
