package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * What woven code calls with a value it has just got, been called with or is about to return, on the second level:
 * counts that it passed, as a branch does, and in an observed exchange tells what holds of it.
 *
 * <p>A number stands for one value at one place, or for a pair of them. What holds is a mask whose bits mean what the
 * kind of value says; the sidecar has the same lists. Nothing of the application is called.
 */
public final class Values {
    static final int NO = 1;
    static final int YES = 1 << 1;

    static final int LESS = 1;
    static final int EQUAL = 1 << 1;
    static final int GREATER = 1 << 2;

    /** The largest number of each magnitude but the last. */
    private static final long[] MAGNITUDES = {
        -2, -1, 0, 1, 3, 7, 15, 31, 63, 127, 255, 1023, 4095, 65_535, Integer.MAX_VALUE
    };

    static final int QUESTION = 1 << 4;
    static final int AMPERSAND = 1 << 5;
    static final int PERCENT = 1 << 6;
    static final int QUOTE = 1 << 7;
    static final int ANGLE = 1 << 8;
    static final int SPACE = 1 << 9;
    static final int BEYOND_ASCII = 1 << 10;
    static final int DIGITS = 1 << 11;
    static final int LONG = 1 << 12;

    /** So much of a text is looked at. */
    static final int LONGEST = 256;
    /** What looking at a text costs at most, in branches. */
    private static final int TEXT_COSTS = 64;

    private Values() {}

    /** A number. */
    public static void number(int value, int number) {
        number((long) value, number);
    }

    /** The same. */
    public static void number(long value, int number) {
        Observation observation = Branches.pass(number);
        if (observation != null) {
            observation.value(number, 1 << magnitude(value), 1);
        }
    }

    /** A truth value. */
    public static void truth(boolean value, int number) {
        Observation observation = Branches.pass(number);
        if (observation != null) {
            observation.value(number, value ? YES : NO, 1);
        }
    }

    /** A number, beside another. */
    public static void pair(int left, int right, int number) {
        Observation observation = Branches.pass(number);
        if (observation != null) {
            observation.value(number, relation(Integer.compare(left, right)), 1);
        }
    }

    /** The same. */
    public static void pair(long left, long right, int number) {
        Observation observation = Branches.pass(number);
        if (observation != null) {
            observation.value(number, relation(Long.compare(left, right)), 1);
        }
    }

    /** An object. */
    public static void object(@Nullable Object value, int number) {
        Observation observation = Branches.pass(number);
        if (observation == null || !observation.looksAt(number)) {
            return;
        }
        try {
            int mask = ObservedPredicate.of(value) >> ObservedPredicate.NULL;
            if (value instanceof String) {
                observation.value(number, mask | text((String) value), TEXT_COSTS);
            } else {
                observation.value(number, mask, 1);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // nothing is known of it then, and the call goes on
        }
    }

    private static int relation(int comparison) {
        return comparison < 0 ? LESS : comparison == 0 ? EQUAL : GREATER;
    }

    /** Which of the 16 magnitudes it has, from 0. */
    static int magnitude(long value) {
        int magnitude = 0;
        while (magnitude < MAGNITUDES.length && value > MAGNITUDES[magnitude]) {
            magnitude++;
        }
        return magnitude;
    }

    /** What its first characters have. */
    static int text(String text) {
        int length = Math.min(LONGEST, text.length());
        int mask = text.length() > LONGEST ? LONG : 0;
        boolean digits = length > 0 && mask == 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            mask |= is(c);
            digits &= c >= '0' && c <= '9';
        }
        return mask | (digits ? DIGITS : 0);
    }

    private static int is(char c) {
        switch (c) {
            case '?':
                return QUESTION;
            case '&':
                return AMPERSAND;
            case '%':
                return PERCENT;
            case '"':
            case '\'':
                return QUOTE;
            case '<':
            case '>':
                return ANGLE;
            case ' ':
            case '\t':
            case '\r':
            case '\n':
                return SPACE;
            default:
                return c > 127 ? BEYOND_ASCII : 0;
        }
    }
}
