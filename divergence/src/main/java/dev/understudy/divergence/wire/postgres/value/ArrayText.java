package dev.understudy.divergence.wire.postgres.value;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of an array, taken apart as far as PostgreSQL itself writes it: no blanks between elements.
 *
 * @param lengths of each dimension, outermost first
 * @param lower bound of each dimension, 1 unless written
 * @param elements in row-major order; null is SQL's NULL
 */
record ArrayText(List<Integer> lengths, List<Integer> lower, List<@Nullable String> elements) {

    static ArrayText parse(String text) {
        Parser parser = new Parser(text);
        parser.bounds();
        parser.level(0);
        if (parser.at != text.length()) {
            throw new IllegalArgumentException("text behind the array");
        }
        long size = 1;
        for (int length : parser.lengths) {
            size = Math.multiplyExact(size, (long) length);
        }
        if (size != parser.elements.size()) {
            throw new IllegalArgumentException("ragged");
        }
        while (parser.lower.size() < parser.lengths.size()) {
            parser.lower.add(1);
        }
        return new ArrayText(parser.lengths, parser.lower, parser.elements);
    }

    private static final class Parser {
        private final String text;
        private final List<Integer> lengths = new ArrayList<>();
        private final List<Integer> lower = new ArrayList<>();
        private final List<@Nullable String> elements = new ArrayList<>();
        private int at;

        Parser(String text) {
            this.text = text;
        }

        /** {@code [0:1][1:2]=} in front of the braces. */
        void bounds() {
            if (peek() != '[') {
                return;
            }
            int end = text.indexOf('=');
            for (String bound : text.substring(1, end - 1).split("]\\[", Arrays.MOST_DIMENSIONS + 1)) {
                lower.add(Integer.parseInt(bound, 0, bound.indexOf(':'), 10));
            }
            at = end + 1;
        }

        void level(int depth) {
            if (depth == Arrays.MOST_DIMENSIONS) {
                throw new IllegalArgumentException("too many dimensions");
            }
            expect('{');
            boolean first = lengths.size() == depth;
            if (first) {
                lengths.add(0);
            }
            int length = 0;
            while (peek() != '}') {
                if (length > 0) {
                    expect(',');
                }
                length++;
                if (peek() == '{') {
                    level(depth + 1);
                } else if (peek() == '"') {
                    elements.add(quoted());
                } else {
                    String element = plain();
                    elements.add(element.equals("NULL") ? null : element);
                }
            }
            expect('}');
            if (first) {
                lengths.set(depth, length);
            } else if (lengths.get(depth) != length) {
                throw new IllegalArgumentException("ragged");
            }
        }

        private String plain() {
            int start = at;
            while (peek() != ',' && peek() != '}') {
                at++;
            }
            return text.substring(start, at);
        }

        private String quoted() {
            StringBuilder element = new StringBuilder();
            expect('"');
            while (peek() != '"') {
                if (peek() == '\\') {
                    at++;
                }
                element.append(peek());
                at++;
            }
            expect('"');
            return element.toString();
        }

        private char peek() {
            if (at >= text.length()) {
                throw new IllegalArgumentException("array without an end");
            }
            return text.charAt(at);
        }

        private void expect(char c) {
            if (peek() != c) {
                throw new IllegalArgumentException("no " + c + " at " + at);
            }
            at++;
        }
    }
}
