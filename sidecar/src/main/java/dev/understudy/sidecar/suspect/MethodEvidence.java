package dev.understudy.sidecar.suspect;

/**
 * What speaks for one method, as numbers that can be weighed; each is 0 to 1, and 0 if nothing does.
 *
 * @param ochiai the cosine of the exchanges that fail and those in which its best predicate held (Ochiai)
 * @param dstar the same by DStar with the square, F² / (S + F missed), as a share of itself and one
 * @param importance the highest of its predicates (Liblit)
 * @param contrast the share of failing exchanges in which something of it differs from the nearest good ones
 * @param departure the share in which it is among the first that do
 * @param joint the Ochiai of the best pair of predicates of which its own is the later
 * @param decides the share of failing exchanges in which it is among the first that call what good ones don't
 * @param listed one by its place in the list by importance
 * @param early how early its best predicate comes true among those that go with failing as well
 * @param inside 1 if its best predicate is a branch or a value
 * @param frame the share of good exchanges in which it is called although nothing of its own goes with failing
 * @param effect 1 if its name says that it reports errors rather than causes them
 * @param kept how good it was in earlier rankings, unless refuted since
 */
public record MethodEvidence(
        double ochiai,
        double dstar,
        double importance,
        double contrast,
        double departure,
        double joint,
        double decides,
        double listed,
        double early,
        double inside,
        double frame,
        double effect,
        double kept) {
    /** Their names, in the order of {@link #values}. */
    static final String[] NAMES = {
        "ochiai",
        "dstar",
        "importance",
        "contrast",
        "departure",
        "joint",
        "decides",
        "listed",
        "early",
        "inside",
        "frame",
        "effect",
        "kept"
    };

    double[] values() {
        return new double[] {
            ochiai, dstar, importance, contrast, departure, joint, decides, listed, early, inside, frame, effect, kept
        };
    }
}
