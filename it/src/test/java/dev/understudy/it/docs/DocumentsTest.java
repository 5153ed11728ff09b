package dev.understudy.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules for all documents. With {@code -Dunderstudy.docs=write}, as {@code docs/generate} runs it, the generated
 * parts are written instead of compared.
 */
final class DocumentsTest {
    private static final boolean WRITES = "write".equals(System.getProperty("understudy.docs"));

    @Test
    void generatedParts_areWhatTheProgramsSay(@TempDir Path folder) throws Exception {
        List<String> stale = new ArrayList<>();
        List<String> meaningless = new ArrayList<>();
        try (RunningPrograms programs = RunningPrograms.start(folder)) {
            GeneratedParts parts = parts(programs);
            for (Markdown document : Repository.documents()) {
                List<String> renewed = parts.renewed(document);
                boolean differs = !renewed.equals(
                        document.lines().stream().map(Markdown.Line::text).toList());
                if (differs && WRITES) {
                    Files.write(Repository.root().resolve(document.path()), renewed);
                } else if (differs) {
                    stale.add(document.path().toString());
                }
                renewed.stream()
                        .filter(line -> line.contains(Table.MISSING))
                        .forEach(line -> meaningless.add(document.path() + ": " + line));
            }
            assertThat(parts.unused()).as("parts that no document has").isEmpty();
        }
        assertNone("stale generated parts: run docs/generate", stale);
        assertThat(meaningless)
                .as("rows without a meaning: write it in the table")
                .isEmpty();
    }

    @Test
    void lengths_areWithinTheirLimits() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Markdown document : Repository.documents()) {
            problems.addAll(Limits.problems(document));
        }
        assertNone("problems", problems);
    }

    @Test
    void sentences_canBeReadAtOnce() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Markdown document : Repository.documents()) {
            problems.addAll(Sentences.problems(document));
        }
        assertNone("problems", problems);
    }

    @Test
    void links_leadSomewhere() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Markdown document : Repository.documents()) {
            problems.addAll(Links.problems(Repository.root(), document));
        }
        assertNone("problems", problems);
    }

    @Test
    void shownCommands_canBeTyped() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Markdown document : Repository.documents()) {
            problems.addAll(ShownCommands.problems(document));
        }
        assertNone("problems", problems);
    }

    @Test
    void shownSettings_areKnown() throws IOException {
        ShownSettings settings = ShownSettings.open();
        List<String> problems = new ArrayList<>();
        for (Markdown document : Repository.documents()) {
            problems.addAll(settings.problems(document));
        }
        assertNone("problems", problems);
    }

    @Test
    void launcher_listsAllCommandsOfTheSidecarsJar() throws IOException {
        TreeSet<String> visible = new TreeSet<>();
        Launcher.sidecars().forEach((name, command) -> {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                visible.add(name);
            }
        });
        assertThat(Launcher.commands().keySet()).containsAll(visible).contains("demo", "aggregator", Launcher.WEAVE);
    }

    /** As lines, since a list is cut off where it is long. */
    private static void assertNone(String what, List<String> problems) {
        assertThat(String.join("\n", problems)).as(what).isEmpty();
    }

    private static GeneratedParts parts(RunningPrograms programs) throws IOException {
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.putAll(FileSettings.sidecar().parts());
        parts.putAll(FileSettings.aggregator().parts());
        parts.put("settings agent", AgentSettings.table());
        parts.putAll(CommandPages.parts());
        parts.putAll(RouteTables.parts());
        parts.putAll(programs.parts());
        return new GeneratedParts(parts);
    }
}
