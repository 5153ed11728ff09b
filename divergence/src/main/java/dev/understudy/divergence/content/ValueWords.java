package dev.understudy.divergence.content;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The values that stand in texts of any kind, such as rows and the reply that was made of them: words and numbers of
 * {@value #SHORTEST} characters and more, as hashes. Numbers are the same however they are written ({@code 7.50},
 * {@code 007.5}). Nothing of a text can be read from it.
 *
 * <p>Bounded: after {@value #MOST} different ones it is {@link #full} and takes no more. Confined to one thread.
 */
public final class ValueWords {
    /** Different words that are kept. */
    public static final int MOST = 256;

    /** Shorter ones stand everywhere. */
    static final int SHORTEST = 3;

    private static final int LONGEST = 64;
    private static final long PRIME = 0x100000001b3L;
    private static final long BASIS = 0xcbf29ce484222325L;

    private final Set<Long> hashes = new LinkedHashSet<>();
    private boolean full;

    /** Takes those of a text. */
    public void add(String text) {
        add(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes those of a text in UTF-8 or any other charset that has ASCII. */
    public void add(byte[] text) {
        add(text, 0, text.length);
    }

    /** Takes those of a part of a text. */
    public void add(byte[] text, int from, int to) {
        int begin = -1;
        for (int i = from; i <= to; i++) {
            boolean within = i < to && (isWord(text[i]) || isPoint(text, i, from, to));
            if (within && begin < 0) {
                begin = i;
            } else if (!within && begin >= 0) {
                word(text, begin, i);
                begin = -1;
                if (full) {
                    return;
                }
            }
        }
    }

    /** Takes all of others. */
    public void add(ValueWords others) {
        full |= others.full;
        others.hashes.forEach(this::put);
    }

    /** Some can't be read: it counts as full from now on. */
    public void fill() {
        full = true;
    }

    /** Whether there were more than are kept. */
    public boolean full() {
        return full;
    }

    /** Their hashes. */
    public Set<Long> hashes() {
        return hashes;
    }

    private void word(byte[] text, int from, int to) {
        if (to - from > LONGEST) {
            return;
        }
        int digits = from;
        while (digits < to && (isDigit(text[digits]) || text[digits] == '.')) {
            digits++;
        }
        if (digits > from) {
            number(text, from, digits);
        }
        if (digits < to && to - from >= SHORTEST) {
            put(text, from, to);
        }
    }

    /** As it is written with as few digits as possible. */
    private void number(byte[] text, int from, int to) {
        int begin = from;
        while (begin < to - 1 && text[begin] == '0' && isDigit(text[begin + 1])) {
            begin++;
        }
        int end = to;
        boolean fraction = false;
        for (int i = begin; i < to; i++) {
            fraction |= text[i] == '.';
        }
        while (fraction && end > begin + 1 && text[end - 1] == '0') {
            end--;
        }
        if (text[end - 1] == '.') {
            end--;
        }
        if (end - begin >= SHORTEST) {
            put(text, begin, end);
        }
    }

    private void put(byte[] text, int from, int to) {
        long hash = BASIS;
        for (int i = from; i < to; i++) {
            hash = (hash ^ (text[i] & 0xff)) * PRIME;
        }
        hash ^= hash >>> 32;
        hash *= 0x9E3779B97F4A7C15L;
        put(hash ^ (hash >>> 29));
    }

    private void put(long hash) {
        if (hashes.size() < MOST) {
            hashes.add(hash);
        } else if (!hashes.contains(hash)) {
            full = true;
        }
    }

    /** A point between two digits. */
    private static boolean isPoint(byte[] text, int i, int from, int to) {
        return text[i] == '.' && i > from && i + 1 < to && isDigit(text[i - 1]) && isDigit(text[i + 1]);
    }

    private static boolean isWord(byte b) {
        return isDigit(b) || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || b < 0;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
