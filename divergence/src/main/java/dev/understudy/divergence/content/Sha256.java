package dev.understudy.divergence.content;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash by which content that isn't kept is known again. */
public final class Sha256 {
    private Sha256() {}

    /** One that nothing was put into yet. Confined to one thread. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** The hash of these bytes: 32 others. */
    public static byte[] of(byte[] bytes) {
        return digest().digest(bytes);
    }
}
