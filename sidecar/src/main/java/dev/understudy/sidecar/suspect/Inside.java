package dev.understudy.sidecar.suspect;

/** What agents tell of the inside of a method, in the classes where they look closer. */
sealed interface Inside permits Branch, Value {
    String method();

    /** What others are known together with it; itself if none are. */
    Inside site();

    /** What was seen of it, in words, by the number of the kind. */
    String words(int kind);

    /** How many kinds there are. */
    int kinds();
}
