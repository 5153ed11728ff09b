package dev.understudy.it.docs;

import dev.understudy.it.docs.Markdown.Kind;
import dev.understudy.it.docs.Markdown.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Sentences that are too long to be understood at once. */
final class Sentences {
    private static final int MOST_WORDS = 40;
    private static final Pattern ITEM = Pattern.compile("\\s*([-*+]|\\d+\\.)\\s+.*");
    private static final Pattern END = Pattern.compile("(?<=[.!?])[\"')*_]*\\s+");
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");
    private static final Pattern TARGET = Pattern.compile("]\\([^)]*\\)");

    private Sentences() {}

    static List<String> problems(Markdown document) {
        List<String> problems = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        int begin = 0;
        for (Line line : document.lines()) {
            boolean prose = line.kind() == Kind.PROSE;
            if (!prose || ITEM.matcher(line.text()).matches()) {
                check(document, begin, paragraph.toString(), problems);
                paragraph.setLength(0);
            }
            if (prose) {
                begin = paragraph.isEmpty() ? line.number() : begin;
                paragraph.append(line.text().strip()).append(' ');
            }
        }
        check(document, begin, paragraph.toString(), problems);
        return problems;
    }

    private static void check(Markdown document, int begin, String paragraph, List<String> problems) {
        String plain = TARGET.matcher(INLINE_CODE.matcher(paragraph).replaceAll("code"))
                .replaceAll("");
        for (String sentence : END.split(plain, -1)) {
            String stripped = sentence.strip().replaceFirst("^([-*+]|\\d+\\.)\\s+", "");
            int words = stripped.isEmpty() ? 0 : stripped.split("\\s+", -1).length;
            if (words > MOST_WORDS) {
                problems.add(document.at(
                        begin,
                        "a sentence of " + words + " words (expected: at most " + MOST_WORDS + "): "
                                + stripped.substring(0, Math.min(60, stripped.length())) + " …"));
            }
        }
    }
}
