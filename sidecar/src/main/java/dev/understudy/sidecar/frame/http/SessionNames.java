package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Names the session of a request: by the first of its cookies, or by its token, if both JVMs have made up one of their
 * own for it. Names mean nothing outside of this process, and nobody gets from one to the cookie. Safe for use by
 * several threads.
 */
final class SessionNames {
    private static final int LENGTH = 6;

    private final IdentityMap identities;
    private final byte[] salt = new byte[16];

    SessionNames(IdentityMap identities) {
        this.identities = identities;
        new SecureRandom().nextBytes(salt);
    }

    /** Null if it has none that is known. */
    @Nullable
    String of(RequestHead head) {
        Stream<String> cookies = head.all("cookie").stream()
                .flatMap(all -> Stream.of(all.split(";", -1)))
                .map(pair -> pair.substring(pair.indexOf('=') + 1).strip().replace("\"", ""));
        Stream<String> tokens =
                head.all("authorization").stream().map(said -> said.substring(said.lastIndexOf(' ') + 1));
        return Stream.concat(cookies, tokens)
                .filter(value -> identities.debugValueOf(value) != null)
                .findFirst()
                .map(this::name)
                .orElse(null);
    }

    private String name(String value) {
        MessageDigest hash = Sha256.digest();
        hash.update(salt);
        byte[] all = hash.digest(value.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(all, 0, LENGTH);
    }
}
