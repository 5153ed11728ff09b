package dev.understudy.divergence.compare.body;

import java.util.List;

/**
 * What a body that isn't held said: a hash of all of it but for the first values that may differ, which are kept. The
 * hash is shared: leave it unchanged.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared by equals
public record Said(byte[] hash, List<Value> values) {
    public Said {
        values = List.copyOf(values);
    }

    /**
     * A value that may differ.
     *
     * @param place the name of its member, or of the list's that it is in; "" in text
     * @param line in which it stands, from 1; 0 in JSON
     * @param at how much of a text was hashed before it; 0 in JSON
     * @param quoted whether it is text rather than a number
     */
    public record Value(String place, long line, long at, String text, boolean quoted) {}
}
