package dev.understudy.relay.control.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tokens of one port. How long a look-up takes says nothing about them. */
public final class AccessTokens {
    private static final String SCHEME = "Bearer ";

    private final List<AccessToken> tokens;

    public AccessTokens(List<AccessToken> tokens) {
        this.tokens = List.copyOf(tokens);
    }

    /** Whose token an {@code Authorization} header holds; null if it is nobody's. */
    public @Nullable Caller find(String authorization) {
        AccessToken found = matching(authorization);
        return found == null ? null : new Caller(found.name(), found.role());
    }

    /** The one of a name; null if there is none. */
    @Nullable
    AccessToken named(String name) {
        for (AccessToken token : tokens) {
            if (token.name().equals(name)) {
                return token;
            }
        }
        return null;
    }

    /** The one that an {@code Authorization} header holds; null if it holds none. */
    @Nullable
    AccessToken matching(String authorization) {
        byte[] given = authorization.getBytes(StandardCharsets.UTF_8);
        AccessToken found = null;
        for (AccessToken token : tokens) {
            if (MessageDigest.isEqual((SCHEME + token.secret()).getBytes(StandardCharsets.UTF_8), given)) {
                found = token;
            }
        }
        return found;
    }
}
