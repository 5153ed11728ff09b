package dev.understudy.divergence.noise.learn;

/** What speaks for one place's being noise of one kind. Guarded by {@link LearnedNoise}. */
interface Evidence {
    /** Takes another pair of values into account; false if it speaks against the kind, once and for all. */
    boolean observe(Sighting sighting);

    /** Whether what has been observed suffices, apart from how often. */
    boolean proven();

    /** Whether a pair, once the kind has been proven, is of the same kind as before. */
    boolean fits(Sighting sighting);

    /** The debug side is another process: what is its process's own may be another from now on. */
    default void debugBegunAnew() {}
}
