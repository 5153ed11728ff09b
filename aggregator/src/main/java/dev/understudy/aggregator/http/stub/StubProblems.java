package dev.understudy.aggregator.http.stub;

import java.util.ArrayList;
import java.util.List;

/**
 * All that is wrong with a folder of stubs, or is done otherwise than it says. Confined to the thread that reads it.
 */
final class StubProblems {
    private static final int MOST = 200;

    private final List<String> lines = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** @param place file and the path in it, or line and column */
    void add(String place, String message) {
        if (lines.size() < MOST) {
            lines.add(place + ": " + message);
        }
    }

    void note(String place, String message) {
        if (notes.size() < MOST) {
            notes.add(place + ": " + message);
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    List<String> notes() {
        return List.copyOf(notes);
    }
}
