package dev.understudy.divergence.identity;

import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Web Token (RFC 7519): readable, so two of them stand for each other only if they claim the same, but for
 * the claims that are new in every token. Nothing is verified.
 */
public record SignedToken(JsonValue header, Map<String, JsonValue> claims, String signature) {
    private static final Set<String> TIMES = Set.of("iat", "exp", "nbf", "auth_time");
    private static final Set<String> RANDOM = Set.of("jti", "sid", "nonce");

    static boolean looksLike(String value) {
        return value.startsWith("eyJ") && value.indexOf('.') > 0 && value.indexOf('.') != value.lastIndexOf('.');
    }

    /** What a text holds; null if it isn't exactly one. */
    public static @Nullable SignedToken read(String text) {
        if (text.length() > OpaqueValue.MAX_LENGTH || !looksLike(text)) {
            return null;
        }
        String[] parts = text.split("\\.", -1);
        JsonValue header = parts.length == 3 ? json(parts[0]) : null;
        return header != null && json(parts[1]) instanceof JsonValue.Obj claims
                ? new SignedToken(header, claims.members(), parts[2])
                : null;
    }

    static boolean alike(String first, String second) {
        SignedToken one = read(first);
        SignedToken two = one == null ? null : read(second);
        return one != null
                && two != null
                && one.signature.length() >= OpaqueValue.MIN_LENGTH
                && one.header.equals(two.header)
                && one.lastingClaims().equals(two.lastingClaims());
    }

    /** The claims that two tokens have to share: of those that are new in each one, only that they are there. */
    public JsonValue lastingClaims() {
        return new JsonValue.Obj(lasting(claims));
    }

    private static @Nullable JsonValue json(String part) {
        try {
            return JsonText.parse(Base64.getUrlDecoder().decode(part));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** What must be equal: all other claims, and of the changing ones that they're there, and the lifetime. */
    private static Map<String, JsonValue> lasting(Map<String, JsonValue> claims) {
        Map<String, JsonValue> lasting = new HashMap<>(claims);
        JsonValue lifetime = lifetime(claims.get("iat"), claims.get("exp"));
        for (Map.Entry<String, JsonValue> claim : claims.entrySet()) {
            if (TIMES.contains(claim.getKey()) && claim.getValue() instanceof JsonValue.Num) {
                lasting.put(claim.getKey(), lifetime);
            } else if (RANDOM.contains(claim.getKey()) && claim.getValue() instanceof JsonValue.Str) {
                lasting.put(claim.getKey(), new JsonValue.Nil());
            }
        }
        return lasting;
    }

    private static JsonValue lifetime(@Nullable JsonValue issued, @Nullable JsonValue expires) {
        if (issued instanceof JsonValue.Num from && expires instanceof JsonValue.Num to) {
            try {
                return new JsonValue.Num(Long.toString(Long.parseLong(to.text()) - Long.parseLong(from.text())));
            } catch (NumberFormatException e) {
                return new JsonValue.Nil();
            }
        }
        return new JsonValue.Nil();
    }
}
