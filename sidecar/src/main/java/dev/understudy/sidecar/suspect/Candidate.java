package dev.understudy.sidecar.suspect;

/**
 * A predicate that goes with failing.
 *
 * @param importance 0 to 1
 * @param order how many others came true before it, on average
 */
record Candidate(int predicate, Score score, double importance, double order) {
    int method() {
        return predicate / Predicate.ROOM;
    }
}
