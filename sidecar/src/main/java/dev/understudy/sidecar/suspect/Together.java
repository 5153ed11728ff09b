package dev.understudy.sidecar.suspect;

/** What else held in the runs in which one predicate held, and when. Immutable. */
final class Together {
    private final int[] both;
    private final long[] later;

    /**
     * Goes through the runs once.
     *
     * @param with runs in which {@code predicate} held
     * @param predicates the smallest number that none has
     */
    Together(int predicate, Iterable<Run> with, int predicates) {
        both = new int[predicates];
        later = new long[predicates];
        for (Run run : with) {
            int place = run.place(predicate);
            for (int i = 0; i < run.held.length; i++) {
                both[run.held[i]]++;
                later[run.held[i]] += i - place;
            }
        }
    }

    /** In how many of them this one held too. */
    int both(int predicate) {
        return both[predicate];
    }

    /**
     * By how many others it came true later, below 0 if it came before; {@code otherwise} if they never held together.
     * Only runs with both are asked, since there is more to come true in later ones, in which agents look closer.
     */
    double order(int predicate, double otherwise) {
        return both[predicate] == 0 ? otherwise : (double) later[predicate] / both[predicate];
    }
}
