package dev.understudy.session.program;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The tokens of a session's control ports, made for it alone.
 *
 * @param admin for the session and its user
 * @param agent for the copy, which may report and follow orders, and give none
 */
public record SessionTokens(String admin, String agent) {
    private static final int BYTES = 24;

    /** Makes new ones. */
    public static SessionTokens fresh() {
        SecureRandom random = new SecureRandom();
        return new SessionTokens(secret(random), secret(random));
    }

    private static String secret(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Secrets don't get into a log by accident. */
    @Override
    public String toString() {
        return "SessionTokens";
    }
}
