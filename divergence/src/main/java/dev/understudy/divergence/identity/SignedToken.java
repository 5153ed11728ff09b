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
 * the claims that are new in every token.
 */
final class SignedToken {
    private static final Set<String> TIMES = Set.of("iat", "exp", "nbf", "auth_time");
    private static final Set<String> RANDOM = Set.of("jti", "sid", "nonce");

    private SignedToken() {}

    static boolean looksLike(String value) {
        return value.startsWith("eyJ") && value.indexOf('.') > 0 && value.indexOf('.') != value.lastIndexOf('.');
    }

    static boolean alike(String first, String second) {
        String[] one = first.split("\\.", -1);
        String[] two = second.split("\\.", -1);
        if (one.length != 3 || two.length != 3 || !one[0].equals(two[0]) || one[2].length() < OpaqueValue.MIN_LENGTH) {
            return false;
        }
        Map<String, JsonValue> claims = claims(one[1]);
        Map<String, JsonValue> others = claims(two[1]);
        return claims != null && others != null && lasting(claims).equals(lasting(others));
    }

    private static @Nullable Map<String, JsonValue> claims(String part) {
        try {
            JsonValue value = JsonText.parse(Base64.getUrlDecoder().decode(part));
            return value instanceof JsonValue.Obj object ? object.members() : null;
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
