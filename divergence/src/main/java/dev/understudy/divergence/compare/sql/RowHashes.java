package dev.understudy.divergence.compare.sql;

import dev.understudy.divergence.content.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What is known of rows that are too many to be held: the sum of their hashes, which is the same in any order, and the
 * hash of their hashes, which isn't. Confined to one thread.
 */
final class RowHashes {
    private static final int LANES = 4;

    private final MessageDigest one = Sha256.digest();
    private final MessageDigest chain = Sha256.digest();
    private final long[] sum = new long[LANES];

    void add(byte[] row) {
        byte[] hash = one.digest(row);
        chain.update(hash);
        ByteBuffer lanes = ByteBuffer.wrap(hash);
        for (int i = 0; i < LANES; i++) {
            sum[i] += lanes.getLong();
        }
    }

    /** Whether the rows are the same, each as often; in any order. */
    boolean sameRows(RowHashes other) {
        return Arrays.equals(sum, other.sum);
    }

    /** The hash of all in their order, to be asked for once. */
    byte[] ordered() {
        return chain.digest();
    }

    /** For people: the rows in any order. */
    String shown() {
        return shown(ByteBuffer.allocate(Long.BYTES).putLong(sum[0]).array());
    }

    /** For people: the beginning of a hash. */
    static String shown(byte[] hash) {
        return HexFormat.of().formatHex(hash, 0, 6) + "…";
    }
}
