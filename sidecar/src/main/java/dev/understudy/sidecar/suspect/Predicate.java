package dev.understudy.sidecar.suspect;

/**
 * The kinds of predicates about methods and branches in the order of the agent's numbers, and what has to be seen to
 * know whether one held.
 */
enum Predicate {
    CALLED(Site.NONE, "was called"),
    THREW(Site.NONE, "threw"),
    SLOW(Site.TIME, "took far longer than usual"),
    USUAL(Site.TIME, "took as long as usual"),
    NULL(Site.REFERENCE, "returned null"),
    NOT_NULL(Site.REFERENCE, "returned something"),
    EMPTY(Site.CONTENT, "returned something empty"),
    NOT_EMPTY(Site.CONTENT, "returned something that isn't empty"),
    TRUE(Site.TRUTH, "returned true"),
    FALSE(Site.TRUTH, "returned false"),
    NEGATIVE(Site.SIGN, "returned a negative number"),
    ZERO(Site.SIGN, "returned 0"),
    POSITIVE(Site.SIGN, "returned a positive number"),
    JUMPED(Site.INSIDE, "jumped"),
    WENT_ON(Site.INSIDE, "went on");

    /** As many as the agent leaves room for. */
    static final int ROOM = 16;

    static final Predicate[] ALL = values();

    /** What has to be seen. */
    final int site;

    final String words;

    Predicate(int site, String words) {
        this.site = site;
        this.words = words;
    }

    /** What several kinds are looked at together. */
    static final class Site {
        /** The call itself. */
        static final int NONE = -1;

        static final int TIME = 0;
        static final int REFERENCE = 1;
        static final int CONTENT = 2;
        static final int TRUTH = 3;
        static final int SIGN = 4;
        static final int INSIDE = 5;
        static final int COUNT = 6;

        private Site() {}
    }
}
