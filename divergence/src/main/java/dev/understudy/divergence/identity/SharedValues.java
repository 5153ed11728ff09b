package dev.understudy.divergence.identity;

import java.util.Arrays;

/**
 * Remembers long tokens that both JVMs have shown alike, as hashes in two generations of at most so many.
 *
 * <p>Such a value comes from a common source (the request, the database), so no JVM made it up. A false hit makes a
 * pair unknown, which is the safe side. Guarded by the lock of {@link IdentityMap}.
 */
final class SharedValues {
    private static final int FEWEST_SLOTS = 64;

    private final int limit;
    private long[] current;
    private long[] previous;
    private int count;

    /** @param limit how many values a generation holds */
    SharedValues(int limit) {
        this.limit = limit;
        current = new long[FEWEST_SLOTS];
        previous = new long[FEWEST_SLOTS];
    }

    /** Adds every token of the text that is long enough to be an identity. */
    void addTokens(CharSequence text) {
        int start = 0;
        long hash = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            if (isTokenChar(c)) {
                hash = step(hash, c);
                continue;
            }
            if (i - start >= OpaqueValue.MIN_LENGTH) {
                add(hash);
            }
            start = i + 1;
            hash = 0;
        }
    }

    /** As {@link #addTokens(CharSequence)}, for bytes in an encoding that contains ASCII. */
    void addTokens(byte[] text) {
        int start = 0;
        long hash = 0;
        for (int i = 0; i <= text.length; i++) {
            char c = i < text.length ? (char) (text[i] & 0xff) : ' ';
            if (isTokenChar(c)) {
                hash = step(hash, c);
                continue;
            }
            if (i - start >= OpaqueValue.MIN_LENGTH) {
                add(hash);
            }
            start = i + 1;
            hash = 0;
        }
    }

    /**
     * Whether all long tokens of that value have been seen on both sides. A part alone (the header of a signed token, a
     * key's id, a prefix) says nothing about the rest.
     */
    boolean contains(String value) {
        boolean found = false;
        int start = 0;
        long hash = 0;
        for (int i = 0; i <= value.length(); i++) {
            char c = i < value.length() ? value.charAt(i) : ' ';
            if (isTokenChar(c)) {
                hash = step(hash, c);
                continue;
            }
            if (i - start >= OpaqueValue.MIN_LENGTH) {
                if (!contains(current, hash) && !contains(previous, hash)) {
                    return false;
                }
                found = true;
            }
            start = i + 1;
            hash = 0;
        }
        return found;
    }

    private static long step(long hash, char c) {
        return (hash ^ c) * 0x9E3779B97F4A7C15L + 1;
    }

    private static boolean isTokenChar(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    private void add(long hash) {
        long key = hash == 0 ? 1 : hash;
        int slot = slot(current, key);
        if (current[slot] == key) {
            return;
        }
        if (count == limit) {
            long[] oldest = previous;
            previous = current;
            current = oldest;
            Arrays.fill(current, 0);
            count = 0;
            slot = slot(current, key);
        } else if (count == current.length / 2) {
            current = doubled(current);
            slot = slot(current, key);
        }
        current[slot] = key;
        count++;
    }

    private static long[] doubled(long[] table) {
        long[] larger = new long[table.length * 2];
        for (long key : table) {
            if (key != 0) {
                larger[slot(larger, key)] = key;
            }
        }
        return larger;
    }

    private static boolean contains(long[] table, long hash) {
        long key = hash == 0 ? 1 : hash;
        return table[slot(table, key)] == key;
    }

    /** Where the key is or would be: linear probing in a table that is never more than half full. */
    private static int slot(long[] table, long key) {
        int mask = table.length - 1;
        int slot = (int) (key ^ (key >>> 32)) & mask;
        while (table[slot] != 0 && table[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
