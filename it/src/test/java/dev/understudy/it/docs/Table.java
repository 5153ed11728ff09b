package dev.understudy.it.docs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A Markdown table whose last column and whose order are people's: both are kept, by the first column, when the other
 * columns are written again. New rows are added at the end, with {@link #MISSING} for people to replace.
 */
final class Table {
    static final String MISSING = "(no meaning yet)";

    private final List<String> head;
    private final Map<String, List<String>> rows = new LinkedHashMap<>();

    Table(String... head) {
        this.head = List.of(head);
    }

    /**
     * Adds a row; a later one with the same first cell is left out.
     *
     * @param cells all, the meaning at the end; an empty one is taken from the table before
     */
    void add(String... cells) {
        rows.putIfAbsent(cells[0], List.of(cells));
    }

    List<String> lines(List<String> before) {
        Map<String, String> meanings = meanings(before);
        List<String> lines = new ArrayList<>();
        lines.add(line(head));
        lines.add("|" + " --- |".repeat(head.size()));
        Set<String> order = new LinkedHashSet<>(meanings.keySet());
        order.retainAll(rows.keySet());
        order.addAll(rows.keySet());
        for (String name : order) {
            List<String> filled = new ArrayList<>(rows.getOrDefault(name, List.of()));
            int last = filled.size() - 1;
            if (filled.get(last).isEmpty()) {
                filled.set(last, meanings.getOrDefault(name, MISSING));
            }
            lines.add(line(filled));
        }
        return lines;
    }

    private static Map<String, String> meanings(List<String> before) {
        Map<String, String> meanings = new LinkedHashMap<>();
        for (String line : before) {
            String[] cells = line.split("(?<!\\\\)\\|", -1);
            if (cells.length > 3) {
                meanings.put(cells[1].strip(), cells[cells.length - 2].strip());
            }
        }
        return meanings;
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    /** A text as a cell: in one line, without marks that mean something there. */
    static String cell(String text) {
        return escaped(text).replaceAll("\\s+", " ").strip().replace("|", "\\|");
    }

    /** A text without marks that make it bold. */
    static String escaped(String text) {
        return text.replace("*", "\\*");
    }

    /** A text as code in a cell; nothing if there is none. */
    static String code(String text) {
        return text.isEmpty() ? "" : "`" + text.replace("|", "\\|") + "`";
    }
}
