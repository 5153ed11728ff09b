package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessTokens;
import dev.understudy.relay.control.access.Browsers;
import dev.understudy.relay.control.access.Caller;
import dev.understudy.relay.control.access.Role;
import dev.understudy.relay.control.access.SignIn;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides by a request's head who may call the control port, and for what.
 *
 * <p>No page of another origin may, whatever it knows. A caller without a token gets what the settings allow, if the
 * port is called by a loopback name: a name that resolves to loopback could be a web site's (DNS rebinding).
 */
final class Gatekeeper {
    private final AccessTokens tokens;
    private final @Nullable Role anonymous;
    private final @Nullable SignIn signIn;

    /** @param signIn knows whom browsers' cookies stand for; null where they stand for nobody */
    Gatekeeper(AccessTokens tokens, @Nullable Role anonymous, @Nullable SignIn signIn) {
        this.tokens = tokens;
        this.anonymous = anonymous;
        this.signIn = signIn;
    }

    /**
     * What was decided.
     *
     * @param caller who calls; null if nobody knows
     * @param refusal why that is refused; null if it may pass
     */
    record Admission(@Nullable Caller caller, @Nullable Reply refusal) {}

    /** @param target what answers it; null if nothing does, which nobody is told who may not call */
    Admission admit(HttpRequest request, Routes.@Nullable Target target) {
        Access access = target == null ? Access.ANY_ROLE : target.access();
        if (access == Access.PUBLIC) {
            return new Admission(null, null);
        }
        HttpHeaders headers = request.headers();
        if (!Browsers.isOwnPage(
                headers.get(HttpHeaderNames.HOST),
                headers.get(HttpHeaderNames.ORIGIN),
                headers.get("sec-fetch-site"))) {
            return new Admission(null, Reply.problem(403, "Forbidden", "a page of another origin may not call this"));
        }
        if (access == Access.OWN_PAGE) {
            return new Admission(null, target == null ? null : wrongType(request, target));
        }
        Caller caller = caller(request);
        if (caller == null) {
            return new Admission(null, Reply.problem(401, "Unauthorized", unauthorized()));
        }
        if (!access.permits(caller.role())) {
            return new Admission(caller, Reply.problem(403, "Forbidden", forbidden(request, access, caller)));
        }
        return new Admission(caller, target == null ? null : wrongType(request, target));
    }

    private @Nullable Caller caller(HttpRequest request) {
        HttpHeaders headers = request.headers();
        String authorization = headers.get(HttpHeaderNames.AUTHORIZATION);
        if (authorization != null) {
            return tokens.find(authorization);
        }
        String host = headers.get(HttpHeaderNames.HOST);
        Caller signedIn = signIn == null || !mayUseCookie(request)
                ? null
                : signIn.find(headers.get(HttpHeaderNames.COOKIE), host);
        if (signedIn != null) {
            return signedIn;
        }
        boolean local = host == null || Browsers.isLoopback(host);
        return anonymous != null && local ? Caller.anonymous(anonymous) : null;
    }

    /** A browser sends a cookie by itself: what changes something must also say which page it comes from. */
    private static boolean mayUseCookie(HttpRequest request) {
        return request.method().equals(HttpMethod.GET)
                || request.method().equals(HttpMethod.HEAD)
                || request.headers().contains(HttpHeaderNames.ORIGIN)
                || request.headers().contains("sec-fetch-site");
    }

    private String unauthorized() {
        return anonymous == null
                ? "send a token of this port as Authorization: Bearer …"
                : "send a token of this port as Authorization: Bearer …, or none and call it by a loopback name";
    }

    private static String forbidden(HttpRequest request, Access access, Caller caller) {
        return request.method() + " needs the role " + access.expected() + "; " + caller.name() + " has "
                + caller.role().word();
    }

    /** Forms of web pages have no such type, so that a browser asks this port before it sends them for a page. */
    private static @Nullable Reply wrongType(HttpRequest request, Routes.Target target) {
        if (!request.method().equals(HttpMethod.POST) && !request.method().equals(HttpMethod.PUT)) {
            return null;
        }
        String given = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        String type = given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return target.types().contains(type)
                ? null
                : Reply.problem(
                        415,
                        "Unsupported media type",
                        "Content-Type: " + (type.isEmpty() ? "none" : type) + " (expected: "
                                + String.join(" or ", target.types()) + ")");
    }
}
