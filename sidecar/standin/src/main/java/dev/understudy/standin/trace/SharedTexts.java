package dev.understudy.standin.trace;

import java.util.HashMap;
import java.util.Map;

/** Keeps each text once, and only so many of them. Confined to one thread. */
final class SharedTexts {
    private final int most;
    private final Map<String, String> texts = new HashMap<>();

    SharedTexts(int most) {
        this.most = most;
    }

    /** The kept text that is equal to it, or {@code otherwise} if there is none and no room. */
    String of(String text, String otherwise) {
        String known = texts.get(text);
        if (known != null) {
            return known;
        }
        if (texts.size() >= most) {
            return otherwise;
        }
        texts.put(text, text);
        return text;
    }
}
