package dev.understudy.session.clone;

/**
 * One thing that was looked at before a clone is made.
 *
 * @param name a word for it, such as {@code tracer} or {@code memory}
 * @param outcome what it means for the clone
 * @param finding what was found, in a line, with the way out where there is a problem
 */
public record CloneCheck(String name, Outcome outcome, String finding) {
    /** What a check means for the clone. */
    public enum Outcome {
        /** Nothing stands in the way. */
        PASS,
        /** The copy will lack something, which the finding names. */
        WARN,
        /** The driver refuses. */
        REFUSE
    }
}
