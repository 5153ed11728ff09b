package dev.understudy.it.docs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes the parts of documents again that stand between {@code <!-- generated: NAME -->} and its end. */
final class GeneratedParts {
    static final String BEGIN = "<!-- generated: ";
    static final String END = "<!-- end of generated -->";
    private static final String CLOSING = " -->";
    private static final String OPTIONAL = "tag ";

    private final Map<String, Part> parts;
    private final Set<String> unused;

    /** @param parts by their names */
    GeneratedParts(Map<String, Part> parts) {
        this.parts = Map.copyOf(parts);
        this.unused = new TreeSet<>(parts.keySet());
        unused.removeIf(name -> name.startsWith(OPTIONAL));
    }

    /**
     * A document with its parts as they should be.
     *
     * @throws IllegalArgumentException if it has a part that nobody knows, or one without an end
     */
    List<String> renewed(Markdown document) throws IOException {
        List<String> renewed = new ArrayList<>();
        List<String> before = new ArrayList<>();
        String open = null;
        for (Markdown.Line line : document.lines()) {
            String name = name(line);
            if (open != null && line.text().equals(END)) {
                renewed.addAll(part(document, open).lines(List.copyOf(before)));
                before.clear();
                open = null;
            }
            if (open == null) {
                renewed.add(line.text());
            } else {
                before.add(line.text());
            }
            if (name != null) {
                open = name;
            }
        }
        if (open != null) {
            throw new IllegalArgumentException(document.path() + ": " + open + " has no " + END);
        }
        return renewed;
    }

    /** Parts that no document had so far; the values of tags may be left out. */
    Set<String> unused() {
        return unused;
    }

    private static @Nullable String name(Markdown.Line line) {
        String text = line.text();
        boolean begins = line.kind() == Markdown.Kind.GENERATED && text.startsWith(BEGIN) && text.endsWith(CLOSING);
        return begins ? text.substring(BEGIN.length(), text.length() - CLOSING.length()) : null;
    }

    private Part part(Markdown document, String name) {
        Part part = parts.get(name);
        if (part == null) {
            throw new IllegalArgumentException(document.path() + ": nobody generates '" + name + "' (expected: one of "
                    + new TreeSet<>(parts.keySet()) + ")");
        }
        unused.remove(name);
        return part;
    }
}
