package dev.understudy.relay.control;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may call the control port.
 *
 * <p>With a token, the caller has to know it. Without one the port is on loopback, and a web page in a local browser
 * must not reach it either: the {@code Host} has to be a loopback name (no DNS rebinding) and an {@code Origin}, when
 * there is one, too.
 */
final class Gatekeeper {
    private final String token;

    Gatekeeper(String token) {
        this.token = token;
    }

    /** Returns why the request is refused, or null when it may pass. */
    @Nullable
    Reply refusal(HttpRequest request, String path) {
        if (path.equals("/healthz")) {
            return null;
        }
        if (!token.isEmpty()) {
            return knowsToken(request)
                    ? null
                    : Reply.problem(401, "Unauthorized", "send the control token as Authorization: Bearer …");
        }
        String host = request.headers().get(HttpHeaderNames.HOST);
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        boolean local = (host == null || isLoopback("http://" + host)) && (origin == null || isLoopback(origin));
        return local ? null : Reply.problem(403, "Forbidden", "without a token only loopback names may be used");
    }

    private boolean knowsToken(HttpRequest request) {
        String given = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        byte[] expected = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isLoopback(String url) {
        try {
            String host = URI.create(url).getHost();
            if (host == null) {
                return false;
            }
            String name = host.toLowerCase(Locale.ROOT);
            return name.equals("localhost") || name.equals("[::1]") || isLoopbackNumber(name);
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static boolean isLoopbackNumber(String name) {
        try {
            return name.matches("127(\\.\\d{1,3}){3}")
                    && InetAddress.getByName(name).isLoopbackAddress();
        } catch (UnknownHostException notAnAddress) {
            return false;
        }
    }
}
