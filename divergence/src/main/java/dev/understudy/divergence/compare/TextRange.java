package dev.understudy.divergence.compare;

/**
 * A part of a text.
 *
 * @param from its first character
 * @param to the one behind its last
 */
public record TextRange(String text, int from, int to) {
    /** All of a text. */
    public static TextRange of(String text) {
        return new TextRange(text, 0, text.length());
    }

    /** The range within it whose first character is its {@code at}th, from 0. */
    public TextRange part(int at, int length) {
        return new TextRange(text, from + at, from + at + length);
    }

    /** How many characters it has. */
    public int length() {
        return to - from;
    }

    /** The characters of it. */
    public String value() {
        return text.substring(from, to);
    }
}
