package dev.understudy.agent.branch;

import java.util.List;

/** By what it is decided where a jump goes, as far as its class file tells. Immutable. */
final class Decided {
    /** Of each kind at most so many. */
    static final int MOST = 4;

    static final Decided UNKNOWN = new Decided(List.of(), List.of());

    /** Methods whose results it looks at, and those whose results these return, the nearest first. */
    final List<String> asked;
    /** Methods of its class that set a field it looks at. */
    final List<String> setters;

    Decided(List<String> asked, List<String> setters) {
        this.asked = asked;
        this.setters = setters;
    }
}
