package dev.understudy.sidecar.suspect;

/**
 * A line of a class file; in words what people know it by.
 *
 * @param number as the class file has it; 0 if it has none
 * @param source what that stands for, such as {@code 7 of Inlined.kt (inlined at line 12)}; empty if it is a line of
 *     the class's own source
 */
record Line(int number, String source) {
    static final Line NONE = new Line(0, "");

    /** As the class's own source has it; 0 if it is another's, or unknown. */
    int own() {
        return source.isEmpty() ? number : 0;
    }

    @Override
    public String toString() {
        return source.isEmpty() ? Integer.toString(number) : source;
    }
}
