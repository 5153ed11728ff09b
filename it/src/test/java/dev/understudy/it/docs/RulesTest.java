package dev.understudy.it.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** That the rules for documents find what is wrong, and nothing else. */
final class RulesTest {
    private static final String WORDS = "word ".repeat(41);

    @Test
    void longSentence_isFound_butNotInCodeOrTables() {
        assertThat(Sentences.problems(
                        document("Short. " + WORDS + "end.", "", "| " + WORDS + " |", "```", WORDS, "```")))
                .singleElement()
                .asString()
                .startsWith("README.md:1: a sentence of 42 words");
        assertThat(Sentences.problems(document("- one", "- " + "word ".repeat(30), "- " + "word ".repeat(30))))
                .isEmpty();
    }

    @Test
    void longLine_isFound_butNotInGeneratedParts() {
        String line = "x".repeat(121);

        assertThat(Limits.problems(document("<!-- generated: commands -->", line, GeneratedParts.END, line)))
                .containsExactly("README.md:4: 121 characters (expected: at most 120)");
    }

    @Test
    void longDocument_isFound() {
        String[] lines = new String[121];
        Arrays.fill(lines, "");

        assertThat(Limits.problems(document(lines))).containsExactly("README.md: 121 lines (expected: at most 120)");
    }

    @Test
    void longEntryOfARationale_isFound() {
        Markdown rationale = Markdown.of(
                Path.of("relay/RATIONALE.md"),
                ("# Why\n\n## Short?\nYes.\n\n## Long?\n" + "Yes.\n".repeat(15) + "\n## Short?")
                        .lines()
                        .toList());

        assertThat(Limits.problems(rationale))
                .containsExactly("relay/RATIONALE.md:6: an entry of 16 lines (expected: at most 15)");
    }

    @Test
    void links_needAFileAndAHeading(@TempDir Path root) throws Exception {
        Files.writeString(root.resolve("README.md"), "# Its `name`, and more\n");
        Markdown document = Markdown.of(
                Path.of("other.md"),
                List.of(
                        "[a](README.md#its-name-and-more) `[b](c)` [d](https://e.example)",
                        "[f](g.md)",
                        "[h](README.md#i)"));

        assertThat(Links.problems(root, document))
                .containsExactly("other.md:2: a link to nothing: g.md", "other.md:3: a link to nothing: README.md#i");
    }

    @Test
    void command_isRead_asItIsTyped() {
        assertThat(ShownCommands.problem("./understudy probes arm 'com.shop.*Cart#total' | less # all"))
                .isNull();
        assertThat(ShownCommands.problem("$ understudy attach PID debug=true")).isNull();
        assertThat(ShownCommands.problem("./understudy status --jsn")).contains("--jsn");
        assertThat(ShownCommands.problem("./understudy weave app.jar")).contains("--cache");
        assertThat(ShownCommands.problem("understudy dance")).contains("dance");
        assertThat(ShownCommands.problem("java -javaagent:understudy-agent.jar=debug=yes -jar a.jar"))
                .contains("debug");
        assertThat(ShownCommands.problem("curl localhost")).isNull();
    }

    @Test
    void settings_areRead_asFarAsTheyAreThere() throws Exception {
        ShownSettings settings = ShownSettings.open();

        assertThat(settings.problems(document("```yaml", "window: { memory: 1GiB }", "```")))
                .isEmpty();
        assertThat(settings.problems(document("```yaml", "window: { order-wait: soon, dsk: 1 }", "```")))
                .hasSize(2);
        assertThat(settings.problems(document("```yaml", "services: { orders: {} }", "```")))
                .isEmpty();
    }

    @Test
    void meaningsAndOrderOfATable_areKept() {
        Table table = new Table("setting", "value", "meaning");
        table.add("`a`", "1", "");
        table.add("`b`", "2", "");
        table.add("`c`", "3", "");

        assertThat(table.lines(List.of("| setting | value | meaning |", "| `b` | 1 | Best. |", "| `a` | 0 | All. |")))
                .endsWith("| `b` | 2 | Best. |", "| `a` | 1 | All. |", "| `c` | 3 | " + Table.MISSING + " |");
    }

    @Test
    void generatedPart_isReplaced_andTheRestStays() throws Exception {
        GeneratedParts parts = new GeneratedParts(Map.of("list", before -> List.of("new"), "other", before -> before));

        assertThat(parts.renewed(document("one", "<!-- generated: list -->", "old", GeneratedParts.END, "two")))
                .containsExactly("one", "<!-- generated: list -->", "new", GeneratedParts.END, "two");
        assertThat(parts.unused()).containsExactly("other");
    }

    private static Markdown document(String... lines) {
        return Markdown.of(Path.of("README.md"), List.of(lines));
    }
}
