package dev.understudy.divergence.identity;

import java.util.List;
import java.util.Locale;

/** What the name of a place (a JSON member, a header) says about the values that stand there. */
public final class IdentityPlace {
    private static final List<String> CONTENT = List.of(
            "hash", "digest", "checksum", "sha1", "sha256", "sha512", "md5", "crc", "etag", "signature", "print");
    private static final List<String> TOKEN =
            List.of("token", "session", "csrf", "xsrf", "nonce", "cursor", "ticket", "secret", "state");
    private static final List<String> REPLY = List.of("request", "trace", "span", "correlation");
    private static final List<String> IDENTITY = List.of("uuid", "guid", "key");

    private IdentityPlace() {}

    /** Whether values there depend on content, so that different values mean different content. */
    public static boolean holdsContentHash(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals("sha") || CONTENT.stream().anyMatch(lower::contains);
    }

    /** Whether values there are likely to stand for a session or a step of it, not for a record. */
    public static boolean holdsToken(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return TOKEN.stream().anyMatch(lower::contains);
    }

    /** Whether values there are likely to name the reply itself, or the request. */
    static boolean holdsReplyName(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return REPLY.stream().anyMatch(lower::contains);
    }

    /** Whether values there are likely to be made up by the service. */
    public static boolean holdsIdentity(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean id = lower.equals("id") || lower.endsWith("_id") || lower.endsWith("-id") || name.endsWith("Id");
        return id
                || name.endsWith("ID")
                || holdsToken(name)
                || IDENTITY.stream().anyMatch(lower::contains);
    }
}
