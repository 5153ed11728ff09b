package dev.understudy.example.orders.account;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** PBKDF2 with HMAC-SHA-256 (RFC 8018, section 5.2). */
final class Passwords {
    private static final int ROUNDS = 10_000;

    private Passwords() {}

    /** Compares in constant time. */
    static boolean matches(String password, byte[] salt, byte[] hash) {
        if (password.isEmpty()) {
            return false; // PBEKeySpec knows no empty password
        }
        PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, ROUNDS, hash.length * 8);
        try {
            byte[] candidate = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(key)
                    .getEncoded();
            return MessageDigest.isEqual(candidate, hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has PBKDF2WithHmacSHA256", e);
        }
    }
}
