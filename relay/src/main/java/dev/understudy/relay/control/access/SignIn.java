package dev.understudy.relay.control.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Lets people in by their browser: a token, or a code that is good once, is exchanged for a cookie.
 *
 * <p>A cookie names a token and is signed with that token's secret. So nothing is kept for it, it is as good in the
 * next process with the same tokens, and it ends with its token or after {@value #HOURS} hours. Of codes
 * {@value #MOST_CODES} are kept; the oldest one goes first.
 *
 * <p>Confined to the control thread once the port is open.
 */
public final class SignIn {
    private static final int HOURS = 12;
    private static final int MOST_CODES = 16;
    private static final int LONGEST_COOKIE = 4_096;
    private static final int RANDOM_BYTES = 24;
    private static final long CODE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final LongSupplier nanoTime;
    private final LongSupplier wallMillis;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, IssuedCode> codes = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, IssuedCode> eldest) {
            return size() > MOST_CODES;
        }
    };
    private AccessTokens tokens = new AccessTokens(List.of());
    private boolean secure;

    /**
     * Nobody can sign in before a port is open.
     *
     * @param nanoTime by which codes end
     * @param wallMillis by which cookies end, also those of a process before this one
     */
    public SignIn(LongSupplier nanoTime, LongSupplier wallMillis) {
        this.nanoTime = nanoTime;
        this.wallMillis = wallMillis;
    }

    /** A code that was handed out, and the name of the token that it stands for. */
    private record IssuedCode(String token, long endNanos) {}

    /**
     * The port opens.
     *
     * @param tokens that it knows
     * @param secure whether it speaks TLS only
     */
    public void open(AccessTokens tokens, boolean secure) {
        this.tokens = tokens;
        this.secure = secure;
    }

    /** A code that is good once and for a minute; null if the caller has no token that it could stand for. */
    public @Nullable String issue(Caller caller) {
        if (tokens.named(caller.name()) == null) {
            return null;
        }
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        String code = ENCODER.encodeToString(bytes);
        codes.put(code, new IssuedCode(caller.name(), nanoTime.getAsLong() + CODE_NANOS));
        return code;
    }

    /** Whom a code stands for, which is used up by this; null if it is wrong, used or too old. */
    public @Nullable AccessToken redeem(String code) {
        IssuedCode issued = codes.remove(code);
        return issued == null || issued.endNanos - nanoTime.getAsLong() <= 0 ? null : tokens.named(issued.token);
    }

    /** Whose secret that is; null if it is nobody's. */
    public @Nullable AccessToken token(String secret) {
        return tokens.matching("Bearer " + secret);
    }

    /**
     * A {@code Set-Cookie} that signs a browser in.
     *
     * @param host as the browser has called this port: cookies are the same for all ports of a host, their names aren't
     */
    public String cookie(AccessToken token, String host) {
        long end = wallMillis.getAsLong() + TimeUnit.HOURS.toMillis(HOURS);
        String named = ENCODER.encodeToString(token.name().getBytes(StandardCharsets.UTF_8)) + "."
                + Long.toString(end, Character.MAX_RADIX);
        return name(host) + "=" + named + "." + signature(token, named) + attributes(TimeUnit.HOURS.toSeconds(HOURS));
    }

    /** A {@code Set-Cookie} that signs a browser out. */
    public String noCookie(String host) {
        return name(host) + "=" + attributes(0);
    }

    /** Who has signed in; null if nobody has, or it is over. */
    public @Nullable Caller find(@Nullable String cookies, @Nullable String host) {
        if (cookies == null || host == null || cookies.length() > LONGEST_COOKIE) {
            return null;
        }
        String start = name(host) + "=";
        for (String cookie : cookies.split(";", -1)) {
            String stripped = cookie.strip();
            AccessToken token = stripped.startsWith(start) ? verified(stripped.substring(start.length())) : null;
            if (token != null) {
                return new Caller(token.name(), token.role());
            }
        }
        return null;
    }

    private @Nullable AccessToken verified(String value) {
        String[] parts = value.split("\\.", -1);
        if (parts.length != 3) {
            return null;
        }
        try {
            String name = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
            AccessToken token = tokens.named(name);
            boolean over = Long.parseLong(parts[1], Character.MAX_RADIX) <= wallMillis.getAsLong();
            if (token == null || over) {
                return null;
            }
            byte[] expected = signature(token, parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
            return MessageDigest.isEqual(expected, parts[2].getBytes(StandardCharsets.UTF_8)) ? token : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    /** With the role, so that a token whose role was changed in the settings has to sign in again. */
    private static String signature(AccessToken token, String named) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(token.secret().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            String signed = "understudy console " + token.role().word() + " " + named;
            return ENCODER.encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JRE has HmacSHA256", missing);
        }
    }

    private String attributes(long seconds) {
        return "; Path=/; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
    }

    private static String name(String host) {
        int colon = host.lastIndexOf(':');
        String port = colon > host.lastIndexOf(']') ? host.substring(colon + 1) : "";
        return "understudy-" + (port.matches("\\d{1,5}") ? port : "default");
    }
}
