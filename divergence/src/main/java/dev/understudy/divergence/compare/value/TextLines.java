package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.TextRange;
import java.util.Arrays;
import java.util.List;

/** The lines of a text, and where they stand in it. Immutable. */
final class TextLines {
    private final String text;
    private final List<String> lines;
    private final int[] starts;

    TextLines(String text) {
        this.text = text;
        lines = Arrays.asList(text.split("\n", -1));
        starts = new int[lines.size()];
        for (int i = 1; i < starts.length; i++) {
            starts[i] = starts[i - 1] + lines.get(i - 1).length() + 1;
        }
    }

    int size() {
        return starts.length;
    }

    String get(int index) {
        return lines.get(index);
    }

    TextRange range(int index) {
        return new TextRange(
                text, starts[index], starts[index] + lines.get(index).length());
    }
}
