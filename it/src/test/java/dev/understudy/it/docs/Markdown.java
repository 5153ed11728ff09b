package dev.understudy.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One document as its lines, each with what it is part of.
 *
 * @param path relative to the repository
 */
record Markdown(Path path, List<Line> lines) {
    /** What a line is part of. */
    enum Kind {
        PROSE,
        HEADING,
        TABLE,
        CODE,
        GENERATED,
        BLANK,
        COMMENT
    }

    /** @param number from 1 */
    record Line(int number, Kind kind, String text) {}

    static Markdown read(Path root, Path path) throws IOException {
        return of(path, Files.readAllLines(root.resolve(path)));
    }

    static Markdown of(Path path, List<String> texts) {
        List<Line> lines = new ArrayList<>();
        String fence = "";
        boolean generated = false;
        boolean comment = false;
        for (String text : texts) {
            String trimmed = text.strip();
            Kind kind;
            if (!fence.isEmpty()) {
                kind = Kind.CODE;
                fence = trimmed.equals(fence) ? "" : fence;
            } else if (trimmed.startsWith("```")) {
                kind = Kind.CODE;
                fence = "```";
            } else if (comment || trimmed.startsWith("<!--")) {
                kind = Kind.COMMENT;
                comment = !trimmed.endsWith("-->");
                generated =
                        trimmed.startsWith(GeneratedParts.BEGIN) || (generated && !trimmed.equals(GeneratedParts.END));
            } else {
                kind = kind(trimmed);
            }
            lines.add(new Line(lines.size() + 1, generated && kind != Kind.CODE ? Kind.GENERATED : kind, text));
        }
        return new Markdown(path, List.copyOf(lines));
    }

    private static Kind kind(String trimmed) {
        if (trimmed.isEmpty()) {
            return Kind.BLANK;
        }
        if (trimmed.startsWith("#")) {
            return Kind.HEADING;
        }
        return trimmed.startsWith("|") ? Kind.TABLE : Kind.PROSE;
    }

    /** The lines that people wrote as text. */
    List<Line> prose() {
        return lines.stream().filter(line -> line.kind() == Kind.PROSE).toList();
    }

    /** The fenced blocks, generated ones too. */
    List<Fence> fences() {
        List<Fence> fences = new ArrayList<>();
        List<String> inside = new ArrayList<>();
        String language = "";
        int begin = 0;
        for (Line line : lines) {
            boolean mark = line.kind() == Kind.CODE && line.text().strip().startsWith("```");
            if (mark && begin == 0) {
                begin = line.number();
                language = line.text().strip().substring(3);
            } else if (mark) {
                fences.add(new Fence(this, begin, language, List.copyOf(inside)));
                inside.clear();
                begin = 0;
            } else if (line.kind() == Kind.CODE) {
                inside.add(line.text());
            }
        }
        return fences;
    }

    /** The anchors of all headings, as GitHub makes them. */
    List<String> anchors() {
        List<String> anchors = new ArrayList<>();
        for (Line line : lines) {
            boolean heading = line.kind() != Kind.CODE && line.text().startsWith("#");
            if (heading) {
                String anchor = anchor(line.text().replaceFirst("^#+\\s*", ""));
                long before = anchors.stream()
                        .filter(known -> known.replaceFirst("-\\d+$", "").equals(anchor))
                        .count();
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /** Says where something is wrong. */
    String at(int number, String message) {
        return path + ":" + number + ": " + message;
    }

    /**
     * A fenced block.
     *
     * @param line the number of its first mark
     * @param language what stands behind the mark, or ""
     */
    record Fence(Markdown document, int line, String language, List<String> lines) {
        String text() {
            return String.join("\n", lines) + "\n";
        }
    }
}
