package dev.understudy.relay.log;

/** Text from outside for a line of a log or a terminal. */
public final class Printable {
    /** What stands in its place. */
    public static final char REPLACEMENT = '\uFFFD';

    private Printable() {}

    /** That text without what ends a line, commands a terminal or changes the direction of writing. */
    public static String of(String text) {
        if (text.codePoints().noneMatch(Printable::isControl)) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().forEach(c -> printable.appendCodePoint(isControl(c) ? REPLACEMENT : c));
        return printable.toString();
    }

    /** Whether a character isn't for show. Half of a pair of characters is. */
    public static boolean isControl(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
