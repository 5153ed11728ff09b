package dev.understudy.it.suites;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tests that depend on what no recording can give. A line of the list is the suite, the test, where a star at the end
 * stands for any rest, and the reason, with tabs between them. The reason begins with its kind.
 */
public final class ExcludedTests {
    private static final String LIST = "excluded.tsv";
    private static final List<String> KINDS = List.of("chance:", "clock:", "credentials:", "connection:");

    private final List<Line> lines;

    private ExcludedTests(List<Line> lines) {
        this.lines = lines;
    }

    /** The list that belongs to the suites. */
    public static ExcludedTests bundled() throws IOException {
        try (InputStream list = ExcludedTests.class.getResourceAsStream(LIST)) {
            if (list == null) {
                throw new IOException(LIST + ": missing");
            }
            return parse(new String(list.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    static ExcludedTests parse(String text) throws IOException {
        List<Line> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] cells = line.split("\t", -1);
                if (cells.length != 3 || KINDS.stream().noneMatch(cells[2]::startsWith)) {
                    throw new IOException(line + " (expected: suite, test and reason, with tabs between them; "
                            + "a reason begins with one of " + KINDS + ")");
                }
                lines.add(new Line(cells[0], cells[1], cells[2]));
            }
        }
        return new ExcludedTests(lines);
    }

    /** Why a test isn't counted; empty if it is. */
    Optional<String> reason(String suite, String test) {
        return lines.stream()
                .filter(line -> line.names(suite, test))
                .map(Line::reason)
                .findFirst();
    }

    private record Line(String suite, String test, String reason) {
        boolean names(String otherSuite, String otherTest) {
            return suite.equals(otherSuite)
                    && (test.endsWith("*")
                            ? otherTest.startsWith(test.substring(0, test.length() - 1))
                            : otherTest.equals(test));
        }
    }
}
