package dev.understudy.aggregator.mysql.sql;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds, in a text that goes by, the words by which a statement asks for what its session remembers, or changes that;
 * in a literal, too. Confined to one thread.
 */
final class SessionWords {
    /** A variable, or what is said to be one. */
    static final String VARIABLE = "@";

    static final String ASSIGNED = ":=";
    static final String INTO = "into";

    /** No part of one is how it begins, but for its first letter. */
    private static final List<String> WORDS =
            List.of(VARIABLE, ASSIGNED, INTO, "last_insert_id", "lastval", "row_count", "found_rows");

    private final byte[][] words =
            WORDS.stream().map(word -> word.getBytes(StandardCharsets.US_ASCII)).toArray(byte[][]::new);
    private final int[] matched = new int[words.length];

    /** Looks at all of these bytes. */
    void look(ByteBuffer some) {
        for (int at = some.position(); at < some.limit(); at++) {
            look(some.get(at));
        }
    }

    private void look(byte next) {
        int lower = next >= 'A' && next <= 'Z' ? next + 'a' - 'A' : next;
        for (int i = 0; i < words.length; i++) {
            byte[] word = words[i];
            if (matched[i] < word.length) {
                matched[i] = lower == word[matched[i]] ? matched[i] + 1 : lower == word[0] ? 1 : 0;
            }
        }
    }

    /** Those that were there. */
    List<String> found() {
        List<String> found = new ArrayList<>(0);
        for (int i = 0; i < words.length; i++) {
            if (matched[i] == words[i].length) {
                found.add(WORDS.get(i));
            }
        }
        return found;
    }
}
