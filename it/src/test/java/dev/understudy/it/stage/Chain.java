package dev.understudy.it.stage;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Bodies in their order, told by a hash in which each goes in with the hash of those before it: two that are equal have
 * had the same ones, all of them, and in the same order.
 */
public record Chain(int length, String hash) {
    public static final Chain EMPTY = new Chain(0, "");

    public Chain with(byte[] body) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(hash.getBytes(StandardCharsets.US_ASCII));
            return new Chain(length + 1, HexFormat.of().formatHex(digest.digest(body)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public String toString() {
        return length + " " + hash;
    }
}
