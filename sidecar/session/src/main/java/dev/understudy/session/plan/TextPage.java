package dev.understudy.session.plan;

import java.util.List;

/** A page of text with headings, wrapped at 100 columns. Confined to one thread. */
final class TextPage {
    private static final int COLUMNS = 100;
    private static final int INDENT = 2;
    private static final int HANG = 4;

    private final StringBuilder text = new StringBuilder();

    /** Begins a part, with an empty line before it. */
    void heading(String heading) {
        if (text.length() > 0) {
            text.append('\n');
        }
        wrap(heading, 0, 0);
    }

    /** One line, or several whose further ones are set in. */
    void line(String line) {
        wrap(line, INDENT, HANG);
    }

    /** A part with its lines; nothing if there are none. */
    void part(String heading, List<String> lines) {
        if (!lines.isEmpty()) {
            heading(heading);
            lines.forEach(this::line);
        }
    }

    private void wrap(String line, int first, int further) {
        StringBuilder row = new StringBuilder(" ".repeat(first));
        boolean empty = true;
        for (String word : line.split(" ", -1)) {
            if (!empty && row.length() + 1 + word.length() > COLUMNS) {
                text.append(row).append('\n');
                row = new StringBuilder(" ".repeat(further));
                empty = true;
            }
            int room = COLUMNS - row.length() - (empty ? 0 : 1);
            row.append(empty ? "" : " ").append(word.length() <= room ? word : word.substring(0, room - 1) + "…");
            empty = false;
        }
        text.append(row).append('\n');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
