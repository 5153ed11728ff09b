package dev.understudy.it.docs;

import dev.understudy.it.docs.Markdown.Kind;
import dev.understudy.it.docs.Markdown.Line;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long documents, the entries of a RATIONALE and lines may be. */
final class Limits {
    private static final int LONGEST_LINE = 120;
    private static final int LONGEST_ENTRY = 15;
    private static final Map<String, Integer> LINES = lines();

    private Limits() {}

    private static Map<String, Integer> lines() {
        Map<String, Integer> lines = new LinkedHashMap<>();
        lines.put("README.md", 120);
        lines.put("CHANGELOG.md", 100);
        lines.put("ARCHITECTURE.md", 250);
        lines.put("docs/getting-started.md", 150);
        lines.put("docs/{sidecar,aggregator,agent}.md", 250);
        lines.put("docs/{protocols,guides}/*.md", 120);
        return lines;
    }

    static List<String> problems(Markdown document) {
        List<String> problems = new ArrayList<>();
        LINES.forEach((glob, most) -> {
            int lines = document.lines().size();
            if (matches(glob, document.path()) && lines > most) {
                problems.add(document.path() + ": " + lines + " lines (expected: at most " + most + ")");
            }
        });
        if (String.valueOf(document.path().getFileName()).equals("RATIONALE.md")) {
            problems.addAll(entries(document));
        }
        for (Line line : document.prose()) {
            if (line.text().length() > LONGEST_LINE) {
                problems.add(document.at(
                        line.number(), line.text().length() + " characters (expected: at most " + LONGEST_LINE + ")"));
            }
        }
        return problems;
    }

    private static boolean matches(String glob, Path path) {
        return FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(path);
    }

    /** An entry begins with a heading of the second level; blank lines at its end don't count, nor do tables. */
    private static List<String> entries(Markdown document) {
        List<String> problems = new ArrayList<>();
        int begin = 0;
        int end = 0;
        int tables = 0;
        for (Line line : document.lines()) {
            if (line.kind() == Kind.HEADING && line.text().matches("##? .*")) {
                check(document, begin, end - tables, problems);
                begin = line.text().startsWith("## ") ? line.number() : 0;
                tables = 0;
            }
            if (line.kind() != Kind.BLANK) {
                end = line.number();
            }
            if (line.kind() == Kind.TABLE) {
                tables++;
            }
        }
        check(document, begin, end - tables, problems);
        return problems;
    }

    private static void check(Markdown document, int begin, int end, List<String> problems) {
        int lines = end - begin + 1;
        if (begin > 0 && lines > LONGEST_ENTRY) {
            problems.add(
                    document.at(begin, "an entry of " + lines + " lines (expected: at most " + LONGEST_ENTRY + ")"));
        }
    }
}
