package dev.understudy.it.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file of all figures: a heading, and a section of each study, which is replaced when that is run again. */
public final class Page {
    private static final String SECTION = "## ";

    private Page() {}

    /**
     * Writes a section in the place of the one with the same title, or behind the others.
     *
     * @param body Markdown without second-level headings
     */
    public static void put(Path file, String title, String body) throws IOException {
        List<String> sections = Files.exists(file) ? sections(Files.readString(file)) : new ArrayList<>();
        if (sections.isEmpty() || !sections.get(0).startsWith("# ")) {
            sections.add(0, "# Benchmarks\n\n");
        }
        String section = SECTION + title + "\n\n" + body.strip() + "\n\n";
        int place = 0;
        while (place < sections.size() && !sections.get(place).startsWith(SECTION + title + "\n")) {
            place++;
        }
        if (place < sections.size()) {
            sections.set(place, section);
        } else {
            sections.add(section);
        }
        Files.writeString(file, String.join("", sections).strip() + "\n");
    }

    private static List<String> sections(String text) {
        List<String> sections = new ArrayList<>();
        int begun = 0;
        for (int next = text.indexOf("\n" + SECTION); next >= 0; next = text.indexOf("\n" + SECTION, next + 1)) {
            sections.add(text.substring(begun, next + 1).strip() + "\n\n");
            begun = next + 1;
        }
        sections.add(text.substring(begun).strip() + "\n\n");
        return sections;
    }
}
