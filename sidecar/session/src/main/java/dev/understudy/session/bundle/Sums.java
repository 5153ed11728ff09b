package dev.understudy.session.bundle;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The checksums of entries. */
final class Sums {
    private Sums() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException none) {
            throw new IllegalStateException("every JVM has SHA-256", none);
        }
    }
}
