package dev.understudy.sidecar.suspect;

/** What agents tell of the inside of a method. */
sealed interface Inside permits Branch, Lock, SuspectValue {
    String method();

    /** The line that it is about in the source of its method's class; 0 if that isn't known, or is another source. */
    int ownLine();

    /** What others are known together with it; itself if none are. */
    Inside site();

    /** What was seen of it, in words, by the number of the kind. */
    String words(int kind);

    /** How many kinds there are. */
    int kinds();

    /** Whether it is told of only in the classes where agents look closer. */
    default boolean isDeep() {
        return true;
    }

    /** Whether exchanges may fail for it; what is as it should be only tells that it was looked at. */
    default boolean accuses(int kind) {
        return true;
    }
}
