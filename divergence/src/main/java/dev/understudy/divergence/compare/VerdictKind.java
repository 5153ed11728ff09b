package dev.understudy.divergence.compare;

/** What came of comparing one exchange. */
public enum VerdictKind {
    /** Both replies were compared in full and are equal. */
    SAME,
    /** Compared in full; every difference is explained noise. */
    EQUIVALENT,
    /** At least one difference isn't noise. */
    DIFFERENT,
    /** Not compared, or not in full; the reason says why. */
    NOT_COMPARED
}
