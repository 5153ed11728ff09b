package dev.understudy.standin.trace;

/**
 * A trace's id of up to 32 hexadecimal digits; leading zeros make no difference.
 *
 * @param high its upper 64 bits
 * @param low its lower 64 bits
 */
record TraceKey(long high, long low) {
    private static final int DIGITS = 16;

    static TraceKey of(String text) {
        int split = Math.max(0, text.length() - DIGITS);
        return new TraceKey(number(text.substring(0, split)), number(text.substring(split)));
    }

    /** A span's id as a number, 0 for none. Texts that aren't up to 16 hexadecimal digits are hashed. */
    static long number(String text) {
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0 || i == DIGITS) {
                return hash(text);
            }
            number = number << 4 | digit;
        }
        return number;
    }

    /** FNV-1a: the same in each run. */
    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
