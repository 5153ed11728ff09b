package dev.understudy.relay.control.access;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * What lets one caller in.
 *
 * @param name whose it is, for the audit log
 * @param secret what is sent as {@code Authorization: Bearer …}
 */
public record AccessToken(String name, Role role, String secret) {
    private static final int RANDOM_BYTES = 24;
    private static final int LONGEST = 512;

    public AccessToken {
        if (name.isBlank() || name.length() > LONGEST) {
            throw new IllegalArgumentException("name: (expected: 1 to " + LONGEST + " characters)");
        }
        if (secret.isBlank() || secret.length() > LONGEST || !secret.chars().allMatch(c -> c >= ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    "token of " + name + ": (expected: 1 to " + LONGEST + " printable characters of ASCII)");
        }
    }

    /** One that nobody can guess. */
    public static AccessToken generate(Role role) {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return new AccessToken(
                "generated " + role.word(),
                role,
                Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    /** The secret stays out of every log. */
    @Override
    public String toString() {
        return "AccessToken[name=" + name + ", role=" + role.word() + "]";
    }
}
