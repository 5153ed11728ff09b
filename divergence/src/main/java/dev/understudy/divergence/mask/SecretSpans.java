package dev.understudy.divergence.mask;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Where secrets stand in a text. Confined to one thread. */
final class SecretSpans {
    private final String text;
    /** Ends by beginnings; none overlaps another. */
    private final TreeMap<Integer, Integer> spans = new TreeMap<>();

    SecretSpans(String text) {
        this.text = text;
    }

    void add(int from, int to) {
        int begin = from;
        int end = to;
        Map.Entry<Integer, Integer> one = spans.floorEntry(to);
        while (begin < end && one != null && one.getValue() >= begin) {
            begin = Math.min(begin, one.getKey());
            end = Math.max(end, one.getValue());
            spans.remove(one.getKey());
            one = spans.floorEntry(end);
        }
        if (begin < end) {
            spans.put(begin, end);
        }
    }

    boolean isEmpty() {
        return spans.isEmpty();
    }

    /** All of them: where they begin and end. */
    void forEach(BiConsumer<Integer, Integer> each) {
        spans.forEach(each);
    }

    /** Whether all of these characters are secret, of which there is one at least. */
    boolean covers(int from, int to) {
        Map.Entry<Integer, Integer> one = spans.floorEntry(from);
        return from < to && one != null && one.getValue() >= to;
    }

    /** Whether one of these characters is. */
    boolean touches(int from, int to) {
        Map.Entry<Integer, Integer> one = spans.lowerEntry(to);
        return one != null && one.getValue() > from;
    }

    /** These characters with the secret ones masked. */
    String masked(int from, int to) {
        if (!touches(from, to)) {
            return text.substring(from, to);
        }
        StringBuilder shown = new StringBuilder(to - from);
        int copied = from;
        Integer first = spans.floorKey(from);
        for (Map.Entry<Integer, Integer> one :
                spans.subMap(first == null ? from : first, to).entrySet()) {
            if (one.getValue() > from) {
                shown.append(text, copied, Math.max(copied, one.getKey())).append(Masking.MASK);
                copied = Math.min(to, one.getValue());
            }
        }
        return shown.append(text, copied, to).toString();
    }

    /** Whether a name is a piece of a secret. */
    boolean hold(String name) {
        for (int at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
            if (covers(at, at + name.length())) {
                return true;
            }
        }
        return false;
    }
}
