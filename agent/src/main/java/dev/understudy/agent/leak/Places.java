package dev.understudy.agent.leak;

import java.util.List;

/**
 * What is known of a class's objects that stay: where they are made, where they were used last, and what they inherit
 * from. Immutable.
 */
final class Places {
    /** Nothing is known. */
    static final Places NONE = new Places(List.of(), List.of(), List.of());

    private final List<UseSite> made;
    private final List<UseSite> used;
    private final List<String> superclasses;

    Places(List<UseSite> made, List<UseSite> used, List<String> superclasses) {
        this.made = List.copyOf(made);
        this.used = List.copyOf(used);
        this.superclasses = List.copyOf(superclasses);
    }

    List<UseSite> made() {
        return made;
    }

    List<UseSite> used() {
        return used;
    }

    /** The application's classes that it extends. */
    List<String> superclasses() {
        return superclasses;
    }

    /** With these; what is unknown now stays. */
    Places and(List<UseSite> laterMade, List<UseSite> laterUsed) {
        return new Places(laterMade.isEmpty() ? made : laterMade, laterUsed.isEmpty() ? used : laterUsed, superclasses);
    }

    /** With these. */
    Places extending(List<String> classes) {
        return new Places(made, used, classes);
    }
}
