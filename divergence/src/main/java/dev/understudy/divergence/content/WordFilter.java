package dev.understudy.divergence.content;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Whether a value stands in a text, as a Bloom filter of {@value #BYTES} bytes: always right in saying no, and wrong in
 * saying yes of at most one in four hundred. Nothing of the text can be read from it. Immutable.
 */
public final class WordFilter {
    private static final int BYTES = 512;
    private static final int BITS = 8 * BYTES;
    private static final int PROBES = 4;

    private final byte[] bits;

    private WordFilter(byte[] bits) {
        this.bits = bits;
    }

    /** The filter of these; null if there are none, or too many for it. */
    public static @Nullable WordFilter of(ValueWords words) {
        if (words.full() || words.hashes().isEmpty()) {
            return null;
        }
        byte[] bits = new byte[BYTES];
        for (long hash : words.hashes()) {
            for (int probe = 0; probe < PROBES; probe++) {
                int bit = bit(hash, probe);
                bits[bit >>> 3] |= (byte) (1 << (bit & 7));
            }
        }
        return new WordFilter(bits);
    }

    /** What {@link #encoded} wrote; null if it is no such text. */
    public static @Nullable WordFilter decode(String encoded) {
        try {
            byte[] bits = Base64.getDecoder().decode(encoded);
            return bits.length == BYTES ? new WordFilter(bits) : null;
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    /** As base64. */
    public String encoded() {
        return Base64.getEncoder().encodeToString(bits);
    }

    /** Whether a word with this hash may be among them. */
    public boolean mayContain(long hash) {
        for (int probe = 0; probe < PROBES; probe++) {
            int bit = bit(hash, probe);
            if ((bits[bit >>> 3] & (1 << (bit & 7))) == 0) {
                return false;
            }
        }
        return true;
    }

    private static int bit(long hash, int probe) {
        return Math.floorMod((int) hash + probe * ((int) (hash >>> 32) | 1), BITS);
    }
}
