package dev.understudy.sidecar.flame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers for the names of frames; the last ones share one when there are too many. Not for several threads. */
final class FrameNames {
    static final int MOST = 1 << 15;
    /** Of all names together. */
    static final int MOST_CHARACTERS = 4 << 20;

    private static final String OTHERS = "(other methods)";

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private int characters;

    /** None yet but that of those for which there is no room. */
    FrameNames() {
        number(OTHERS);
    }

    /** Numbers of names in their order. */
    int[] numbers(List<String> wanted) {
        return wanted.stream().mapToInt(this::number).toArray();
    }

    /** The same stack in the numbers that are here. */
    static int[] translated(int[] frames, int[] numbers) {
        int[] translated = new int[frames.length];
        for (int i = 0; i < frames.length; i++) {
            translated[i] = numbers[frames[i]];
        }
        return translated;
    }

    /** All, by their numbers. */
    List<String> all() {
        return List.copyOf(names);
    }

    private int number(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        if (names.size() >= MOST || characters + name.length() > MOST_CHARACTERS) {
            return 0;
        }
        characters += name.length();
        numbers.put(name, names.size());
        names.add(name);
        return names.size() - 1;
    }
}
