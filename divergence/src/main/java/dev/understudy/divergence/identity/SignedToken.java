package dev.understudy.divergence.identity;

import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.content.TextSpan;
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
    /** Seconds between two readings of the clock that mean the same. */
    private static final int AT_ONCE = 2;

    private static final int LONGEST_TIME = 24;
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
                && one.signature.length() == two.signature.length()
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

    /**
     * Whether both are valid when they are served, or neither is, as far as tokens say when they end.
     *
     * @param production when production served the first
     * @param debug when debug served the other
     */
    public static boolean endAlike(String first, TextSpan production, String second, TextSpan debug) {
        SignedToken one = read(first);
        SignedToken two = one == null ? null : read(second);
        return one == null || two == null || one.isOver(production) == two.isOver(debug);
    }

    private boolean isOver(TextSpan served) {
        Double end = seconds(claims.get("exp"));
        return end != null && end <= served.from().getEpochSecond();
    }

    /** What must be equal: all other claims, and of the changing ones that they're there, lifetimes, and forms. */
    private static Map<String, JsonValue> lasting(Map<String, JsonValue> claims) {
        Map<String, JsonValue> lasting = new HashMap<>(claims);
        for (Map.Entry<String, JsonValue> claim : claims.entrySet()) {
            if (TIMES.contains(claim.getKey()) && claim.getValue() instanceof JsonValue.Num) {
                lasting.put(claim.getKey(), sinceIssued(claim.getKey(), claims));
            } else if (RANDOM.contains(claim.getKey()) && claim.getValue() instanceof JsonValue.Str text) {
                lasting.put(claim.getKey(), new JsonValue.Str(form(text.text())));
            }
        }
        return lasting;
    }

    private static String form(String value) {
        return value.isEmpty() ? "" : OpaqueValue.isUuid(value) ? "uuid" : "text";
    }

    /** How long after the token was issued; nothing where that means nothing, or isn't known. */
    private static JsonValue sinceIssued(String claim, Map<String, JsonValue> claims) {
        Double issued = seconds(claims.get("iat"));
        Double time = seconds(claims.get(claim));
        if (issued == null || time == null || claim.equals("iat") || claim.equals("auth_time")) {
            return new JsonValue.Nil();
        }
        long after = Math.round(time - issued);
        boolean atOnce = claim.equals("nbf") && Math.abs(after) <= AT_ONCE;
        return new JsonValue.Num(Long.toString(atOnce ? 0 : after));
    }

    private static @Nullable Double seconds(@Nullable JsonValue time) {
        return time instanceof JsonValue.Num number && number.text().length() <= LONGEST_TIME
                ? Double.valueOf(number.text())
                : null;
    }
}
