package dev.understudy.agent;

/** How many random inputs tests try: all of them, or with {@code -Dunderstudy.fuzz=10} a tenth. */
public final class Fuzz {
    private static final int PART = Math.max(1, Integer.getInteger("understudy.fuzz", 1));

    private Fuzz() {}

    /** So many of that number; at least one. */
    public static int rounds(int all) {
        return Math.max(1, all / PART);
    }
}
