package dev.understudy.session.doctor;

import java.util.Locale;

/**
 * What one look at the machine showed.
 *
 * @param name of what was looked at, in a word
 * @param level what it means
 * @param text what was found, in a line
 * @param wayOut what to do about it; "" if all is well
 */
record HealthFinding(String name, Level level, String text, String wayOut) {
    /** What a finding means, from the best to the worst. */
    enum Level {
        /** Nothing stands in the way. */
        OK,
        /** Some commands or settings won't work here. */
        WARN,
        /** No program of ours works here. */
        FAIL;

        /** As it is printed. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static HealthFinding ok(String name, String text) {
        return new HealthFinding(name, Level.OK, text, "");
    }

    static HealthFinding warn(String name, String text, String wayOut) {
        return new HealthFinding(name, Level.WARN, text, wayOut);
    }

    static HealthFinding fail(String name, String text, String wayOut) {
        return new HealthFinding(name, Level.FAIL, text, wayOut);
    }
}
